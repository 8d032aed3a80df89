import type { Locator, Page } from "playwright/test";
import { terms } from "#testing/requests.ts";
import { expectAccessibleInBothSizes } from "./accessibility.ts";
import { BASE, connect, expect, otherStep, section, tab, test } from "./operator.ts";

/** Presses a button with the keyboard, and confirms in the dialog that it opens. */
async function confirm(page: Page, button: Locator, title: RegExp, fill: Record<string, string> = {}) {
  await button.press("Enter");
  const dialog = page.getByRole("dialog", { name: title });
  for (const [label, text] of Object.entries(fill)) {
    await dialog.getByLabel(label).focus();
    await page.keyboard.insertText(text);
  }
  await dialog.getByRole("button").last().press("Enter");
  await expect(dialog).toBeHidden();
}

async function refreshUntil(page: Page, wanted: Locator) {
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).first().click();
    await expect(wanted).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

test("a task is quoted for, asked about, given to one provider on prepared terms, and given up, all by keyboard", async ({
  page,
  context,
  installation,
  faults,
}) => {
  const { client } = installation;
  const [alder, birch, fen] = [
    await installation.agent("Alder"),
    await installation.agent("Birch"),
    await installation.agent("Fen"),
  ];

  // The requester posts a task that is open to quotes.
  await connect(page, alder);
  await tab(page, "New task");
  const post = page.getByRole("region", { name: "New task" });
  await post.getByLabel("Brief").focus();
  await page.keyboard.insertText("Count the words of a letter of two pages");
  await post.getByLabel("Budget in pounds").focus();
  await page.keyboard.insertText("10");
  await post.getByLabel("Open to", { exact: true }).focus();
  await page.keyboard.press("Q");
  await expectAccessibleInBothSizes(page);
  await post.getByRole("button", { name: "Post task" }).press("Enter");
  await expect(page.getByText("Waiting for quotes from verified providers.")).toBeVisible();
  const task = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  // One provider asks and quotes in the workspace, another through the API.
  const provider = await context.newPage();
  faults.watch(provider);
  await connect(provider, birch, `${BASE}/tasks/${task}`);
  await section(provider, "Messages");
  await provider.getByLabel(`Message to ${alder.name}`).focus();
  await provider.keyboard.insertText("Do hyphenated words count as one?");
  await provider.getByRole("button", { name: "Send message" }).press("Enter");
  await expect(provider.getByRole("region", { name: "Messages", exact: true }).getByRole("listitem")).toHaveCount(1);
  await section(provider, "Work");
  const quotes = provider.getByRole("region", { name: "Your quotes" });
  for (const [amount, action] of [
    ["9", "Make quote"],
    ["8", "Replace quote"],
  ] as const) {
    await quotes.getByLabel("Amount in pounds").focus();
    await provider.keyboard.insertText(amount);
    await quotes.getByLabel("Note").focus();
    await provider.keyboard.insertText(`Counted twice, for £${amount}.`);
    await quotes.getByRole("button", { name: action }).press("Enter");
    await expect(quotes.getByRole("row").filter({ hasText: `£${amount}.00` })).toContainText("Live");
  }
  await expect(quotes.getByRole("row").filter({ hasText: "£9.00" })).toContainText("Replaced");
  await expectAccessibleInBothSizes(provider);
  await confirm(provider, quotes.getByRole("button", { name: "Withdraw" }), /Withdraw this quote/);
  await expect(quotes.getByRole("row").filter({ hasText: "£8.00" })).toContainText("Withdrawn");
  const quote = (own: typeof fen, pence: number) =>
    client.post("jobs/quote.php", { task_id: task, amount_pence: pence, note: "Counted by two readers." }, own);
  await quote(birch, 850);
  await quote(fen, 700);

  // The requester answers, compares the quotes and chooses the dearer one.
  const choice = page.getByRole("region", { name: "Quotes", exact: true });
  const row = choice.getByRole("row").filter({ hasText: birch.name });
  await refreshUntil(page, row.filter({ hasText: "Live" }));
  await section(page, "Messages");
  await page.getByLabel(`Message to ${birch.name}`).focus();
  await page.keyboard.insertText("Yes, as one.");
  await page.getByRole("button", { name: "Send message" }).press("Enter");
  await page.getByRole("button", { name: "Choose a quote" }).press("Enter");
  await expect(row.filter({ hasText: "Live" })).toContainText("operators.test");
  await expect(page.getByText("Your turn: choose a quote, or wait for others.")).toBeVisible();
  await expectAccessibleInBothSizes(page);
  const { scope, data_terms: data } = terms(0);
  await confirm(page, row.getByRole("button", { name: "Choose" }), /Choose the quote of £8.50 from “Birch/, {
    Scope: scope,
    "Acceptance criteria": "The number is right.",
    "Data terms": data,
  });
  await expect(row.filter({ hasText: "Chosen" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Prepared terms" })).toContainText("£8.50");

  // The claim proposes the prepared terms; the provider accepts them, sees how long it has, and gives up.
  const claim = provider.getByRole("button", { name: "Claim task" });
  await refreshUntil(provider, claim);
  await claim.press("Enter");
  await expect(provider.getByText(/You have until .* to accept\./)).toBeVisible();
  await confirm(provider, provider.getByRole("button", { name: "Accept the agreement" }), /£8.50/);
  await otherStep(provider, "Give up the work");
  await provider.getByRole("dialog").getByLabel("Reason").fill("The letter is illegible.");
  await provider.getByRole("dialog").getByRole("button", { name: "Give up the work" }).press("Enter");
  await expect(provider.getByText("The task has ended.")).toBeVisible();
  await refreshUntil(page, page.getByText("Just changed: Work given up by"));
});
