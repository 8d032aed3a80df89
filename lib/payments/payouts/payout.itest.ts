import assert from "node:assert/strict";
import { test } from "node:test";
import { isThin } from "#stripe-stand-in/events.ts";
import { catchUp, completedLive, deliver, liveService, settlementOf, work, workerContext } from "#testing/live.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { retryEvent } from "../webhooks/process.ts";

const live = liveService({ settleSeconds: 0 });

test("a returned payout that is paid out again counts as paid, even if the second payout is read first", async () => {
  const agreed = await completedLive(live);
  await catchUp(live);
  const returned = live.stripe.payout(agreed.account);
  live.stripe.payoutPaid(returned);
  live.stripe.failPayout(returned);
  const next = live.stripe.payout(agreed.account);
  live.stripe.payoutPaid(next);
  for (const payout of [next, returned]) {
    for (const event of live.stripe.events)
      if (!isThin(event) && (event.data.object as { id: string }).id === payout)
        assert.equal(await deliver(live, event), 200);
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
  await reconcile(workerContext());
  // Both lists are of the platform's own balance, which the first run reads twice.
  assert.deepEqual(calls(), { contents: 2, payout: 0 });
});

test("an administrator who retries an event of a payout makes it be read again", async () => {
  const agreed = await completedLive(live);
  await catchUp(live);
  const payout = live.stripe.payout(agreed.account);
  const [created] = live.stripe.events.filter(
    (event) => !isThin(event) && (event.data.object as { id: string }).id === payout,
  );
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
  assert.deepEqual((await reconcile(workerContext())).differences, []);
  const { payout, payout_detail: detail } = await settlementOf(agreed);
  assert.deepEqual([payout, detail], ["paid", undefined]);
});
