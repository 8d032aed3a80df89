import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { splitGross } from "#lib/settlements/fee.ts";
import { admin, reason } from "#testing/administrator.ts";
import {
  assertAgreed,
  balancesOf,
  catchUp,
  completedLive,
  work as doWork,
  fundedLive,
  type Live,
  movedAtStripe,
  settlementOf,
  transfersOf,
} from "#testing/live.ts";
import { statementsAbout } from "#testing/log/statements.ts";
import { disputed, GROSS, type MoneyStage, refused, startMoneyStage } from "#testing/money-acts.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { taskAt, type Work } from "#testing/workflow.ts";
import { resolveDispute } from "../disputes.ts";
import { cancelTransfer } from "./cancel-transfer.ts";
import { refund, reverseTransfer, sendTransfer } from "./move.ts";

let live: Live;
let parties: MoneyStage["parties"];
let stage: MoneyStage;
before(async () => {
  stage = await startMoneyStage();
  ({ live, parties } = stage);
});
after(() => live.stop());

const NET = 1_800;
const FEE = 201;
const idOf = async (work: Work) => (await settlementOf(work)).settlement_id;
const inTest = (state: "submitted" | "completed" = "submitted") => stage.inTest(state);

/** A completed LIVE deal whose money has been sent to the provider. */
async function sentLive() {
  const work = await completedLive(live);
  await catchUp(live);
  return work;
}

test("a refund of a part clears what is held, holds the transfer, and lets what is left be sent by a second decision", async () => {
  const work = await completedLive(live);
  const settlementId = await idOf(work);
  const { preview } = await refund(admin, { settlementId, pence: 501, reason, preview: true });
  assert.match(preview?.join("\n") ?? "", /£5\.01 is refunded to .* through Stripe/);
  assert.match(preview?.join("\n") ?? "", /£4\.50 less is payable to[\s\S]*£0\.51 less is the platform’s fee/);
  const { act, settlement } = await refund(admin, { settlementId, pence: 501, reason });
  assert.deepEqual([act?.state, act?.amount_pence, settlement?.refunded_pence], ["done", 501, 501]);
  await catchUp(live);
  assert.deepEqual(
    (await settlementOf(work)).transfer_holds?.map(({ reason }) => reason),
    ["refund"],
  );
  const left = splitGross(GROSS - 501).netPence;
  await assert.rejects(sendTransfer(admin, { settlementId, pence: left + 1, reason }), refused("invalid_input"));
  await sendTransfer(admin, { settlementId, reason });
  await catchUp(live);
  const after = await settlementOf(work);
  assert.deepEqual([after.transfer, after.earned_pence], ["sent", left]);
  assert.deepEqual(movedAtStripe(live, settlementId), { refunds: [501], reversals: [], transfers: [left] });
  assert.deepEqual(await balancesOf(work), { cash: 150, platform_fees: -150 });
  await assertAgreed();
});

test("an act under the same ID is carried out once, and the ID is refused for another act", async () => {
  const settlementId = await idOf(await fundedLive(live));
  const actId = newId("act");
  const first = await refund(admin, { settlementId, pence: 100, actId, reason });
  await changesNothing("the same act again", async () => {
    assert.deepEqual(await refund(admin, { settlementId, pence: 100, actId, reason }), first);
    for (const pence of [101, undefined])
      await assert.rejects(refund(admin, { settlementId, pence, actId, reason }), refused("state_conflict"));
  });
  assert.deepEqual(movedAtStripe(live, settlementId).refunds, [100]);
  await assert.rejects(refund(admin, { settlementId, pence: GROSS - 99, reason }), refused("invalid_input"));
  await refund(admin, { settlementId, reason });
  await assert.rejects(refund(admin, { settlementId, reason }), refused("state_conflict"));
  assert.deepEqual(movedAtStripe(live, settlementId).refunds, [100, GROSS - 100]);
});

test("a preview changes nothing, whatever the act", async () => {
  const sent = await idOf(await sentLive());
  const dispute = await disputed(await fundedLive(live));
  const queued = await idOf(await completedLive(live));
  await changesNothing("a preview", async () => {
    const asked = { reason: "", preview: true };
    for (const lines of [
      await refund(admin, { settlementId: sent, ...asked }),
      await reverseTransfer(admin, { settlementId: sent, pence: 7, ...asked }),
      await sendTransfer(admin, { settlementId: queued, pence: 7, ...asked }),
      await cancelTransfer(admin, { settlementId: queued, ...asked }),
      await resolveDispute(admin, { disputeId: dispute, resolution: "requester", refund: true, ...asked }),
      await resolveDispute(admin, { disputeId: dispute, resolution: "split", providerPence: 7, ...asked }),
    ])
      assert.ok(lines.preview && lines.preview.length > 0);
  });
});

