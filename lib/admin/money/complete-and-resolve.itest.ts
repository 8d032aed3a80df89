import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { reconcile } from "#lib/payments/reconciliation/reconcile.ts";
import { loadMoneyFacts } from "#lib/settlements/acts/facts.ts";
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
  transfersOf,
  workerContext,
} from "#testing/live.ts";
import { statementsAbout } from "#testing/log/statements.ts";
import { disputed, GROSS, type MoneyStage, refused, startMoneyStage } from "#testing/money-acts.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, perform, storedState, type Work } from "#testing/workflow.ts";
import { completeFor } from "../complete.ts";
import { resolveDispute } from "../disputes.ts";
import { cancelTransfer } from "./cancel-transfer.ts";
import { refund, reverseTransfer, sendTransfer } from "./move.ts";
import { type Choice, effectOf, sharesOf } from "./resolution.ts";

let stage: MoneyStage;
let live: Live;
before(async () => {
  stage = await startMoneyStage();
  ({ live } = stage);
});
after(() => live.stop());

/** What the decisions about a piece of work depend on. */
async function moneyOf({ contractId }: Pick<Work, "contractId">) {
  return loadMoneyFacts(prisma(), await prisma().settlement.findUniqueOrThrow({ where: { contractId } }));
}

async function submittedLive() {
  const work = await fundedLive(live);
  await did(work.provider, "start", work);
  await did(work.provider, "submit", work);
  return work;
}

// Reconciliation reads every deal so far, so the test that needs it comes first, and the books of all deals are compared at the end.
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
  const { settlement_id: settlementId } = await settlementOf(work);
  const reported = async () =>
    (await reconcile(workerContext())).waiting.filter((each) => each.settlementId === settlementId);
  assert.deepEqual(
    (await reported()).map(({ kind, books }) => [kind, books]),
    [["refund_due", "£10.00 owed to the requester"]],
  );
  await refund(admin, { settlementId, pence: 1_000, reason });
  assert.deepEqual(await reported(), []);
  assert.equal((await balancesOf(work)).refund_due, undefined);
});

test("an administrator completes a submitted task in the requester's place, once, and the provider is paid", async () => {
  const work = await submittedLive();
  const { settlement } = await completeFor(admin, { taskId: work.taskId, reason });
  assert.deepEqual([settlement?.state, settlement?.transfer], ["approved", "queued"]);
  await changesNothing("completing it again", async () => {
    assert.equal((await completeFor(admin, { taskId: work.taskId, reason })).state, "completed");
  });
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "sent");
  const { rows } = await pool().query(
    "SELECT actor_kind, actor_id, reason FROM audit_events WHERE subject_id = $1 AND action = 'complete'",
    [work.taskId],
  );
  assert.deepEqual(rows, [{ actor_kind: "administrator", actor_id: "test", reason }]);
});

test("an administrator completes only submitted tasks without an open dispute", async () => {
  const [running, held] = [await stage.inTest("in_progress"), await stage.inTest("submitted")];
  await disputed(held);
  await changesNothing("a refused completion", async () => {
    for (const { taskId } of [running, held])
      await assert.rejects(completeFor(admin, { taskId, reason }), refused("state_conflict"));
  });
});

