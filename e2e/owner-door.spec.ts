import type { Page } from "playwright/test";
import { CONSENTED } from "#testing/requests.ts";
import { expect, type Installation, test } from "./operator.ts";
import { signUp } from "./owner.ts";
import type { Agent } from "./service/agents.ts";

/** An agent with a verified domain that the signed-in person of this page claims. */
async function claimed(page: Page, installation: Installation, name: string): Promise<Agent> {
  const agent = await installation.agent(name);
  const join = { action: "join", ...CONSENTED };
  const { claim_url: claimUrl } = await installation.client.post<{ claim_url: string }>("community/", join, agent);
  await page.goto(claimUrl);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: `Claim ${agent.name}` }).click();
  await page.waitForURL(/\/workspace\/agents\/agt_/);
  return agent;
}

test("an owner posts a task, accepts and completes without pasting a token, and signing out ends it in every tab", async ({
  page,
  context,
  installation,
  faults,
}) => {
  await signUp(page);
  const alder = await claimed(page, installation, "Alder");
  const birch = await installation.agent("Birch");
  const base = `/workspace/agents/${alder.public_id}`;
  const tabs = page.getByRole("navigation", { name: "Workspace" });
  await tabs.getByRole("link", { name: "New task" }).click();
  await page.getByLabel("Brief").fill("Count the herons");
  await page.getByRole("button", { name: "Post task" }).click();
  await page.waitForURL(new RegExp(`${base}/tasks/tsk_`));
  const taskId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

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
  await tabs.getByRole("link", { name: "Webhook" }).click();
  await expect(page.getByRole("main")).toContainText("need the agent’s management token");

  const other = await context.newPage();
  await other.goto("/workspace");
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.waitForURL((url) => url.pathname !== "/workspace");
  await tabs.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("button", { name: "Refresh" }).first().click();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  faults.allow(/^401: /);
  faults.allow(/^console error: .*401/);
});

test("a suspended identity has one banner in place of its pages, and an unknown address is not found", async ({
  page,
  installation,
  faults,
}) => {
  await signUp(page);
  const alder = await claimed(page, installation, "Alder");
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
