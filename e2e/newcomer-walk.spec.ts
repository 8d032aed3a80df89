import { type Browser, expect, type Page, test } from "playwright/test";
import { freePort } from "#lib/kernel/free-port.ts";
import { Parties } from "./newcomer-work.ts";
import { fillSignIn, fillSignUp, somebody } from "./owner.ts";
import { Client, type Own } from "./service/client.ts";
import { runService, type Service } from "./service/run.ts";
import { Shell } from "./service/shell.ts";
import { Tasks } from "./service/tasks.ts";

// A newcomer's walk with no hint but the pages themselves: from the empty home page of a fresh installation to a claimed profile, a
// verified local agent, an order that is finished, and a disputed one that is decided with both sides heard. What a page says to run is
// run as it stands there; after the first page, every page is reached by a link of the page before.

let service: Service;
let shell: Shell;
test.beforeAll(async () => {
  service = await runService({ LOG_LEVEL: "warn" });
  shell = new Shell(service.dataDir);
});
test.afterAll(async () => {
  await shell.close();
  await service.stop();
});

/** A command that the page shows. */
const commandOn = async (page: Page, caption: string): Promise<string> =>
  (await page.locator("figure", { hasText: caption }).locator("pre").first().textContent()) ?? "";

/** The line that begins or ends like this, of what a command printed. */
function lineOf(printed: string, like: RegExp): string {
  const line = printed.split("\n").find((each) => like.test(each));
  if (!line) throw new Error(`No line is like ${like}:\n${printed}`);
  return line;
}

/** Ticks every box of the form that the page is about to show. */
async function tickAll(page: Page): Promise<void> {
  await expect(page.getByRole("checkbox").first()).toBeVisible();
  for (const box of await page.getByRole("checkbox").all()) await box.check();
}

const newPage = async (browser: Browser) => (await browser.newContext({ baseURL: service.baseUrl })).newPage();

/** The agent registers with the command beside the feed, and its owner claims it with the link in the answer. */
async function claimProfile(page: Page): Promise<string> {
  await page.goto(service.baseUrl);
  await page.getByRole("link", { name: "Put your agent here" }).click();
  await page.waitForURL("**/docs/quick-start");
  await page.getByRole("link", { name: "Feed", exact: true }).first().click();
  await page.waitForURL("**/feed");
  const answer = JSON.parse(await shell.run(`${await commandOn(page, "Register a profile")} --silent`));
  await page.goto(answer.claim_url);
  await page.getByRole("link", { name: "Create account" }).click();
  await fillSignUp(page, somebody());
  await tickAll(page);
  await page.getByRole("button", { name: "Claim My agent" }).click();
  await expect(page.getByText("You have claimed My agent.")).toBeVisible();
  return answer.public_id;
}

/** The credential that the workspace shows once for an agent. */
async function storeToken(page: Page, name: string): Promise<Own> {
  const panel = page.getByRole("region", { name: `Management token of ${name}` });
  const token = await panel.locator("code").textContent();
  await panel.getByRole("button", { name: "I have stored it" }).click();
  return { public_id: /agt_\w+/.exec(page.url())?.[0] ?? "", management_token: token ?? "" };
}

/** Gets a local domain and proves it, with the commands that the page and then `npm run dev-domain` print. */
async function verifyLocalAgent(page: Page, publicId: string): Promise<Own> {
  await page.getByRole("link", { name: /^Set up its service identity/ }).click();
  const command = (await commandOn(page, "Make a local domain")).replace(/\d+$/, String(await freePort()));
  const [, , , name] = command.split(" ");
  const printed = await shell.run(command);
  await page.getByLabel("Address of the service").fill(`https://${name}/`);
  await page.getByRole("button", { name: "Set up service identity" }).click();
  const proof = await commandOn(page, "Content");
  await shell.run(
    lineOf(printed, /^printf /)
      .replace("TOKEN", proof)
      .replace("PUBLIC_ID", publicId),
  );
  await shell.start(lineOf(printed, /--serve$/), `Serving ${name}`);
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText(`Verified: you control ${name}.`)).toBeVisible();
  return storeToken(page, "My agent");
}

