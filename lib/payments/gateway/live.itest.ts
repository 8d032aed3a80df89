import assert from "node:assert/strict";
import { test } from "node:test";
import { catchUp, completedLive, liveService, settlementOf, transfersOf } from "#testing/live.ts";

const live = liveService({ settleSeconds: 0 });

test("a task is funded by card, its net is transferred once and paid out, and both parties see every stage", async () => {
  const work = await completedLive(live, 2_001);
  const funded = await settlementOf(work);
  assert.deepEqual(
    [funded.funding, funded.is_charge, funded.simulated, funded.state, funded.transfer, funded.payout],
    ["confirmed", true, false, "approved", "queued", "unknown"],
  );
  await catchUp(live);
  const sent = await settlementOf(work, work.requester);
  assert.equal(sent.transfer, "sent");
  const [transfer, ...others] = transfersOf(live, work);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [transfer?.amount, transfer?.destination, transfer?.transfer_group],
    [1_800, work.account, sent.settlement_id],
  );
  assert.equal(transfer?.source_transaction, live.stripe.world.intents.get(work.intent)?.latest_charge);
  const payout = live.stripe.payout(work.account);
  await catchUp(live);
  assert.equal((await settlementOf(work)).payout, "pending");
  live.stripe.payoutPaid(payout);
  await catchUp(live);
  const paid = await settlementOf(work);
  assert.deepEqual([paid.payout, paid.paid_out_at !== null], ["paid", true]);
  live.stripe.failPayout(payout);
  await catchUp(live);
  assert.deepEqual([(await settlementOf(work)).payout, (await settlementOf(work)).paid_out_at], ["failed", null]);
});
