import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { readTotals } from "#lib/admin/page-reads/settlements.ts";
import { pool } from "#lib/db/client.ts";
import { admin, reason } from "#testing/administrator.ts";
import { callAs, type TestAgent } from "#testing/factories.ts";
import {
  balancesOf,
  catchUp,
  completedLive,
  differing,
  fundedLive,
  holdsOf,
  type LiveWork,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
} from "#testing/live.ts";
import { statementsAbout } from "#testing/log/statements.ts";
import { disputed } from "#testing/money-acts.ts";
import { reconcile } from "../reconciliation/reconcile.ts";

const live = liveService();

/** What both parties read about money that went back. */
async function lostOf(work: LiveWork): Promise<[refunded: number, disputed: number]> {
  const [one, other] = [await settlementOf(work, work.requester), await settlementOf(work, work.provider)];
  assert.deepEqual(one, other);
  return [one.refunded_pence, one.disputed_pence];
}

async function totalsOf(agent: TestAgent) {
  return (await callAs<{ totals: { LIVE: object } }>(agent, "GET", "/api/v1/settlements/mine.php")).body.totals.LIVE;
}

/** The refunds and chargebacks that the transparency log states, with their amounts. */
async function statedOf({ taskId }: LiveWork): Promise<[event: string, pence: unknown][]> {
  const stated = await statementsAbout(taskId, /^payment\.(refunded|disputed)$/);
  return stated.map(({ event, facts }) => [event, facts.amount_pence]);
}

/** The events that both parties get about the same, with the status of each. */
async function announcedOf({ taskId }: LiveWork): Promise<[type: string, status: string][]> {
  const { rows } = await pool().query(
    `SELECT type, coalesce(event_data ->> 'refund_status', event_data ->> 'chargeback_status') AS status FROM audit_events
     WHERE task_id = $1 AND type IN ('payment.refunded', 'payment.disputed') ORDER BY seq`,
    [taskId],
  );
  return rows.map(({ type, status }) => [type, status]);
}

/** A funded deal that a dispute has ended for the requester. */
async function voided(): Promise<LiveWork & { intent: string }> {
  const work = await fundedLive(live);
  await resolveDispute(admin, { disputeId: await disputed(work), resolution: "requester", reason });
  return work;
}

test("a refund that fails after it succeeded is booked back, and the transfer that it held is sent", async () => {
  const work = await completedLive(live);
  const refund = live.stripe.refund(work.intent);
  await catchUp(live);
  assert.deepEqual(await lostOf(work), [2_001, 0]);
  assert.deepEqual(await balancesOf(work), {});
  live.stripe.failRefund(refund.id);
  await catchUp(live);
  assert.deepEqual(await lostOf(work), [0, 0]);
  assert.equal((await settlementOf(work)).transfer, "sent");
  assert.deepEqual(await balancesOf(work), { cash: 201, platform_fees: -201 });
  assert.deepEqual(await statedOf(work), [["payment.refunded", 2_001]]);
});

test("the log states a refund once it has succeeded; the feed has every status", async () => {
  const work = await voided();
  const fails = live.stripe.refund(work.intent, undefined, "pending");
  await catchUp(live);
  live.stripe.failRefund(fails.id);
  await catchUp(live);
  assert.deepEqual(await statedOf(work), []);
  const succeeds = live.stripe.refund(work.intent, undefined, "pending");
  await catchUp(live);
  assert.deepEqual(await statedOf(work), []);
  live.stripe.settleRefund(succeeds.id);
  await catchUp(live);
  assert.deepEqual(await statedOf(work), [["payment.refunded", 2_001]]);
  assert.deepEqual(
    await announcedOf(work),
    ["pending", "failed", "pending", "succeeded"].map((status) => ["payment.refunded", status]),
  );
});

test("an inquiry holds the transfer and takes nothing until it becomes a chargeback, which is when the log states it", async () => {
  const work = await completedLive(live);
  const dropped = live.stripe.openDispute(work.intent, { inquiry: true });
  await catchUp(live);
  assert.deepEqual([await holdsOf(work), await lostOf(work)], [["chargeback"], [0, 2_001]]);
  assert.equal((await balancesOf(work)).cash, 2_001);
  live.stripe.closeInquiry(dropped.id);
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "sent");
  assert.deepEqual([await statedOf(work), await lostOf(work)], [[], [0, 0]]);
  const inquiry = live.stripe.openDispute(work.intent, { inquiry: true });
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), { cash: 201, platform_fees: -201 });
  live.stripe.escalateInquiry(inquiry.id);
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), { cash: -1_800, chargebacks: 1_800 });
  assert.deepEqual(await statedOf(work), [["payment.disputed", 2_001]]);
  live.stripe.closeDispute(inquiry.id, "won");
  await catchUp(live);
  assert.deepEqual(await statedOf(work), [["payment.disputed", 2_001]]);
  assert.deepEqual((await announcedOf(work)).length, 5);
});