test("resolving a dispute for the provider can complete the submitted task, in both modes", async () => {
  for (const work of [await stage.inTest("submitted"), await submittedLive()]) {
    const disputeId = String((await did(work.provider, "dispute", work)).dispute?.dispute_id);
    await assert.rejects(
      resolveDispute(admin, { disputeId, resolution: "requester", complete: true, reason }),
      refused("invalid_input"),
    );
    const facts = { taskState: "submitted", money: await moneyOf(work) } as const;
    const effect = effectOf({ resolution: "provider", complete: true }, facts);
    assert.deepEqual([effect.task, effect.settlement], ["completed", "approved"]);
    const { gross_pence: gross, net_pence: net, fee_pence: fee } = await settlementOf(work);
    const shares = (choice: Choice) => Object.values(sharesOf(choice, facts) ?? {});
    assert.deepEqual(shares({ resolution: "provider", complete: true }), [net, fee, 0]);
    assert.deepEqual(shares({ resolution: "provider" }), []);
    assert.deepEqual(shares({ resolution: "requester", refund: true }), [0, 0, gross]);
    const half = splitGross(Math.floor(gross / 2));
    assert.deepEqual(shares({ resolution: "split", providerPence: Math.floor(gross / 2) }), [
      ...[half.netPence, half.feePence, gross - Math.floor(gross / 2)],
    ]);
    await resolveDispute(admin, { disputeId, resolution: "provider", complete: true, reason });
    assert.equal(await storedState(work.taskId), effect.task);
    assert.equal((await settlementOf(work)).state, effect.settlement);
  }
  const disputeId = await disputed(await stage.inTest("in_progress"));
  await assert.rejects(
    resolveDispute(admin, { disputeId, resolution: "provider", complete: true, reason }),
    refused("state_conflict"),
  );
});

test("the announced effect of a resolution is its actual effect for a completed task whose transfer is queued", async () => {
  for (const resolution of ["provider", "requester"] as const) {
    const work = await completedLive(live);
    const disputeId = await disputed(work);
    const effect = effectOf({ resolution }, { taskState: "completed", money: await moneyOf(work) });
    assert.deepEqual(
      [effect.task, effect.settlement, effect.refundDuePence],
      resolution === "requester" ? [null, "void", 2_001] : [null, null, 0],
    );
    await resolveDispute(admin, { disputeId, resolution, reason });
    assert.equal((await settlementOf(work)).state, effect.settlement ?? "approved");
  }
});

test("a resolution that is sent again under its ID gives the same answer, and another one under that ID is refused", async () => {
  const other = await submittedLive();
  const otherDispute = await disputed(other);
  for (const choice of [
    { resolution: "provider" },
    { resolution: "provider", complete: true },
    { resolution: "requester" },
    { resolution: "requester", refund: true },
    { resolution: "split", providerPence: GROSS },
    { resolution: "split", providerPence: 1_000 },
  ] as const) {
    const disputeId = await disputed(await submittedLive());
    const input = { disputeId, actId: newId("act"), reason, ...choice };
    const first = await resolveDispute(admin, input);
    await changesNothing(`${JSON.stringify(choice)} again`, async () => {
      assert.deepEqual(await resolveDispute(admin, { ...input, reason: "Sent again." }), first);
      assert.match(String((await resolveDispute(admin, { ...input, preview: true })).preview), /already been done/);
      for (const change of [
        { resolution: "split", providerPence: 1_200, complete: undefined, refund: undefined },
        { actId: newId("act") },
        { disputeId: otherDispute },
      ] as const)
        await assert.rejects(resolveDispute(admin, { ...input, ...change }), refused("state_conflict"));
    });
    if (!first.settlement) continue;
    const { settlement_id: settlementId } = first.settlement;
    await assert.rejects(refund(admin, { settlementId, actId: input.actId, reason }), refused("state_conflict"));
  }
});

test("completing and cancelling under an act ID are carried out once, and the ID serves no other act", async () => {
  const work = await submittedLive();
  const [completing, cancelling] = [newId("act"), newId("act")];
  const complete = () => completeFor(admin, { taskId: work.taskId, actId: completing, reason });
  const completed = await complete();
  const { settlement_id: settlementId } = await settlementOf(work);
  const cancel = (actId: string) => cancelTransfer(admin, { settlementId, actId, reason });
  await assert.rejects(cancel(completing), refused("state_conflict"));
  assert.equal((await cancel(cancelling)).settlement?.transfer, "failed");
  await sendTransfer(admin, { settlementId, reason });
  await changesNothing("the same acts again", async () => {
    assert.equal((await cancel(cancelling)).settlement?.transfer, "queued");
    assert.equal((await complete()).state, completed.state);
    assert.match(
      String((await cancelTransfer(admin, { settlementId, actId: cancelling, reason, preview: true })).preview),
      /already/,
    );
  });
});

