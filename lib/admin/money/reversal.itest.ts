import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { admin, reason } from "#lib/testing/administrator.ts";
import { assertAgreed, atStripe, FEE, idOf, NET, refused, sentLive } from "#lib/testing/deals.ts";
import {
  balancesOf,
  catchUp,
  completedLive,
  work as doWork,
  type Live,
  settlementOf,
  startLive,
  transfersOf,
} from "#lib/testing/live.ts";
import { statementsAbout } from "#lib/testing/statements.ts";
import { cancelTransfer } from "../cancel-transfer.ts";
import { reverseTransfer, sendTransfer } from "./move.ts";

let live: Live;
before(async () => {
  live = await startLive({ settleSeconds: 0 });
});
after(() => live.stop());

test("a transfer is reversed in parts, and what is left can be sent again", async () => {
  const work = await sentLive(live);
  const settlementId = await idOf(work);
  assert.equal((await reverseTransfer(admin, { settlementId, pence: 700, reason })).act?.state, "done");
  assert.deepEqual(await balancesOf(work), { cash: FEE + 700, provider_payable: -700, platform_fees: -FEE });
  await reverseTransfer(admin, { settlementId, reason });
  assert.equal((await settlementOf(work)).transfer, "reversed");
  await assert.rejects(reverseTransfer(admin, { settlementId, reason }), refused("state_conflict"));
  await sendTransfer(admin, { settlementId, pence: 1_000, reason });
  assert.equal((await settlementOf(work)).transfer, "queued");
  await catchUp(live);
  await sendTransfer(admin, { settlementId, reason });
  await catchUp(live);
  assert.deepEqual(atStripe(live, settlementId).transfers, [NET, 1_000, 800]);
  assert.deepEqual(await balancesOf(work), { cash: FEE, platform_fees: -FEE });
  // Of several transfers the newest is reversed first.
  const { act } = await reverseTransfer(admin, { settlementId, pence: 900, reason });
  assert.deepEqual([act?.state, act?.amount_pence], ["done", 900]);
  const left = [...transfersOf(live, work)].map(({ amount, amount_reversed }) => amount - amount_reversed);
  assert.deepEqual(left, [0, 900, 0]);
  await catchUp(live);
  await assertAgreed();
  const stated = await statementsAbout(work.taskId, /^transfer\./);
  assert.deepEqual(
    stated.map(({ event, facts }) => [event, facts.amount_pence]),
    [
      ["transfer.sent", NET],
      ["transfer.reversed", 700],
      ["transfer.reversed", 1_100],
      ["transfer.sent", 1_000],
      ["transfer.sent", 800],
      // The newest has 800 left; the rest is taken from the one before.
      ["transfer.reversed", 800],
      ["transfer.reversed", 100],
    ],
  );
});

test("a reversal that Stripe refuses changes nothing and shows why", async () => {
  const work = await sentLive(live);
  const settlementId = await idOf(work);
  live.stripe.payout(work.account);
  const { act } = await reverseTransfer(admin, { settlementId, reason });
  assert.deepEqual([act?.state, act?.problem], ["failed", "Stripe refused it (balance_insufficient)."]);
  assert.deepEqual(await balancesOf(work), { cash: FEE, platform_fees: -FEE });
});

test("after a chargeback is won, the reversed transfer is sent again; after one is lost, nothing is left to send", async () => {
  for (const end of ["won", "lost"] as const) {
    const work = await sentLive(live);
    const settlementId = await idOf(work);
    const chargeback = live.stripe.openDispute(work.intent);
    await catchUp(live);
    await reverseTransfer(admin, { settlementId, reason });
    await assert.rejects(sendTransfer(admin, { settlementId, reason }), refused("state_conflict"));
    live.stripe.closeDispute(chargeback.id, end);
    await catchUp(live);
    if (end === "lost") {
      await assert.rejects(sendTransfer(admin, { settlementId, reason }), refused("state_conflict"));
      assert.deepEqual(await balancesOf(work), {});
    } else {
      await sendTransfer(admin, { settlementId, reason });
      await catchUp(live);
      assert.equal((await settlementOf(work)).transfer, "sent");
      assert.deepEqual(await balancesOf(work), { cash: FEE, platform_fees: -FEE });
    }
  }
  await assertAgreed();
});

test("a cancelled transfer can be sent after all by another decision", async () => {
  const work = await completedLive(live);
  const settlementId = await idOf(work);
  await cancelTransfer(admin, { settlementId, reason });
  await sendTransfer(admin, { settlementId, reason });
  await doWork();
  assert.deepEqual(atStripe(live, settlementId).transfers, [NET]);
  assert.equal((await settlementOf(work)).transfer, "sent");
});
