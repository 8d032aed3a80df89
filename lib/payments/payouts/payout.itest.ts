import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { catchUp, completedLive, deliver, type Live, settlementOf, startLive, work } from "#lib/testing/live.ts";
import { isThin } from "#stripe-stand-in/events.ts";

let live: Live;
before(async () => {
  live = await startLive({ settleSeconds: 0 });
});
after(() => live.stop());

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
