import type { Page } from "playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { beginAct, signInAsAdministrator } from "./admin.ts";
import { accountOf, REHEARSAL, type Stage, test as staged } from "./live.ts";
import { BASE, connect, expect } from "./operator.ts";
import { tabTo } from "./owner.ts";
import { type Administrator, makeAdministrator } from "./service/administrator.ts";
import type { Agent } from "./service/agents.ts";
import { runCommand } from "./service/command.ts";

const test = staged.extend<{ administrator: Administrator }>({
  administrator: async ({ stage }, use) => use(await makeAdministrator(stage.installation.service.dataDir)),
});

/** Reloads a page until it shows the expected text. */
async function until(page: Page, address: string, check: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    await check();
  }).toPass();
}

/** An accepted LIVE agreement over £20.01 with a provider who can be paid, and the checkout that waits for its card. */
async function agree(stage: Stage) {
  const { installation, stripe, alder, birch } = stage;
  const task = await installation.tasks.post(alder, {
    brief: "Count the buoys of the estuary",
    budget: 2_001,
    mode: "LIVE",
  });
  const contract = await installation.tasks.agree(alder, birch, task, 2_001);
  await installation.client.post("payments/account.php", { contact_email: "birch@example.org" }, birch);
  const account = accountOf(stage, birch);
  stripe.activate(account);
  const payment = await installation.tasks.startPayment(alder, contract);
  const session = [...stripe.world.sessions.values()].find((each) => each.client_reference_id === payment.payment_id);
  return { task, account, checkout: session?.id ?? "", settlement: session?.metadata?.guildhall_settlement ?? "" };
}

/** Runs the reconciliation by command, as the operator does. @returns the kinds of its differences */
async function reconcile({ installation, variables }: Stage): Promise<string[]> {
  const { said } = await runCommand(["reconcile.ts"], { ...variables, DATA_DIR: installation.service.dataDir });
  const { differences } = JSON.parse(said) as { differences: { kind: string }[] };
  return differences.map(({ kind }) => kind).sort();
}

