import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { enter } from "#stripe-stand-in/balance.ts";
import {
  assertAgreed,
  cashAtStripe,
  catchUp,
  completedLive,
  differing,
  fundedLive,
  liveService,
  workerContext,
} from "#testing/live.ts";
import { bookUnassigned, entriesOf, ledgerCash } from "./book-unassigned.ts";

const live = liveService({ settleSeconds: 0 });

async function account(name: string): Promise<number> {
  const { rows } = await pool().query(
    `SELECT coalesce(sum(amount_pence), 0)::int AS sum FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     WHERE t.settlement_id IS NULL AND e.account = $1::ledger_account`,
    [name],
  );
  return rows[0].sum;
}

test("after payments, transfers, refunds and chargebacks the ledger's cash is Stripe's whole balance", async () => {
  const [, refunded, disputed] = [await completedLive(live), await fundedLive(live), await fundedLive(live)];
  await catchUp(live);
  live.stripe.refund(refunded.intent, 500);
  live.stripe.openDispute(disputed.intent);
  await catchUp(live);
  await assertAgreed(live);
  assert.equal(await account("operator"), -1_000_000);
  assert.equal(await account("unassigned"), 0);
});

test("the platform's own payouts, top-ups and fees are booked once, as the operator's", async () => {
  const before = await account("operator");
  live.stripe.topUp(5_000);
  enter(live.stripe.world, { type: "payout", amountPence: -7_000, source: "po_1" });
  enter(live.stripe.world, { type: "stripe_fee", amountPence: -200, source: null });
  for (const _ of ["once", "twice"]) assert.deepEqual(await differing(), []);
  assert.equal(await account("operator"), before + 2_000);
  assert.equal(await account("stripe_fees"), 200);
  assert.equal(await ledgerCash(), cashAtStripe(live));
});

test("a charge that funded nothing is unassigned, until it turns out to be that of a payment", async () => {
  enter(live.stripe.world, { type: "charge", amountPence: 2_000, feePence: 50, source: "ch_late" });
  assert.deepEqual(await differing(), []);
  assert.equal(await account("unassigned"), -2_000);
  const { contractId } = await completedLive(live);
  const swap = (from: string, to: string) =>
    pool().query("UPDATE payments SET stripe_charge_id = $3 WHERE contract_id = $1 AND stripe_charge_id = $2", [
      contractId,
      from,
      to,
    ]);
  const { rows } = await pool().query("SELECT stripe_charge_id AS id FROM payments WHERE contract_id = $1", [
    contractId,
  ]);
  await swap(rows[0].id, "ch_late");
  await bookUnassigned(workerContext());
  assert.equal(await account("unassigned"), 0);
  await swap("ch_late", rows[0].id);
  assert.deepEqual(await differing(), []);
  assert.equal(await account("unassigned"), -2_000);
  assert.equal(await ledgerCash(), cashAtStripe(live));
});

test("a movement that Stripe does not list is a difference, until it is listed", async () => {
  const line = enter(live.stripe.world, { type: "topup", amountPence: 123, source: "tu_1" });
  line.created = 1_000;
  assert.deepEqual(await differing(), ["balance"]);
  const { rows } = await pool().query(
    "SELECT books, stripe FROM differences WHERE kind = 'balance' AND resolved_at IS NULL",
  );
  assert.equal(rows.length, 1);
  live.stripe.world.lines.delete(line.id);
  assert.deepEqual(await differing(), []);
});

test("money from before the first LIVE payment is the opening balance", async () => {
  await pool().query("DELETE FROM balance_readings");
  const line = enter(live.stripe.world, { type: "topup", amountPence: 900, source: "tu_2" });
  line.created = 1_000;
  assert.deepEqual(await differing(), []);
  const { rows } = await pool().query("SELECT opening_pence FROM balance_readings");
  assert.deepEqual(rows, [{ opening_pence: 900 }]);
});

test("the entries of a movement sum to zero", () => {
  for (const type of ["payout", "topup", "stripe_fee", "charge", "adjustment", "something_new"])
    for (const [amount, fee] of [
      [2_000, 50],
      [-2_000, 1_500],
      [-30, 0],
      [0, 0],
    ] as const) {
      const entries = entriesOf({ type, amount, fee, net: amount - fee });
      assert.equal(
        entries.reduce((sum, { amountPence }) => sum + amountPence, 0),
        0,
      );
      assert.notEqual(entries.length, 1);
    }
});
