import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { reconcile } from "#lib/payments/reconciliation/reconcile.ts";
import { splitGross } from "#lib/settlements/fee.ts";
import { admin, reason } from "#testing/administrator.ts";
import {
  assertAgreed,
  balancesOf,
  catchUp,
  completedLive,
  fundedLive,
  type Live,
  movedAtStripe,
  settlementOf,
  workerContext,
} from "#testing/live.ts";
import { statementsAbout } from "#testing/log/statements.ts";
import { disputed, GROSS, refused, startMoneyStage } from "#testing/money-acts.ts";
import { storedState, type Work } from "#testing/workflow.ts";
import { resolveDispute } from "../disputes.ts";
import { refund } from "./move.ts";

let live: Live;
let inTest: () => Promise<Work>;
before(async () => {
  const stage = await startMoneyStage();
  ({ live } = stage);
  inTest = () => stage.inTest("in_progress");
});
after(() => live.stop());

test("a split pays the provider its part by the usual rule and refunds the rest, in both modes", async () => {
  const N = 1_111;
  const { netPence, feePence } = splitGross(N);
  for (const start of [() => inTest(), () => fundedLive(live), () => completedLive(live)]) {
    const work = await start();
    const isLive = (await settlementOf(work)).payment_mode === "LIVE";
    const disputeId = await disputed(work);
    await assert.rejects(
      resolveDispute(admin, { disputeId, resolution: "split", providerPence: GROSS + 1, reason }),
      refused("invalid_input"),
    );
    const { preview } = await resolveDispute(admin, {
      disputeId,
      resolution: "split",
      providerPence: N,
      reason,
      preview: true,
    });
    assert.match(preview?.join("\n") ?? "", /£11\.11[\s\S]*awarded to[\s\S]*£8\.90/);
    const { act } = await resolveDispute(admin, { disputeId, resolution: "split", providerPence: N, reason });
    assert.deepEqual([act?.state, act?.amount_pence], ["done", GROSS - N]);
    if (isLive) await catchUp(live);
    assert.equal(await storedState(work.taskId), "completed");
    const split = await settlementOf(work);
    assert.deepEqual(
      [split.state, split.awarded_pence, split.transfer, split.refunded_pence, split.earned_pence],
      ["approved", N, isLive ? "sent" : "simulated", GROSS - N, netPence],
    );
    assert.deepEqual([split.gross_pence, split.fee_pence, split.net_pence], [GROSS, feePence, netPence]);
    const { rows: events } = await pool().query(
      `SELECT type, coalesce(event_data -> 'awarded_pence', event_data -> 'amount_pence') AS pence FROM audit_events
       WHERE task_id = $1 AND type IN ('dispute.resolved', 'settlement.approved', 'payment.refunded') ORDER BY seq`,
      [work.taskId],
    );
    assert.deepEqual(
      events.slice(-3),
      [
        { type: "dispute.resolved", pence: N },
        { type: "settlement.approved", pence: N },
        { type: "payment.refunded", pence: GROSS - N },
      ],
      "what follows from the decision comes after it",
    );
    const stated = (await statementsAbout(work.taskId)).findLast(({ event }) => event === "settlement.approved");
    assert.deepEqual(
      [stated?.facts.awarded_pence, stated?.facts.fee_pence, stated?.facts.net_pence],
      [N, feePence, netPence],
    );
    assert.deepEqual(await balancesOf(work), { cash: feePence, platform_fees: -feePence });
    if (isLive)
      assert.deepEqual(movedAtStripe(live, split.settlement_id), {
        refunds: [GROSS - N],
        reversals: [],
        transfers: [netPence],
      });
  }
  await assertAgreed();
});

test("what a split owes the requester is reported until its refund arrives", async () => {
  const work = await fundedLive(live);
  const disputeId = await disputed(work);
  const { act } = await resolveDispute(admin, { disputeId, resolution: "split", providerPence: 1_001, reason });
  const [made] = [...live.stripe.world.refunds.values()].filter(
    ({ metadata }) => metadata?.guildhall_act === act?.act_id,
  );
  live.stripe.failRefund(made?.id ?? "");
  await catchUp(live);
  assert.equal((await balancesOf(work)).refund_due, -1_000);
  const { waiting } = await reconcile(workerContext());
  const { settlement_id: settlementId } = await settlementOf(work);
  assert.deepEqual(
    waiting.map((each) => [each.kind, each.settlementId, each.books]),
    [["refund_due", settlementId, "£10.00 owed to the requester"]],
  );
  await refund(admin, { settlementId, pence: 1_000, reason });
  assert.deepEqual((await reconcile(workerContext())).waiting, []);
  assert.equal((await balancesOf(work)).refund_due, undefined);
});

test("a split can award nothing or everything", async () => {
  for (const providerPence of [0, GROSS]) {
    const work = await fundedLive(live);
    const disputeId = await disputed(work);
    await resolveDispute(admin, { disputeId, resolution: "split", providerPence, reason });
    await catchUp(live);
    const { transfer, refunded_pence } = await settlementOf(work);
    assert.deepEqual([transfer, refunded_pence], providerPence === 0 ? ["none", GROSS] : ["sent", 0]);
  }
  await assertAgreed();
});
