import type { Page } from "playwright/test";
import { expectAccessible, expectAccessibleInBothSizes } from "./accessibility.ts";
import { accountOf, REHEARSAL, type Stage, test } from "./live.ts";
import { BASE, connect, expect, tab } from "./operator.ts";
import { refusalOf, tabTo } from "./owner.ts";

// One stage for all of them.
test.describe.configure({ mode: "default" });

/** Follows a link that opens a tab of its own, does something there, and closes it again. */
async function inItsTab(page: Page, link: string, act: (other: Page) => Promise<void>): Promise<void> {
  const [other] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: link }).click()]);
  await act(other);
  await other.close();
}

async function untilMoneySays(page: Page, text: RegExp): Promise<void> {
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).first().click();
    await expect(page.getByRole("region", { name: "Money" })).toContainText(text, { timeout: 1_500 });
  }).toPass();
}

test("a provider sets up its account, a requester pays at the checkout, and the money is followed to the bank", async ({
  page,
  stage,
  faults,
}) => {
  const { installation, stripe, alder, birch } = stage;
  await connect(page, birch);
  const main = page.getByRole("main");
  await expect(main).toContainText(REHEARSAL);
  const account = page.getByRole("region", { name: "Payment account" });
  await expect(account).toContainText("There is no payment account.");
  await expectAccessible(page);
  await account.getByLabel("E-mail").fill("operator@birch.example");
  await account.getByRole("button", { name: "Set up payment account" }).click();
  await inItsTab(page, "Continue at the payment processor", async (other) => {
    await other.getByRole("button", { name: "Submit details" }).click();
    await expect(other.getByRole("heading", { name: "Return from Stripe" })).toBeVisible();
  });
  await expect(async () => {
    await account.getByRole("button", { name: "Refresh" }).click();
    await expect(account).toContainText("The account can be paid out to its bank.", { timeout: 1_500 });
  }).toPass();
  await page.getByRole("button", { name: "Disconnect" }).click();

  await connect(page, alder);
  await tab(page, "New task");
  await expect(main).toContainText(REHEARSAL);
  await expect(page.getByRole("group", { name: "Mode" })).toContainText(
    "Paid by card with test money, at least £9.99 and at most £1,000.00. The platform keeps 10 %.",
  );
  await page.getByRole("radio", { name: /^LIVE/ }).check();
  await page.getByLabel("Brief").fill("For real money");
  await page.getByLabel("Budget in pounds").fill("5");
  await expect(page.getByRole("main")).toContainText("A LIVE task costs at least £9.99.");
  await page.getByRole("button", { name: "Post task" }).click();
  await expect(refusalOf(page)).toContainText(/req_/);
  faults.allowStatus(422);
  await page.getByLabel("Budget in pounds").fill("20.01");
  await expect(page.getByRole("main")).toContainText("the provider gets £18.00 and the platform keeps £2.01");
  await page.getByRole("button", { name: "Post task" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "For real money" })).toBeVisible();
  const task = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await installation.tasks.agree(alder, birch, task, 2_001);

  await untilMoneySays(page, /You pay\s*£20\.01\s*LIVE\s*Provider gets\s*£18\.00\s*Platform fee\s*£2\.01 \(10 %\)/);
  await page.getByRole("button", { name: "Prepare checkout" }).click();
  await expect(page.getByRole("link", { name: "Go to checkout" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Money" })).toContainText("You pay by card with test money");
  await expect(main).toContainText(REHEARSAL);
  await expectAccessible(page);
  await inItsTab(page, "Go to checkout", async (other) => {
    await expect(other.getByText("£20.01")).toBeVisible();
    await other.getByRole("button", { name: "Pay" }).click();
    await expect(other).toHaveURL(/\/payments\/return/);
  });
  await untilMoneySays(page, /Funded\s*£20\.01(?! simulated)/);
  await expect(page.getByRole("button", { name: "Prepare checkout" })).toHaveCount(0);

  await installation.tasks.step(birch, "start", task);
  await installation.tasks.step(birch, "submit", task, { result: "Done." });
  await installation.tasks.step(alder, "complete", task);
  await untilMoneySays(page, /Transferred\s*£18\.00/);
  await expect(page.getByRole("region", { name: "Money" })).toContainText(/Paid out\s*not/);
  stripe.payoutPaid(stripe.payout(accountOf(stage, birch)));
  await untilMoneySays(page, /Paid out\s*£18\.00/);
  await tab(page, "Settlements");
  await expect(page.getByRole("row", { name: /LIVE Requester/ })).toContainText("Paid out");

  await page.goto(`/tasks/${task}`);
  await expect(main).toContainText(REHEARSAL);
  await expectAccessible(page);
  await page.goto("/tasks");
  await expect(page.getByRole("complementary")).toContainText(
    `LIVE uses test money, once a payment is confirmed.${REHEARSAL}`,
  );
});

/** A LIVE agreement that waits for its money, and the address of its checkout. */
async function beginCheckout(stage: Stage): Promise<string> {
  const { installation, stripe, alder, birch } = stage;
  await installation.client.post("payments/account.php", { contact_email: "birch@example.org" }, birch);
  stripe.activate(accountOf(stage, birch));
  const task = await installation.tasks.post(alder, { brief: "Paid by card", budget: 1_250, mode: "LIVE" });
  const contract = await installation.tasks.agree(alder, birch, task, 1_250);
  const { payment } = await installation.client.post<{ payment: { checkout_url: string } }>(
    "payments/intent.php",
    { contract_id: contract.contract_id },
    alder,
    { "Idempotency-Key": contract.contract_id },
  );
  return payment.checkout_url;
}

/** Presses a button of the checkout, in a tab that nothing is asked of, and gives the address to which that leads. */
async function press(page: Page, checkout: string, button: string): Promise<string> {
  const other = await page.context().newPage();
  await other.goto(checkout);
  await other.getByRole("button", { name: button, exact: true }).click();
  await other.waitForURL(/\/payments\/return/);
  const address = other.url();
  await other.close();
  return address;
}

test("the page after a checkout shows what is recorded, whatever its address says", async ({ page, stage }) => {
  const checkout = await beginCheckout(stage);
  const left = await press(page, checkout, "Back");
  const heading = page.getByRole("heading", { level: 1 });
  const payment = new URL(left).searchParams.get("payment") ?? "";
  for (const claim of [
    left,
    `/payments/return?payment=${payment}`,
    `/payments/return?payment=${payment}&status=paid`,
  ]) {
    await page.goto(claim);
    await expect(heading).toHaveText("Payment not confirmed yet");
    await expect(page.getByRole("main")).toContainText(/Pending\s*£12\.50\s*LIVE/);
  }
  await expect(page.getByRole("main")).toContainText(REHEARSAL);
  await expectAccessibleInBothSizes(page);

  const paid = await press(page, checkout, "Pay");
  await expect(async () => {
    await tabTo(page, "a Check again");
    await page.keyboard.press("Enter");
    await expect(heading).toHaveText("Payment confirmed", { timeout: 1_500 });
  }).toPass();
  for (const claim of [paid, left]) {
    await page.goto(claim);
    await expect(heading).toHaveText("Payment confirmed");
    await expect(page.getByRole("main")).toContainText(/Succeeded\s*£12\.50\s*LIVE/);
    await expect(page.getByRole("link", { name: "Check again" })).toHaveCount(0);
  }
  await expectAccessibleInBothSizes(page);
  await tabTo(page, "button Copy the payment ID");
  await tabTo(page, "a service workspace");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(BASE);
});
