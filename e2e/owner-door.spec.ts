import { readFileSync } from "node:fs";
import type { Page } from "playwright/test";
import { expect, HOST, type Installation, test } from "./operator.ts";
import { actAsOwner, createProfile, fillSignIn, forgetSession, signUp } from "./owner.ts";
import { type Agent, offer, type Registered } from "./service/agents.ts";

/** An agent of the signed-in person, whose domain is verified. */
async function ownAgent(page: Page, installation: Installation, name: string): Promise<Agent> {
  const { publicId } = await createProfile(page, name);
  const service = { public_id: publicId, homepage_url: `https://${HOST}/${name.toLowerCase()}` };
  const own = await actAsOwner<Registered>(page, "community/", { action: "setup_service", ...service });
  await installation.prove(own);
  return { ...own, name };
}

test("an owner posts a task, accepts and completes without pasting a token, and signing out ends it in every tab", async ({
  page,
  context,
  installation,
  faults,
}) => {
  await signUp(page);
  const alder = await ownAgent(page, installation, "Alder");
  const birch = await installation.agent("Birch");
  const base = `/workspace/agents/${alder.public_id}`;
  const tabs = page.getByRole("navigation", { name: "Workspace" });
  await page.goto(base);
  await expect(page.getByRole("region", { name: "Set up" })).toContainText("Publish an offer");
  await expect(page.getByText("Nothing waits for you")).toHaveCount(0);
  await tabs.getByRole("link", { name: "New task" }).click();
  await page.getByLabel("Brief").fill("Count the herons");
  await page.getByLabel("Budget in pounds").fill("0");
  await page.getByRole("button", { name: "Post task" }).click();
  await page.waitForURL(new RegExp(`${base}/tasks/tsk_`));
  const taskId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await page.getByRole("navigation", { name: "Sections of the task" }).getByRole("link", { name: "Files" }).click();
  await expect(page.getByRole("region", { name: "Files" })).toBeVisible();
  await page
    .getByLabel("Add files to the brief")
    .setInputFiles({ name: "pond.txt", mimeType: "text/plain", buffer: Buffer.from("Eleven herons") });
  await expect(page.getByRole("region", { name: "Files" })).toContainText("from the requester, 13 bytes");
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download pond.txt" }).click(),
  ]);
  expect(readFileSync(await saved.path(), "utf8")).toBe("Eleven herons");

  await installation.tasks.step(birch, "claim", taskId);
  const contract = await installation.tasks.propose(alder, taskId, 0);
  await page.goto(`${base}/tasks/${taskId}`);
  await page.getByRole("button", { name: "Accept the agreement" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Accept these terms" }).click();
  await expect(page.getByRole("main")).toContainText("Waiting for");
  await installation.tasks.accept(birch, contract);
  await installation.tasks.step(birch, "start", taskId);
  await installation.tasks.step(birch, "submit", taskId, { result: "Eleven." });
  await page.reload();
  await page.getByRole("button", { name: "Complete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Complete the task" }).click();
  await expect(page.getByRole("main")).toContainText("The task has ended.");

  const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  expect(stored + (await page.content())).not.toContain("gha_");
  await tabs.getByRole("link", { name: "Settings" }).press("Enter");
  await expect(page).toHaveURL(`${base}/profile`);
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Webhook" }).press("Enter");
  await expect(page).toHaveURL(`${base}/webhook`);
  await expect(page.getByRole("main")).toContainText("need the agent’s management token");

  const other = await context.newPage();
  await other.goto("/workspace");
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.waitForURL((url) => url.pathname !== "/workspace");
  await tabs.getByRole("link", { name: "Tasks" }).click();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  faults.allow(/^401: /);
  faults.allow(/^console error: .*401/);
});

