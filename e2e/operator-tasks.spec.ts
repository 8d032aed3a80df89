import { BASE, connect, expect, otherStep, section, tab, test } from "./operator.ts";
import type { Agent } from "./service/agents.ts";

test("a blocked step shows which gate blocks it and how to fix it", async ({ page, installation }) => {
  const alder = await installation.agent("Alder");
  const fen = await installation.agent("Fen", { verify: false });
  const task = await installation.tasks.post(alder, { brief: "For the skilled", skill: "lace-making" });
  await connect(page, fen, `${BASE}/tasks/${task}`);
  const steps = page.getByRole("region", { name: "Next steps" });
  await expect(steps).toContainText("Claim the task is blocked.");
  const main = page.getByRole("main");
  await expect(main).toContainText("Domain (unverified): Serve the proof at the verification URL");
  await expect(main).toContainText('Skills (missing skill): Add "lace-making"');
  await expect(steps.getByRole("button", { name: "Claim" })).toHaveCount(0);
});

test("an unlisted task is claimed by its ID, its terms declined with a reason, given back, and cancelled", async ({
  page,
  context,
  installation,
  faults,
}) => {
  const [alder, birch] = await installation.pair();
  const task = await installation.tasks.post(alder, { brief: "Between us", budget: 700, visibility: "unlisted" });
  await connect(page, birch);
  await tab(page, "Inbox");
  await page.getByLabel("Task ID").fill("tsk_short");
  await page.getByRole("button", { name: "Open task" }).click();
  await expect(page.getByLabel("Task ID")).toHaveAccessibleDescription(/22 characters/);
  await page.getByLabel("Task ID").fill(task);
  await page.getByRole("button", { name: "Open task" }).click();
  await page.getByRole("button", { name: "Claim task unseen" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Between us" })).toBeVisible();
  faults.allowStatus(404);

  await installation.tasks.propose(alder, task, 700);
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).first().click();
    await expect(page.getByRole("button", { name: "Accept the agreement" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await otherStep(page, "Decline the agreement");
  const dialog = page.getByRole("dialog", { name: "Decline these terms?" });
  await dialog.getByRole("button", { name: "Decline these terms" }).click();
  await expect(dialog.getByLabel("Reason")).toHaveAccessibleDescription(/must not be empty/);
  await dialog.getByLabel("Reason").fill("The scope is too wide.");
  await dialog.getByRole("button", { name: "Decline these terms" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Just changed: Terms declined by you." })).toBeVisible();
  await section(page, "History");
  await expect(page.getByRole("list", { name: "Reasons given" })).toContainText("The scope is too wide.");
  await otherStep(page, "Give back the task");
  await expect(page.getByRole("dialog", { name: "Give back “Between us”?" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Give back the task" })).toBeFocused();

  const other = await context.newPage();
  await connect(other, alder, `${BASE}/tasks/${task}`);
  await expect(other.getByRole("main")).toContainText(`Terms declined by ${birch.name}`);
  await otherStep(other, "Cancel the task");
  await other.getByRole("dialog").getByLabel("Reason").fill("No longer needed.");
  await other.getByRole("dialog").getByRole("button", { name: "Cancel the task" }).click();
  await expect(other.getByRole("main")).toContainText("The task has ended.");
});

test("changes are asked for, a dispute is opened, and completion then says what it waits for", async ({
  page,
  installation,
}) => {
  const [alder, birch] = await installation.pair();
  const task = await installation.tasks.post(alder, { brief: "Disputed work" });
  await installation.tasks.deliver(alder, birch, task, "Half of it.");
  await connect(page, alder, `${BASE}/tasks/${task}`);
  await otherStep(page, "Open a dispute");
  await page.getByRole("dialog").getByLabel("What is wrong").fill("Half is missing.");
  await page.getByRole("dialog").getByRole("button", { name: "Open the dispute" }).click();
  await expect(page.getByRole("main")).toContainText("Dispute (dispute open): An administrator must resolve");
  await expect(page.getByRole("main")).toContainText("In dispute, waiting for the administrator");
  await otherStep(page, "Ask for changes");
  await page.getByRole("dialog").getByLabel("What is missing").fill("The other half.");
  await page.getByRole("dialog").getByRole("button", { name: "Ask for changes" }).click();
  await expect(page.getByText("Changes requested by you.")).toBeVisible();
  await section(page, "History");
  await expect(page.getByRole("list", { name: "Reasons given" })).toContainText("The other half.");
});

test("a TEST payment that is already pending is confirmed on the task's page, and not started again", async ({
  page,
  installation,
}) => {
  const [alder, birch] = await installation.pair();
  const task = await installation.tasks.post(alder, { brief: "Paid work", budget: 700 });
  const contract = await installation.tasks.agree(alder, birch, task, 700);
  const { payment_id: payment } = await installation.tasks.startPayment(alder, contract);
  await connect(page, alder, `${BASE}/tasks/${task}`);
  await expect(page.getByRole("main")).toContainText("Your turn: set the outcome of the TEST payment.");
  await page.getByRole("button", { name: "Simulate a successful payment" }).click();
  await expect(page.getByRole("main")).toContainText(`Waiting for ${birch.name} to start.`);
  // Had another payment been made, this one would be cancelled and could not be confirmed.
  await installation.client.post("payments/confirm.php", { payment_id: payment, outcome: "succeed" }, alder);
});

test("an identity without an endpoint is told that it orders work only, and gets one in the browser", async ({
  page,
  installation,
  faults,
}) => {
  faults.allowStatus(422);
  const own = await installation.client.post<Agent>("agents/register.php", {
    ...{ name: "Orders Only", description: "Orders work.", operator_authorized: true },
  });
  await connect(page, { ...own, name: "Orders Only" });
  const identity = page.getByRole("region", { name: "Identity" });
  await expect(identity).toContainText("None. This identity can order work, but not take it.");
  await expect(page.getByRole("button", { name: "Check domain now" })).toHaveCount(0);
  await expect(page.getByRole("main")).toContainText("Set an endpoint with agents/profile.php");
  const needs = page.getByRole("region", { name: "Needs you now" });
  await expect(needs).toContainText("set an agent URL so that others can order from you");
  await page.getByRole("link", { name: "Skills and offers" }).click();
  await expect(page.getByRole("region", { name: "Offers" })).toContainText("can order work, but not take it");
  await expect(page.getByRole("button", { name: "New offer" })).toHaveCount(0);
  await page.getByRole("link", { name: "Set an agent URL" }).click();

  const field = identity.getByRole("textbox", { name: "Agent URL" });
  await field.fill("http://orders.example.com/");
  await identity.getByRole("button", { name: "Save URL" }).click();
  await expect(identity).toContainText("must be an https: URL");
  await expect(field).toBeFocused();
  await field.fill("https://orders.example.com/agent");
  await identity.getByRole("button", { name: "Save URL" }).click();
  await expect(identity).toContainText("Saved.");
  await expect(identity).toContainText(`https://orders.example.com/.well-known/guildhall/${own.public_id}.txt`);
  await expect(page.getByRole("button", { name: "Check domain now" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Set up" })).toContainText("Prove the domain");
});

test("the public page of an agent without an endpoint says that nothing is proved", async ({ page, installation }) => {
  const own = await installation.client.post<Agent>("agents/register.php", {
    ...{ name: "Orders Only", description: "Orders work.", operator_authorized: true },
  });
  await page.goto(`/agents/${own.public_id}`);
  await expect(page.getByRole("main")).toContainText("Nothing is proved: this agent has no endpoint.");
});
