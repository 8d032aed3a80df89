import { createHash } from "node:crypto";
import type { Page } from "playwright/test";
import { BASE, connect, expect, section, tab, test } from "./operator.ts";
import { offer } from "./service/agents.ts";

/** Answers the question that a step asks. */
async function confirm(page: Page, label: string, action: string): Promise<void> {
  await page.getByRole("button", { name: label, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: action, exact: true }).click();
}

/** Reloads the task until its page says so. */
async function untilItSays(page: Page, text: string | RegExp): Promise<void> {
  await page.bringToFront();
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).first().click();
    await expect(page.getByRole("main")).toContainText(text, { timeout: 1_500 });
  }).toPass();
}

test("two operators take a task from its brief to settlement by hand, in two tabs", async ({
  page: requester,
  context,
  installation,
  faults,
}) => {
  const provider = await context.newPage();
  faults.watch(provider);
  await provider.clock.install();
  const skill = "word-count";
  const alder = await installation.agent("Alder");
  const birch = await installation.agent("Birch", { skills: [skill], health: "available" });
  const terms = { skill, description: "Counts words.", input: "A text.", output: "A number.", limits: "1 MB." };
  await offer(installation.client, birch, terms, 1_500);
  // As by hand: one of two tabs is in front, the other in the background.
  await provider.bringToFront();
  await connect(provider, birch);

  await requester.bringToFront();
  await connect(requester, alder);
  await tab(requester, "New task");
  await requester.getByLabel("Brief").fill("Count the words of chapter one\nOne number, on a line of its own.");
  await requester.getByLabel("Budget in pounds").fill("20");
  await expect(requester.getByRole("main")).toContainText("Of £20.00 the provider gets £18.00");
  await requester.getByLabel("Skill").fill(skill);
  await requester.getByRole("button", { name: `Select ${birch.name}` }).click();
  await expect(requester.getByLabel("Selected provider")).toHaveValue(birch.public_id);
  await requester.getByRole("button", { name: "Post task" }).click();
  await expect(requester.getByRole("heading", { level: 2, name: "Count the words of chapter one" })).toBeFocused();
  await expect(requester.getByRole("main")).toContainText(`Waiting for ${birch.name}`);
  const taskId = new URL(requester.url()).pathname.split("/").at(-1) ?? "";

  await provider.bringToFront();
  await tab(provider, "Inbox");
  await provider.clock.fastForward(16_500);
  await provider
    .getByRole("region", { name: "Selected for this service" })
    .getByRole("link", { name: "Count the words of chapter one" })
    .click();
  await expect(provider).toHaveURL(`${BASE}/tasks/${taskId}`);
  await provider.getByRole("button", { name: "Claim task", exact: true }).click();
  await expect(provider.getByRole("main")).toContainText(`Waiting for ${alder.name} to propose an agreement.`);

  await untilItSays(requester, "Propose an agreement");
  await requester.getByLabel("Scope").fill("Count the words of chapter one.");
  await requester.getByLabel("Acceptance criteria").fill("The number is right.\nThere is no other text.");
  await requester.getByLabel("Data").fill("Synthetic data only.");
  await requester.getByRole("button", { name: "Propose these terms" }).click();
  await confirm(requester, "Accept the agreement", "Accept these terms");
  await expect(requester.getByRole("main")).toContainText(`Waiting for ${birch.name} to accept the agreement.`);

  await untilItSays(
    provider,
    "Verified: your browser computed the hash of these terms, and it matches the recorded one.",
  );
  await expect(provider.getByRole("article", { name: "Agreement" })).toContainText("There is no other text.");
  await confirm(provider, "Accept the agreement", "Accept these terms");
  await expect(provider.getByRole("main")).toContainText("Start work is blocked.");
  await expect(provider.getByRole("main")).toContainText("The requester must start a TEST payment");

  await untilItSays(requester, "simulated payment of £20.00");
  await requester.getByRole("button", { name: "Simulate a declined card" }).click();
  await expect(requester.getByRole("main")).toContainText("Declined");
  await requester.getByRole("button", { name: "Simulate a successful payment" }).click();
  await expect(requester.getByRole("region", { name: "Money" })).toContainText(/Funded\s*£20\.00/);

  await untilItSays(provider, "Your turn: start work.");
  await confirm(provider, "Start work", "Start work");
  const evidence = Buffer.from("chapter one: 4711 words\n");
  await provider.getByLabel("Result", { exact: true }).fill("4,711 words in all");
  await provider
    .getByLabel("Evidence file")
    .setInputFiles({ name: "count.txt", mimeType: "text/plain", buffer: evidence });
  const hash = `sha256:${createHash("sha256").update(evidence).digest("hex")}`;
  await expect(provider.getByLabel("Evidence hash")).toHaveValue(hash);
  await provider.getByRole("button", { name: "Submit result" }).click();
  await expect(provider.getByRole("main")).toContainText(`Waiting for ${alder.name} to review the result.`);

  await untilItSays(requester, hash);
  await confirm(requester, "Complete", "Complete the task");
  await section(requester, "Money");
  await expect(requester.getByRole("region", { name: "Money" })).toContainText(/Transferred\s*£18\.00 simulated/);
  for (const page of [requester, provider]) {
    await page.bringToFront();
    await tab(page, "Settlements");
    const row = page.getByRole("row").filter({ hasText: "£20.00" }).last();
    await expect(row).toContainText(/£20\.00\s*£2\.00\s*£18\.00/);
  }
  await expect(requester.getByRole("row", { name: /Requester/ })).toContainText("Approved");

  await requester.bringToFront();
  await requester.goto(`/tasks/${taskId}`);
  await expect(requester.getByRole("region", { name: "Progress" })).toContainText("Completed");
  await expect(requester.getByRole("region", { name: "Money" })).toContainText(/Transferred\s*£18\.00 simulated/);
  expect(await requester.content()).not.toContain("words in all");
});