test("what a visitor types into an order survives signing in, and is sent as one of their agents", async ({
  page,
  installation,
}) => {
  const dyer = await installation.agent("Dyer", { skills: ["dyeing"] });
  const terms = { skill: "dyeing", description: "Dyes wool.", input: "Wool.", output: "Blue wool.", limits: "1 kg." };
  const offerId = await offer(installation.client, dyer, terms, 1_250);
  const person = await signUp(page);
  await ownAgent(page, installation, "Alder");
  await forgetSession(page);
  await page.goto(`/offers/${offerId}`);
  await page.getByRole("link", { name: "Order this" }).click();
  const text = page.getByLabel("What should be done");
  await text.fill("Dye this wool blue.");
  await page.getByRole("main").getByRole("link", { name: "Sign in", exact: true }).click();
  await fillSignIn(page, person);
  await expect(text).toHaveValue("Dye this wool blue.");
  await page.getByRole("link", { name: "Order as Alder" }).click();
  await expect(text).toHaveValue("Dye this wool blue.");
  await page.getByRole("button", { name: "Order for £12.50, simulated" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Order: dyeing" })).toBeVisible();
  await page.goto(`/offers/${offerId}`);
  await page.getByRole("link", { name: "Order as Alder" }).click();
  await expect(text).toHaveValue("");
});

test("a suspended identity has one banner in place of its pages, and an unknown address is not found", async ({
  page,
  installation,
  faults,
}) => {
  await signUp(page);
  const alder = await ownAgent(page, installation, "Alder");
  const base = `/workspace/agents/${alder.public_id}`;
  const error = { code: "identity_suspended", message: "This identity is suspended." };
  await page.route("**/agents/me.php*", (route) => route.fulfill({ status: 403, json: { ok: false, error } }));
  for (const place of ["", "/tasks", "/settlements"]) {
    await page.goto(base + place);
    await expect(page.getByRole("heading", { name: "Suspended" })).toBeVisible();
    await expect(page.getByRole("heading", { name: /Tasks|Settlements|Needs you now/ })).toHaveCount(0);
  }
  faults.allow(/^403: .*me\.php/);
  faults.allow(/^console error: .*403/);
  await page.goto(`${base}/nowhere`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("not found");
  faults.allow(/^404: /);
  faults.allow(/^console error: .*404/);
});

test("messages are answered and a side is stated in the inbox itself, and the count beside Workspace is that list's", async ({
  page,
  installation,
}) => {
  await signUp(page);
  const alder = await ownAgent(page, installation, "Alder");
  const birch = await installation.agent("Birch");
  const { tasks, client } = installation;
  const asked = await tasks.post(alder, { brief: "Asked about" });
  await client.post("jobs/message.php", { task_id: asked, body: "How many herons?" }, birch);
  const disputed = await tasks.post(alder, { brief: "Disputed" });
  await tasks.deliver(alder, birch, disputed, "Half.");
  await client.post("jobs/dispute.php", { task_id: disputed, reason: "It is whole." }, birch);

  await page.goto("/workspace/inbox");
  const needs = page.getByRole("region", { name: "Needs you now" });
  const rail = page.getByRole("banner").getByRole("link", { name: /^Workspace/ });
  await expect(needs.getByRole("listitem")).toHaveCount(2);
  await expect(rail.last()).toContainText("2");
  await needs.getByRole("button", { name: "Answer: Asked about" }).click();
  const answer = page.getByRole("dialog", { name: /Answer about/ });
  await expect(answer).toContainText("How many herons?");
  await answer.getByLabel("Your answer").fill("All of them.");
  await answer.getByRole("button", { name: "Send message" }).click();
  await expect(needs.getByRole("listitem")).toHaveCount(1);
  await needs.getByRole("button", { name: "State your side: Disputed" }).click();
  const side = page.getByRole("dialog", { name: /Your side/ });
  await expect(side).toContainText("It is whole.");
  await side.getByLabel("Your statement").fill("Half is missing.");
  await side.getByRole("button", { name: "Send statement" }).click();
  await expect(needs).toContainText("Nothing waits for you.");
  await expect(rail.last()).not.toContainText(/\d/);
});

test("an owner creates an access token for a program, sees it once, and removes it", async ({ page, installation }) => {
  await signUp(page);
  const alder = await ownAgent(page, installation, "Alder");
  await page.goto(`/workspace/agents/${alder.public_id}/access`);
  await page.getByLabel("Name").fill("Worker");
  await page.getByRole("checkbox", { name: /^Work as a provider/ }).check();
  await page.getByRole("button", { name: "Create access token" }).click();
  const panel = page.getByRole("region", { name: "Access token “Worker”" });
  const token = (await panel.locator("code").last().textContent()) ?? "";
  await panel.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByRole("region", { name: "Access tokens" })).toContainText("read, work");
  expect(await page.content()).not.toContain(token);
  await page.getByRole("button", { name: "Remove: Worker" }).click();
  await expect(page.getByRole("region", { name: "Access tokens" })).toContainText("There are none.");
});

test("an amount is approved in the inbox, and the agent can then agree to it", async ({ page, installation }) => {
  await signUp(page);
  const alder = await ownAgent(page, installation, "Alder");
  const birch = await installation.agent("Birch");
  await page.goto(`/workspace/agents/${alder.public_id}/limits`);
  await page.getByLabel("Ask me about amounts above, in pounds").fill("1");
  await page.getByRole("button", { name: "Save limits" }).click();
  await expect(page.getByText("Saved. The limits apply from now on.")).toBeVisible();
  const { tasks } = installation;
  const task = await tasks.post(alder, { brief: "Costly work", budget: 500 });
  await tasks.step(birch, "claim", task);
  await expect(tasks.propose(alder, task, 500)).rejects.toThrow(/403/);
  await page.goto("/workspace/inbox");
  const needs = page.getByRole("region", { name: "Needs you now" });
  await needs.getByRole("button", { name: "Approve: Costly work" }).click();
  const dialog = page.getByRole("dialog", { name: /^Approve £5.00/ });
  await dialog.getByRole("button", { name: /^Approve £5.00/ }).click();
  await expect(needs.getByRole("button", { name: "Approve: Costly work" })).toHaveCount(0);
  await tasks.propose(alder, task, 500);
});
