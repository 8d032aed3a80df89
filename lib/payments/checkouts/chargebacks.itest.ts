import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { readMoney } from "#lib/admin/page-reads/money.ts";
import { pool } from "#lib/db/client.ts";
import {
  assertAgreed,
  catchUp,
  completedLive,
  holdsOf,
  type LiveWork,
  liveService,
  settlementOf,
  workerContext,
} from "#testing/live.ts";
import { reconcile } from "../reconciliation/reconcile.ts";

const live = liveService({ settleSeconds: 0 });

const FEE = 2_000;

/** What the ledger says of a settlement's chargebacks: gone, fees. */
async function bookedOf({ contractId }: LiveWork): Promise<[gonePence: number, feePence: number]> {
  const { rows } = await pool().query(
    `SELECT coalesce(-sum(e.amount_pence) FILTER (WHERE t.kind IN ('chargeback', 'chargeback_won') AND e.account = 'cash'), 0)::int AS gone,
       coalesce(sum(e.amount_pence) FILTER (WHERE e.account = 'dispute_fees'), 0)::int AS fees
     FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id JOIN settlements s ON s.id = t.settlement_id
     WHERE s.contract_id = $1`,
    [contractId],
  );
  return [rows[0].gone, rows[0].fees];
}

let work: LiveWork & { intent: string };
beforeEach(async () => {
  work = await completedLive(live);
});

test("a prevented dispute that took the money holds the transfer and is booked as gone", async () => {
  live.stripe.openDispute(work.intent, { decided: "prevented" });
  await catchUp(live);
  assert.deepEqual(await bookedOf(work), [2_001, FEE]);
  assert.deepEqual(await holdsOf(work), ["chargeback"]);
  assert.equal((await settlementOf(work)).disputed_pence, 2_001);
  await assertAgreed(live);
});

test("a prevented dispute that took nothing holds nothing", async () => {
  live.stripe.openDispute(work.intent, { decided: "prevented", takenPence: 0 });
  await catchUp(live);
  assert.deepEqual(await bookedOf(work), [0, 0]);
  assert.equal((await settlementOf(work)).transfer, "sent");
  await assertAgreed(live);
});

test("a dispute that is won for half is booked for half, and holds the transfer until somebody decides", async () => {
  const { id } = live.stripe.openDispute(work.intent);
  await catchUp(live);
  assert.deepEqual(await bookedOf(work), [2_001, FEE]);
  live.stripe.closeDispute(id, "won", 1_000);
  await catchUp(live);
  assert.deepEqual(await bookedOf(work), [1_001, FEE]);
  assert.equal((await settlementOf(work)).disputed_pence, 1_001);
  assert.deepEqual(await holdsOf(work), ["chargeback"]);
  await assertAgreed(live);
});

test("more, or less, than is disputed can be taken: what was taken is booked", async () => {
  live.stripe.openDispute(work.intent, { takenPence: 2_150 });
  const less = await completedLive(live);
  live.stripe.openDispute(less.intent, { takenPence: 500 });
  await catchUp(live);
  assert.deepEqual(await bookedOf(work), [2_150, FEE]);
  assert.equal((await settlementOf(work)).disputed_pence, 2_150);
  assert.deepEqual(await bookedOf(less), [500, FEE]);
  assert.equal((await settlementOf(less)).disputed_pence, 2_001, "while it is open, the rest may still go");
  await assertAgreed(live);
});

test("a dispute that is lost, appealed and won in the end is booked back", async () => {
  const { id } = live.stripe.openDispute(work.intent);
  live.stripe.closeDispute(id, "lost");
  await catchUp(live);
  live.stripe.appealDispute(id);
  await catchUp(live);
  assert.deepEqual([await bookedOf(work), await holdsOf(work)], [[2_001, FEE], ["chargeback"]]);
  live.stripe.closeDispute(id, "won");
  await catchUp(live);
  assert.deepEqual(await bookedOf(work), [0, FEE]);
  assert.equal((await settlementOf(work)).transfer, "sent");
  await assertAgreed(live);
});

for (const isListed of [true, false])
  test(`the fee for answering a dispute, which the dispute ${isListed ? "lists" : "does not list"}, is a fee and no loss`, async () => {
    const { id } = live.stripe.openDispute(work.intent);
    live.stripe.counterDispute(id, isListed);
    await catchUp(live);
    assert.deepEqual(await bookedOf(work), [2_001, isListed ? 2 * FEE : FEE]);
    await assertAgreed(live);
    live.stripe.closeDispute(id, "won");
    await catchUp(live);
    assert.deepEqual(await bookedOf(work), [0, FEE]);
    await assertAgreed(live);
  });

test("a fee that comes, goes and comes again is booked each time", async () => {
  const { id } = live.stripe.openDispute(work.intent);
  const dispute = live.stripe.world.disputes.get(id) ?? assert.fail();
  const { balance_transactions: lines } = dispute;
  await catchUp(live);
  for (const pence of [-700, 700, -700, 700, -700]) {
    lines.push({
      ...(lines[0] ?? assert.fail()),
      id: `txn_${lines.length}`,
      type: "stripe_fee",
      amount: pence,
      fee: 0,
    });
    await reconcile(workerContext());
  }
  assert.deepEqual(await bookedOf(work), [2_001, FEE + 700]);
  lines.splice(1);
  await reconcile(workerContext());
  await assertAgreed(live);
});

test("every chargeback is listed for the operator once, open ones first, whatever their status", async () => {
  const others = [await completedLive(live), await completedLive(live)];
  const [won, lost] = others;
  assert.ok(won && lost);
  const open = live.stripe.openDispute(work.intent).id;
  const closed = [live.stripe.openDispute(lost.intent, { decided: "lost" }).id, live.stripe.openDispute(won.intent).id];
  live.stripe.closeDispute(closed[1] ?? "", "won");
  await catchUp(live);
  const { chargebacks } = await readMoney(new Date());
  const ids = chargebacks.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const place = (id: string) => ids.indexOf(id);
  assert.ok(place(open) >= 0 && closed.every((id) => place(id) > place(open)), ids.join());
  assert.deepEqual(
    chargebacks.flatMap(({ id, isOver, gonePence }) =>
      id === open || closed.includes(id) ? [[isOver, gonePence]] : [],
    ),
    [
      [false, 2_001],
      [true, 2_001],
      [true, 0],
    ],
  );
});