test("a refund that is pending shows as pending, and one that fails is un-booked and can be ordered again", async () => {
  const work = await fundedLive(live);
  const disputeId = await disputed(work);
  live.stripe.world.refundStart = "pending";
  const { act, dispute } = await resolveDispute(admin, { disputeId, resolution: "requester", refund: true, reason });
  live.stripe.world.refundStart = "succeeded";
  assert.deepEqual([act?.state, act?.amount_pence, dispute?.resolution], ["pending", GROSS, "requester"]);
  assert.equal((await balancesOf(work)).refund_due, -GROSS);
  const settlementId = await idOf(work);
  const [made] = [...live.stripe.world.refunds.values()].filter(
    ({ metadata }) => metadata?.guildhall_act === act?.act_id,
  );
  live.stripe.settleRefund(made?.id ?? "");
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), {});
  live.stripe.failRefund(made?.id ?? "");
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), { cash: GROSS, refund_due: -GROSS });
  const { rows } = await pool().query("SELECT state, problem FROM money_acts WHERE id = $1", [act?.act_id]);
  assert.equal(rows[0].state, "failed");
  assert.match(rows[0].problem, /came back/);
  await refund(admin, { settlementId, reason });
  assert.deepEqual(await balancesOf(work), {});
  await assertAgreed();
});

test("resolving for the requester with a refund pays back what is left, in both modes", async () => {
  for (const work of [await inTest(), await fundedLive(live)]) {
    const isLive = (await settlementOf(work)).payment_mode === "LIVE";
    const disputeId = await disputed(work);
    const choice = { disputeId, resolution: "requester", refund: true, actId: newId("act"), reason } as const;
    const { act, dispute } = await resolveDispute(admin, choice);
    assert.deepEqual([act?.state, act?.amount_pence], ["done", GROSS]);
    await changesNothing("the same resolution again", async () => {
      assert.deepEqual((await resolveDispute(admin, choice)).dispute, dispute);
      const { actId: _, ...without } = choice;
      await assert.rejects(resolveDispute(admin, without), refused("state_conflict"));
    });
    const { state, refunded_pence, settlement_id } = await settlementOf(work);
    assert.deepEqual([state, refunded_pence], ["void", GROSS]);
    assert.deepEqual(await balancesOf(work), {});
    assert.deepEqual(movedAtStripe(live, settlement_id).refunds, isLive ? [GROSS] : []);
  }
  const unfunded = await disputed(await taskAt("accepted", parties));
  await assert.rejects(
    resolveDispute(admin, { disputeId: unfunded, resolution: "requester", refund: true, reason }),
    refused("state_conflict"),
  );
});

test("a transfer is reversed in parts, and what is left can be sent again", async () => {
  const work = await sentLive();
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
  assert.deepEqual(movedAtStripe(live, settlementId).transfers, [NET, 1_000, 800]);
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
  const work = await sentLive();
  const settlementId = await idOf(work);
  live.stripe.payout(work.account);
  const { act } = await reverseTransfer(admin, { settlementId, reason });
  assert.deepEqual([act?.state, act?.problem], ["failed", "Stripe refused it (balance_insufficient)."]);
  assert.deepEqual(await balancesOf(work), { cash: FEE, platform_fees: -FEE });
});

test("after a chargeback is won, the reversed transfer is sent again; after one is lost, nothing is left to send", async () => {
  for (const end of ["won", "lost"] as const) {
    const work = await sentLive();
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

test("in TEST a refund and a reversal are simulated in the books, and nothing is asked of Stripe", async () => {
  const work = await inTest("completed");
  const settlementId = await idOf(work);
  const before = live.stripe.events.length;
  assert.equal((await refund(admin, { settlementId, pence: 1_000, reason })).act?.state, "done");
  const kept = splitGross(GROSS - 1_000);
  assert.deepEqual(await balancesOf(work), {
    cash: GROSS - 1_000 - NET,
    platform_fees: -kept.feePence,
    refunds: NET - kept.netPence,
  });
  await reverseTransfer(admin, { settlementId, reason });
  assert.equal((await settlementOf(work)).transfer, "reversed");
  await sendTransfer(admin, { settlementId, reason });
  const { transfer, earned_pence, refunded_pence } = await settlementOf(work);
  assert.deepEqual([transfer, earned_pence, refunded_pence], ["simulated", kept.netPence, 1_000]);
  assert.deepEqual(await balancesOf(work), { cash: kept.feePence, platform_fees: -kept.feePence });
  assert.equal(live.stripe.events.length, before);
  const stated = await statementsAbout(work.taskId, /^(transfer\.|payment\.refunded)/);
  assert.deepEqual(
    stated.map(({ event, facts }) => [event, facts.amount_pence, facts.simulated]),
    [["payment.refunded", 1_000, true]],
    "the log leaves simulated transfers out",
  );
  assert.deepEqual(
    (await pool().query("SELECT 1 FROM transfer_intents WHERE settlement_id = $1", [settlementId])).rows,
    [],
  );
});

test("a cancelled transfer can be sent after all by another decision", async () => {
  const work = await completedLive(live);
  const settlementId = await idOf(work);
  await cancelTransfer(admin, { settlementId, reason });
  await sendTransfer(admin, { settlementId, reason });
  await doWork();
  assert.deepEqual(movedAtStripe(live, settlementId).transfers, [NET]);
  assert.equal((await settlementOf(work)).transfer, "sent");
});