test("a refund that failed without an event is found by reconciliation, and is due again", async () => {
  const work = await voided();
  const refund = live.stripe.refund(work.intent);
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), {});
  live.stripe.failRefund(refund.id);
  const { differences, waiting } = await reconcile(workerContext());
  assert.deepEqual([differences, waiting.map(({ kind }) => kind)], [[], ["refund_due"]]);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, refund_due: -2_001 });
  live.stripe.refund(work.intent);
  assert.deepEqual((await reconcile(workerContext())).waiting, []);
});

for (const start of ["pending", "waits_for_balance"] as const)
  test(`a refund is due until it has arrived, while it ${start === "pending" ? "is pending" : "waits for balance"}`, async () => {
    const work = await voided();
    const refund = live.stripe.refund(work.intent, undefined, start);
    await catchUp(live);
    const { differences, waiting } = await reconcile(workerContext());
    assert.deepEqual([differences, waiting.map(({ kind }) => kind)], [[], ["refund_due"]]);
    assert.match(waiting[0]?.stripe ?? "", /a refund of £20\.01 is pending/);
    assert.equal((await balancesOf(work)).refund_due, -2_001);
    assert.deepEqual(await lostOf(work), [2_001, 0]);
    live.stripe.settleRefund(refund.id);
    await catchUp(live);
    assert.deepEqual(await balancesOf(work), {});
    assert.deepEqual((await reconcile(workerContext())).waiting, []);
    live.stripe.failRefund(refund.id);
    await catchUp(live);
    assert.deepEqual(await balancesOf(work), { cash: 2_001, refund_due: -2_001 });
    live.stripe.refund(work.intent);
    await catchUp(live);
  });

test("a deal that is reversed and refunded leaves nothing payable and no revenue, in books and totals", async () => {
  const whole = {
    count: 1,
    gross_pence: 2_001,
    fee_pence: 201,
    net_pence: 1_800,
    refunded_pence: 0,
    disputed_pence: 0,
  };
  const work = await completedLive(live);
  await catchUp(live);
  for (const party of [work.requester, work.provider]) assert.deepEqual(await totalsOf(party), whole);
  live.stripe.refund(work.intent);
  await catchUp(live);
  const refunded = { ...whole, gross_pence: 0, fee_pence: 0, refunded_pence: 2_001 };
  assert.deepEqual(await totalsOf(work.provider), refunded, "what the provider has received is still theirs");
  live.stripe.reverse(transfersOf(live, work)[0]?.id ?? "");
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), {});
  const settlement = await settlementOf(work);
  assert.deepEqual([settlement.net_pence, settlement.earned_pence, settlement.transfer], [1_800, 0, "reversed"]);
  for (const party of [work.requester, work.provider])
    assert.deepEqual(await totalsOf(party), { ...refunded, net_pence: 0 });
  const { LIVE } = await readTotals({ q: settlement.settlement_id, limit: 1 });
  assert.deepEqual(LIVE, { count: 1, grossPence: 0, feePence: 0, netPence: 0 });
});

test("Stripe's fees for the charge and for a dispute are booked, and stay when the dispute is won", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  live.stripe.closeDispute(live.stripe.openDispute(work.intent).id, "won");
  await catchUp(live);
  const { rows } = await pool().query(
    `SELECT account, sum(amount_pence)::int AS pence FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     JOIN settlements s ON s.id = t.settlement_id WHERE contract_id = $1 AND account IN ('cash', 'stripe_fees', 'dispute_fees')
     GROUP BY 1 ORDER BY 1`,
    [work.contractId],
  );
  assert.deepEqual(rows, [
    { account: "cash", pence: 201 - 50 - 2_000 },
    { account: "stripe_fees", pence: 50 },
    { account: "dispute_fees", pence: 2_000 },
  ]);
  assert.ok(!(await differing()).includes("cash"));
});

test("books that an earlier version did not unwind are corrected once by reconciliation", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  live.stripe.refund(work.intent);
  live.stripe.reverse(transfersOf(live, work)[0]?.id ?? "");
  await catchUp(live);
  // As the earlier version booked it: only cash against the accounts of losses.
  await pool().query(
    `WITH past AS (INSERT INTO ledger_transactions (settlement_id, kind, reference, payment_mode, at)
       SELECT id, 'void', 'planted', payment_mode, now() FROM settlements WHERE contract_id = $1 RETURNING id)
     INSERT INTO ledger_entries (transaction_id, account, amount_pence) SELECT id, account::ledger_account, pence FROM past,
       (VALUES ('provider_payable', -1800), ('platform_fees', -201), ('refunds', 2001)) entry (account, pence)`,
    [work.contractId],
  );
  const corrections = async () => {
    const { rows } = await pool().query(
      "SELECT count(*)::int AS n FROM ledger_transactions t JOIN settlements s ON s.id = settlement_id WHERE kind = 'correction' AND contract_id = $1",
      [work.contractId],
    );
    return rows[0].n;
  };
  assert.equal(Object.keys(await balancesOf(work)).length, 3);
  await reconcile(workerContext());
  assert.deepEqual([await balancesOf(work), await corrections()], [{}, 1]);
  await reconcile(workerContext());
  assert.equal(await corrections(), 1);
});