test("an administrator sees a LIVE payment through a failed webhook, a held transfer and a reconciliation difference", async ({
  page,
  stage,
  administrator,
}) => {
  const { installation, stripe, alder, birch } = stage;
  const { task, account, checkout, settlement } = await agree(stage);
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAsAdministrator(page, administrator);

  await test.step("an event that could not be looked into is tried again, by keyboard", async () => {
    stripe.fail({ kind: "500", call: "GET /v1/*", when: "before", times: Number.POSITIVE_INFINITY });
    stripe.pay(checkout);
    const event = page.getByRole("listitem").filter({ hasText: "checkout.session.completed" });
    await until(page, "/admin/events?state=failed", () => expect(event).toContainText("Stripe: ", { timeout: 500 }));
    await expectAccessible(page);
    const id = (await event.locator("code").first().textContent()) ?? "";
    // While it is tried once more, its job is not among these.
    const job = page.getByRole("listitem").filter({ hasText: id }).getByRole("link");
    await until(page, "/admin/jobs?state=failing", () => expect(job).toBeVisible({ timeout: 500 }));
    await job.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^process-event /);
    await expect(page.getByRole("region", { name: "Last error" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: id }).click();
    await page.waitForURL(`/admin/events/${id}`);
    await page.getByRole("link", { name: "Skip to content" }).press("Enter");
    await tabTo(page, "summary Process the event again");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Stripe answers again.");
    await tabTo(page, "button Process this event again");
    stripe.heal();
    await page.keyboard.press("Enter");
    await expect(page.getByText("The event will be processed again in a moment.")).toBeFocused();
    await until(page, `/admin/events/${id}`, () =>
      expect(page.getByRole("definition").first()).toHaveText("Processed", { timeout: 500 }),
    );
    await expect(page.getByRole("listitem").filter({ hasText: "Stripe answers again." })).toContainText(
      "Event retried",
    );
    await page.goto(`/admin/settlements/${settlement}`);
    await expect(page.getByRole("region", { name: "Money" })).toContainText(/Funded\s*£20\.01/);
  });

  await test.step("a transfer waits for the provider's account, then for the administrator, who lets it go", async () => {
    await installation.tasks.step(birch, "start", task);
    await installation.tasks.step(birch, "submit", task, { result: "Forty-one." });
    stripe.restrict(account);
    await installation.tasks.step(alder, "complete", task);
    const row = page.getByRole("listitem").filter({ hasText: settlement });
    const says = (text: string | RegExp) => expect(row).toContainText(text, { timeout: 500 });
    await until(page, "/admin/transfers", () => says("Transfers are restricted."));

    await page.goto(`/admin/identities/${birch.public_id}`);
    await (await beginAct(page, "Hold", "Two complaints today.")).getByRole("button").click();
    await expect(page.getByText(`${birch.name} is held.`)).toBeVisible();
    stripe.activate(account);
    const held = "The provider is on hold. Ask the administrator of this service.";
    await until(page, "/admin/transfers", () =>
      expect(row.locator("ul").getByRole("listitem")).toHaveText([held], { timeout: 500 }),
    );
    await expectAccessible(page);
    await row.getByRole("link").click();
    await expect(page.getByRole("region", { name: "Money" })).toContainText(held);
    await expectAccessible(page);
    const asParty = async (party: Agent) => {
      await connect(page, party, `${BASE}/tasks/${task}#money`);
      await expect(page.getByRole("region", { name: "Money" })).toContainText(held);
      await expectAccessible(page);
    };
    await asParty(alder);
    await page.goto("/");
    await asParty(birch);

    await page.goto(`/admin/identities/${birch.public_id}`);
    await (await beginAct(page, "Lift the hold", "Both were mistaken.")).getByRole("button").click();
    await expect(page.getByText(`The hold on ${birch.name} is lifted.`)).toBeVisible();
    await until(page, "/admin/transfers", () =>
      expect(page.getByText("No transfers are waiting.")).toBeVisible({ timeout: 500 }),
    );
  });

  await test.step("the money page shows what Stripe has, and gives the month's files", async () => {
    expect(await reconcile(stage)).toEqual([]);
    await page.goto("/admin/money");
    await expect(page.getByText("Stripe’s balance covers what is owed.")).toBeVisible();
    await expect(page.getByText(/, the same as at Stripe$/)).toBeVisible();
    await expectAccessible(page);
    const month = new Date().toISOString().slice(0, 7);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: `Ledger of ${month}` }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`guildhall-ledger-${month}.csv`);
    const figures = await page.request.get("/admin/money/figures.json");
    expect(await figures.json()).toMatchObject({ ok: true, money: { live: true, payout_problem: null } });
  });

  await test.step("money that somebody moved at Stripe is reported until it is back", async () => {
    const [charge] = [...stripe.world.charges.values()];
    const foreign = await stripe.client().transfers.create({
      amount: 100,
      currency: "gbp",
      destination: account,
      source_transaction: charge?.id ?? "",
      transfer_group: settlement,
    });
    expect(await reconcile(stage)).toEqual(["cash", "unknown_transfer"]);
    await page.goto("/admin");
    await expect(page.getByRole("main")).toContainText(REHEARSAL);
    await page.getByRole("main").getByRole("link", { name: "Reconciliation" }).click();
    const open = page.getByRole("region", { name: "Open differences" }).getByRole("listitem");
    await expect(open.filter({ hasText: foreign.id })).toContainText("reverse it in Stripe's dashboard");
    await expect(open.filter({ hasText: "Amount received" })).toContainText(/Ledger: £1\.51\s*Stripe: £0\.51/);
    await expectAccessible(page);
    await open.getByRole("link", { name: settlement }).first().click();
    await page.waitForURL(`/admin/settlements/${settlement}`);
    stripe.reverse(foreign.id);
    expect(await reconcile(stage)).toEqual([]);
    await page.goto("/admin/reconciliation");
    await expect(page.getByText("No open differences between the ledger and Stripe.")).toBeVisible();
  });
});
