import assert from "node:assert/strict";
import { test } from "node:test";
import { reverseTransfer } from "#lib/admin/money/move.ts";
import { pool } from "#lib/db/client.ts";
import { admin, reason } from "#testing/administrator.ts";
import {
  agreedLive,
  assertAgreed,
  balancesOf,
  catchUp,
  completedLive,
  finish,
  type LiveWork,
  liveService,
  paid,
  settlementOf,
  transfersOf,
} from "#testing/live.ts";

const live = liveService({ settleSeconds: 0 });

const idOf = async (work: LiveWork) => (await settlementOf(work)).settlement_id;

/** A deal that was charged back after its transfer was paid out, and whose reversal therefore fails. */
async function owed(amountPence?: number): Promise<LiveWork & { intent: string; dispute: string }> {
  const work = await completedLive(live, amountPence);
  await catchUp(live);
  live.stripe.payoutPaid(live.stripe.payout(work.account));
  const dispute = live.stripe.openDispute(work.intent).id;
  live.stripe.closeDispute(dispute, "lost");
  await catchUp(live);
  await reverseTransfer(admin, { settlementId: await idOf(work), reason });
  return { ...work, dispute };
}

/** Another deal of the same provider, completed. */
async function next({ provider, account }: LiveWork, amountPence: number): Promise<LiveWork> {
  const work = await agreedLive(live, amountPence, {}, { ...provider, account });
  await paid(live, work);
  await catchUp(live);
  await finish(work);
  await catchUp(live);
  return work;
}

/** Both sides agree, the whole balance included, and debts sum to zero over all settlements. */
async function assertSame(): Promise<void> {
  await assertAgreed(live);
  const { rows } = await pool().query(
    "SELECT coalesce(sum(amount_pence), 0)::int AS sum FROM ledger_entries WHERE account = 'provider_debt'",
  );
  assert.deepEqual(rows, [{ sum: 0 }]);
}

const sentOf = (work: LiveWork) => transfersOf(live, work).map(({ amount }) => amount);

test("what a reversal could not take back is kept from the provider's next transfers, and both parties read it", async () => {
  const debtor = await owed();
  for (const party of [debtor.requester, debtor.provider])
    assert.equal((await settlementOf(debtor, party)).debt_pence, 1_800);
  assert.deepEqual(await balancesOf(debtor), { cash: -1_800, chargebacks: 1_800 });

  const small = await next(debtor, 1_000);
  assert.deepEqual(sentOf(small), [], "all of it is kept");
  const kept = await settlementOf(small);
  assert.deepEqual([kept.transfer, kept.withheld_pence, kept.earned_pence], ["sent", 900, 900]);
  assert.equal((await settlementOf(debtor)).debt_pence, 900);
  await assertSame();

  const large = await next(debtor, 10_000);
  assert.deepEqual(sentOf(large), [8_100]);
  assert.equal((await settlementOf(large)).withheld_pence, 900);
  assert.equal((await settlementOf(debtor)).debt_pence, undefined);
  assert.deepEqual(await balancesOf(debtor), { cash: -1_800, provider_debt: 1_800 });
  await assertSame();

  const later = await next(debtor, 10_000);
  assert.deepEqual(sentOf(later), [9_000]);
  assert.equal((await settlementOf(later)).withheld_pence, undefined);
});

test("a debt ends where its reason does: the dispute is won on appeal", async () => {
  const debtor = await owed();
  live.stripe.appealDispute(debtor.dispute);
  live.stripe.closeDispute(debtor.dispute, "won");
  await catchUp(live);
  assert.equal((await settlementOf(debtor)).debt_pence, undefined);
  assert.deepEqual(sentOf(await next(debtor, 10_000)), [9_000]);
  await assertSame();
});

test("a reversal that fails without any loss makes no debt: it is the provider's money", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  live.stripe.payoutPaid(live.stripe.payout(work.account));
  await reverseTransfer(admin, { settlementId: await idOf(work), reason });
  assert.equal((await settlementOf(work)).debt_pence, undefined);
});

test("a transfer that is reversed at Stripe after all is no longer a debt", async () => {
  const debtor = await owed();
  live.stripe.reverse(transfersOf(live, debtor)[0]?.id ?? "", 1_000);
  await catchUp(live);
  assert.equal((await settlementOf(debtor)).debt_pence, 800);
  assert.deepEqual(sentOf(await next(debtor, 10_000)), [8_200]);
  await assertSame();
});

test("another provider's transfer is not touched", async () => {
  await owed();
  const work = await completedLive(live, 3_000);
  await catchUp(live);
  assert.deepEqual(sentOf(work), [2_700]);
});
