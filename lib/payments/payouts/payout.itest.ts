import assert from "node:assert/strict";
import { test } from "node:test";
import { isThin } from "#stripe-stand-in/events.ts";
import {
  assertAgreed,
  catchUp,
  chargeOf,
  completedLive,
  deliver,
  differences,
  liveService,
  settlementOf,
  transfersOf,
  work,
  workerContext,
} from "#testing/live.ts";
import { retryEvent } from "../webhooks/process.ts";

const live = liveService({ settleSeconds: 0 });

const eventsOf = (payout: string) =>
  live.stripe.events.filter((event) => !isThin(event) && (event.data.object as { id: string }).id === payout);

test("a task is funded by card, its net is transferred once and paid out, and both parties see every stage", async () => {
  const deal = await completedLive(live, 2_001);
  const funded = await settlementOf(deal);
  assert.deepEqual(
    [funded.funding, funded.is_charge, funded.simulated, funded.state, funded.transfer, funded.payout],
    ["confirmed", true, false, "approved", "queued", "unknown"],
  );
  await catchUp(live);
  const sent = await settlementOf(deal, deal.requester);
  assert.equal(sent.transfer, "sent");
  const [transfer, ...others] = transfersOf(live, deal);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [transfer?.amount, transfer?.destination, transfer?.transfer_group],
    [1_800, deal.account, sent.settlement_id],
  );
  assert.equal(transfer?.source_transaction, chargeOf(live, deal.intent).id);
  const payout = live.stripe.payout(deal.account);
  await catchUp(live);
  assert.equal((await settlementOf(deal)).payout, "pending");
  live.stripe.payoutPaid(payout);
  await catchUp(live);
  const paid = await settlementOf(deal);
  assert.deepEqual([paid.payout, paid.paid_out_at !== null], ["paid", true]);
  live.stripe.failPayout(payout);
  await catchUp(live);
  assert.deepEqual([(await settlementOf(deal)).payout, (await settlementOf(deal)).paid_out_at], ["failed", null]);
});

test("a returned payout that is paid out again counts as paid, even if the second payout is read first", async () => {
  const agreed = await completedLive(live);
  await catchUp(live);
  const returned = live.stripe.payout(agreed.account);
  live.stripe.payoutPaid(returned);
  live.stripe.failPayout(returned);
  const next = live.stripe.payout(agreed.account);
  live.stripe.payoutPaid(next);
  for (const payout of [next, returned]) {
    for (const event of eventsOf(payout)) assert.equal(await deliver(live, event), 200);
    await work();
  }
  assert.equal((await settlementOf(agreed)).payout, "paid");
});

test("what a payout consists of is read once, and events that came together cost one reading", async () => {
  const agreed = await completedLive(live);
  await catchUp(live);
  const payout = live.stripe.payout(agreed.account);
  let from = live.stripe.calls.length;
  const calls = () => {
    const since = live.stripe.calls.slice(from);
    from = live.stripe.calls.length;
    const isContents = ({ path }: { path: string }) => path === "/v1/balance_transactions";
    const isPayout = ({ path }: { path: string }) => path === `/v1/payouts/${payout}`;
    return { contents: since.filter(isContents).length, payout: since.filter(isPayout).length };
  };
  await catchUp(live);
  assert.deepEqual(calls(), { contents: 1, payout: 1 });
  assert.equal((await settlementOf(agreed)).payout, "pending");
  live.stripe.payoutPaid(payout);
  live.stripe.failPayout(payout);
  await catchUp(live);
  assert.deepEqual(calls(), { contents: 0, payout: 1 });
  assert.equal((await settlementOf(agreed)).payout, "failed");
  await differences();
  // Both lists are of the platform's own balance, which the first run reads twice.
  assert.deepEqual(calls(), { contents: 2, payout: 0 });
});

test("an administrator who retries an event of a payout makes it be read again", async () => {
  const agreed = await completedLive(live);
  await catchUp(live);
  const payout = live.stripe.payout(agreed.account);
  const [created] = eventsOf(payout);
  assert.ok(created);
  await catchUp(live);
  live.stripe.payoutPaid(payout);
  await retryEvent(workerContext(), created.id, "test");
  await work();
  assert.equal((await settlementOf(agreed)).payout, "paid");
});

test("a manual payout is not attributable, and the automatic ones after it are still read", async () => {
  const agreed = await completedLive(live);
  await catchUp(live);
  const manual = live.stripe.payout(agreed.account, 100);
  live.stripe.payoutPaid(manual);
  await catchUp(live);
  const before = await settlementOf(agreed);
  assert.deepEqual([before.payout, /^Not attributable: /.test(before.payout_detail ?? "")], ["unknown", true]);
  const automatic = live.stripe.payout(agreed.account);
  live.stripe.payoutPaid(automatic);
  await assertAgreed();
  const { payout, payout_detail: detail } = await settlementOf(agreed);
  assert.deepEqual([payout, detail], ["paid", undefined]);
});