test("whatever ends a queued transfer, both parties get the event that it failed", async () => {
  const cancelled = await completedLive(live);
  await cancelTransfer(admin, { settlementId: (await settlementOf(cancelled)).settlement_id, reason });
  const awardedNothing = await completedLive(live);
  const nothing = { disputeId: await disputed(awardedNothing), resolution: "split", providerPence: 0, reason } as const;
  await resolveDispute(admin, nothing);
  const voided = await completedLive(live);
  await resolveDispute(admin, { disputeId: await disputed(voided), resolution: "requester", reason });
  const partlySent = await completedLive(live);
  await catchUp(live);
  const { settlement_id: settlementId } = await settlementOf(partlySent);
  await reverseTransfer(admin, { settlementId, pence: 700, reason });
  await sendTransfer(admin, { settlementId, reason });
  await resolveDispute(admin, { disputeId: await disputed(partlySent), resolution: "requester", reason });
  const amounts = [1_800, 1_800, 1_800, 700];
  for (const [at, work] of [cancelled, awardedNothing, voided, partlySent].entries()) {
    const { rows } = await pool().query(
      "SELECT recipients, event_data -> 'amount_pence' AS pence FROM audit_events WHERE task_id = $1 AND type = 'transfer.failed'",
      [work.taskId],
    );
    assert.deepEqual(rows, [{ recipients: [work.requester.publicId, work.provider.publicId], pence: amounts[at] }]);
  }
});

test("resolving for the requester refunds what the provider has already received, and says that the platform bears it", async () => {
  const work = await completedLive(live);
  const disputeId = await disputed(work);
  // The dispute was opened while the transfer was on its way.
  await pool().query("UPDATE disputes SET state = 'resolved' WHERE id = $1", [disputeId]);
  await catchUp(live);
  await pool().query("UPDATE disputes SET state = 'open' WHERE id = $1", [disputeId]);
  assert.equal((await settlementOf(work)).transfer, "sent");
  const choice = { disputeId, resolution: "requester", refund: true, reason } as const;
  const { preview } = await resolveDispute(admin, { ...choice, preview: true });
  assert.match(String(preview), /£20\.01 is refunded to .*£18\.00 is the platform’s loss/s);
  const { act, settlement } = await resolveDispute(admin, choice);
  assert.deepEqual([act?.state, act?.amount_pence, settlement?.state], ["done", 2_001, "approved"]);
  assert.deepEqual(await balancesOf(work), { cash: -1_800, refunds: 1_800 });
});

test("a cancelled transfer has failed and is never sent, whoever asks for it", async () => {
  const work = await completedLive(live);
  const { settlement_id: settlementId } = await settlementOf(work);
  const { settlement } = await cancelTransfer(admin, { settlementId, reason });
  assert.equal(settlement?.transfer, "failed");
  await changesNothing("cancelling it again", async () => {
    await cancelTransfer(admin, { settlementId, reason });
  });
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "failed");
  assert.deepEqual(transfersOf(live, work), []);
  assert.equal((await perform(work.requester, "dispute", work)).error?.code, "state_conflict");
  const sent = await completedLive(live);
  await catchUp(live);
  await assert.rejects(
    cancelTransfer(admin, { settlementId: (await settlementOf(sent)).settlement_id, reason }),
    refused("state_conflict"),
  );
});

test("a split pays the provider its part by the usual rule and refunds the rest, in both modes", async () => {
  const N = 1_111;
  const { netPence, feePence } = splitGross(N);
  for (const start of [() => stage.inTest("in_progress"), () => fundedLive(live), () => completedLive(live)]) {
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
});

test("after all of this, the books and Stripe agree", () => assertAgreed());