/** A second person with an agent that orders work, which needs no verified domain. */
async function makeBuyer(page: Page): Promise<Own> {
  await page.goto(service.baseUrl);
  await page.getByRole("link", { name: "How it works" }).click();
  await page.getByRole("link", { name: "create an account" }).click();
  await fillSignUp(page, somebody());
  await expect(page.getByRole("heading", { level: 1, name: "New profile" })).toBeVisible();
  await page.getByLabel("Name").fill("Alder");
  await tickAll(page);
  await page.getByRole("button", { name: "Create profile" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("link", { name: "Continue to Alder" }).click();
  await page.getByRole("link", { name: /^Set up its service identity/ }).click();
  await page.getByLabel("Address of the service").fill("https://alder.test/");
  await page.getByLabel("What the service does").fill("Orders fires.");
  await page.getByRole("button", { name: "Set up service identity" }).click();
  return storeToken(page, "Alder");
}

/** Further work with a result, done by two programs with the tokens that their owners have stored. */
async function deliver(title: string, buyer: Own, provider: Own): Promise<void> {
  const tasks = new Tasks(new Client(service.baseUrl));
  const task = await tasks.post(buyer, { title, brief: "A signal fire, by the evening.", budget: 500 });
  await tasks.deliver(buyer, provider, task, "It burns.", 500);
}

/** The titles of the task that is completed and of the one that is disputed. */
const [ORDER, DISPUTED] = ["Order: kindling", "A signal fire"];

/** The administrator, made with the command on the home page, decides after reading both sides. */
async function decideDispute(page: Page, command: string): Promise<void> {
  const administrator = { email: "ada@example.com", password: "an office of trust" };
  await shell.run(command.replace("you@example.com", administrator.email), { ADMIN_PASSWORD: administrator.password });
  await page.goto(service.baseUrl);
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await fillSignIn(page, administrator);
  await page.waitForURL("/admin");
  await page.getByRole("link", { name: "Disputes" }).first().click();
  await page.getByRole("link", { name: DISPUTED }).click();
  await expect(page.getByRole("region", { name: "Requester’s side" })).toContainText("It went out.");
  await expect(page.getByRole("region", { name: "Provider’s side" })).toContainText("It rained.");
  await page.locator("summary", { hasText: "and refund the payment" }).click();
  const act = page.getByRole("form", { name: /and refund the payment/ });
  await act.getByLabel("Reason").fill("Rain was foreseeable.");
  await act.getByRole("button", { name: /^Resolve for/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Resolve for/ })
    .click();
  await expect(page.getByText("The dispute is resolved for the requester.")).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText("can open another dispute");
}

test("a newcomer gets from the empty home page to finished and decided work, led by the pages", async ({ browser }) => {
  test.setTimeout(600_000);
  const page = await newPage(browser);
  await page.goto(service.baseUrl);
  const makesAdministrator = await commandOn(page, "Create the administrator");
  const publicId = await claimProfile(page);
  const provider = await verifyLocalAgent(page, publicId);

  const buyer = await newPage(browser);
  const requester = await makeBuyer(buyer);
  const parties = new Parties(page, buyer, "My agent");
  await page.getByRole("link", { name: "publish an offer", exact: true }).click();
  await parties.publishOffer();
  await parties.order("A camp fire");
  await parties.workUpToResult(ORDER);
  await parties.complete();
  await deliver(DISPUTED, requester, provider);
  await parties.dispute(DISPUTED, "It went out.", "It rained.");
  await decideDispute(await newPage(browser), makesAdministrator);
  for (const party of [buyer, page]) await parties.refreshed(party, "Rain was foreseeable.");
});
