import { BASE, expect, fillConnect, test } from "./operator.ts";
import { createProfile, fillSignIn, fillSignUp, somebody } from "./owner.ts";
import { makeAdministrator } from "./service/administrator.ts";

// A newcomer's walk with no hint but the pages themselves: from the empty home page to a verified agent, an order that is finished, and a
// disputed one that is decided with both sides heard.

test("a newcomer gets from the empty home page to finished and decided work, led by the pages", async ({
  page,
  browser,
  baseURL,
  installation,
}) => {
  test.setTimeout(600_000);
  // The owner's side: an account, a profile, a service identity whose domain is proved.
  await page.goto("/");
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.getByRole("link", { name: "Create one" }).click();
  await fillSignUp(page, somebody());
  await page.getByRole("link", { name: "Create a profile" }).click();
  const { publicId } = await createProfile(page, "Tinder");
  await page.getByRole("link", { name: /^Set up its service identity/ }).click();
  await page.getByLabel("Address of the service").fill("https://operators.test/tinder");
  await page.getByRole("button", { name: "Set up service identity" }).click();
  const panel = page.getByRole("region", { name: "Management token of Tinder" });
  const token = (await panel.locator("code").textContent()) ?? "";
  const proof = (await page.getByText(/^ghv_/).textContent()) ?? "";
  const address = `https://operators.test/.well-known/guildhall/${publicId}.txt`;
  await expect(page.getByText(address)).toBeVisible();
  installation.serveProof({ url: address, token: proof.trim() });
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("Verified: you control operators.test.")).toBeVisible();
  await panel.getByRole("button", { name: "I have stored it" }).click();

  // The operator's side, in the service workspace: a skill and an offer.
  const tinder = { public_id: publicId, management_token: token, name: "Tinder" };
  const work = await page.context().newPage();
  await work.goto(BASE);
  await fillConnect(work, tinder);
  await work.getByRole("link", { name: "publish an offer" }).click();
  await work.getByRole("textbox", { name: "Skills" }).fill("kindling");
  await work.getByRole("button", { name: "Save skills" }).click();
  await work.getByRole("button", { name: "New offer" }).click();
  for (const [label, text] of [
    ["Description", "Lights fires."],
    ["Input", "Wood."],
    ["Output", "A fire."],
    ["Limits", "One fire."],
    ["Price in pounds", "5"],
  ] as const)
    await work.getByRole("textbox", { name: label, exact: true }).fill(text);
  await work.getByRole("button", { name: "Publish offer" }).click();
  await expect(work.getByRole("heading", { level: 3, name: "kindling" })).toBeVisible();

  // Another operator orders it: once to be finished, once to be disputed.
  const alder = await installation.agent("Alder");
  const context = await browser.newContext({ baseURL });
  const buyer = await context.newPage();
  async function order(title: string): Promise<void> {
    await buyer.goto(`/agents/${publicId}`);
    await buyer.getByRole("link", { name: "Order this" }).click();
    await fillConnect(buyer, alder);
    await expect(buyer.getByLabel("Selected provider")).toHaveValue(publicId);
    await buyer.getByLabel("Title").fill(title);
    await buyer.getByLabel("Brief").fill(`${title}, by the evening.`);
    await buyer.getByRole("button", { name: "Post task" }).click();
    await expect(buyer.getByText("Waiting for Tinder")).toBeVisible();
  }
  /** In the other browser the task is under "Needs you now", which names the step. */
  async function takeUp(title: string): Promise<void> {
    await work.getByRole("link", { name: /^Overview/ }).click();
    await expect(async () => {
      await work.getByRole("region", { name: "Needs you now" }).getByRole("button", { name: "Refresh" }).click();
      await work.getByRole("link", { name: new RegExp(`: ${title}`) }).click({ timeout: 2_000 });
    }).toPass();
    await expect(work.getByText(/Your turn: /)).toBeVisible();
  }
  async function refreshed(page: typeof work, words: string | RegExp): Promise<void> {
    await expect(async () => {
      await page.getByRole("button", { name: "Refresh" }).first().click();
      await expect(page.getByText(words).first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
  }
  async function press(page: typeof work, name: string, confirm: string): Promise<void> {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: confirm }).click();
  }
  async function workUpToResult(title: string): Promise<void> {
    await order(title);
    await takeUp(title);
    await work.getByRole("button", { name: "Claim task" }).click();
    await refreshed(buyer, "Your turn: propose an agreement.");
    await buyer.getByLabel("Scope").fill("One fire.");
    await buyer.getByLabel("Data terms").fill("Nothing is kept.");
    await buyer.getByRole("button", { name: "Propose" }).click();
    await press(buyer, "Accept the agreement", "Accept these terms");
    await refreshed(work, /Your turn: read the agreement/);
    await press(work, "Accept the agreement", "Accept these terms");
    await refreshed(buyer, "Your turn: fund it.");
    await buyer.getByRole("button", { name: "Simulate a successful payment" }).click();
    await refreshed(work, "Your turn: start work.");
    await press(work, "Start work", "Start work");
    await expect(work.getByText("Your turn: submit a result.")).toBeVisible();
    await work.getByRole("textbox", { name: "Result", exact: true }).fill("It burns.");
    await work.getByRole("button", { name: "Submit result" }).click();
    await refreshed(buyer, "Your turn: review the result.");
  }
  await workUpToResult("A camp fire");
  await press(buyer, "Confirm completion", "Confirm completion");
  await expect(buyer.getByText("None. The task has ended.")).toBeVisible();

  await workUpToResult("A signal fire");
  await buyer.getByRole("button", { name: "Open a dispute" }).click();
  await buyer.getByRole("dialog").getByLabel("What is wrong").fill("It went out.");
  await buyer.getByRole("dialog").getByRole("button", { name: "Open the dispute" }).click();
  await expect(buyer.getByRole("region", { name: "Requester’s side" })).toContainText("It went out.");
  await work.getByRole("link", { name: /^Overview/ }).click();
  await refreshed(work, /Give your side of the dispute: A signal fire/);
  await work.getByRole("link", { name: /A signal fire/ }).click();
  await work.getByLabel("Your statement").fill("It rained.");
  await work.getByRole("button", { name: "Send statement" }).click();
  await expect(work.getByRole("region", { name: "Provider’s side" })).toContainText("It rained.");

  // The administrator signs in, sees both sides next to each other, and decides with a reason that both read.
  const administrator = await makeAdministrator(installation.service.dataDir);
  const hall = await (await browser.newContext({ baseURL })).newPage();
  await hall.goto("/sign-in");
  await fillSignIn(hall, administrator);
  await hall.waitForURL("/admin");
  await hall.getByRole("link", { name: "Disputes" }).first().click();
  await hall.getByRole("link", { name: "A signal fire" }).click();
  await expect(hall.getByRole("region", { name: "Requester’s side" })).toContainText("It went out.");
  await expect(hall.getByRole("region", { name: "Provider’s side" })).toContainText("It rained.");
  await hall.locator("summary", { hasText: "and refund the payment" }).click();
  const act = hall.getByRole("form", { name: /and refund the payment/ });
  await act.getByLabel("Reason").fill("Rain was foreseeable.");
  await act.getByRole("button", { name: /^Resolve for/ }).click();
  await hall
    .getByRole("dialog")
    .getByRole("button", { name: /^Resolve for/ })
    .click();
  await expect(hall.getByText("The dispute is resolved for the requester.")).toBeVisible();
  await expect(hall.getByRole("main")).not.toContainText("can open another dispute");
  for (const party of [buyer, work]) await refreshed(party, "Rain was foreseeable.");

  // The owner reads all of it without the token.
  await page.goto(`/workspace/agents/${publicId}/work`);
  await expect(page.getByRole("region", { name: "Tasks and agreements" })).toContainText("A camp fire");
  await page.getByRole("link", { name: "A signal fire" }).first().click();
  await expect(page.getByText("Rain was foreseeable.")).toBeVisible();
  await context.close();
});
