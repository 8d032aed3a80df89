import assert from "node:assert/strict";
import { test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { loadMoneyFacts } from "#lib/settlements/acts/facts.ts";
import { splitGross } from "#lib/settlements/fee.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import {
  balancesOf,
  catchUp,
  completedLive,
  fundedLive,
  liveService,
  settlementOf,
  transfersOf,
} from "#testing/live.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, perform, storedState, taskAt, type Work } from "#testing/workflow.ts";
import { completeFor } from "../complete.ts";
import { commandLineContext } from "../context.ts";
import { resolveDispute } from "../disputes.ts";
import { cancelTransfer } from "./cancel-transfer.ts";
import { refund, reverseTransfer, sendTransfer } from "./move.ts";
import { type Choice, effectOf, sharesOf } from "./resolution.ts";

const live = liveService();

const admin = commandLineContext("root");
const reason = "test";
const refused = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

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
  assert.deepEqual(rows, [{ actor_kind: "administrator", actor_id: "root", reason }]);
});

test("an administrator completes only submitted tasks without an open dispute", async () => {
  const parties = { requester: await registerAgent(), provider: await verifiedAgent() };
  const [running, disputed] = [await taskAt("in_progress", parties), await taskAt("submitted", parties)];
  await did(parties.requester, "dispute", disputed);
  await changesNothing("a refused completion", async () => {
    for (const { taskId } of [running, disputed])
      await assert.rejects(completeFor(admin, { taskId, reason }), refused("state_conflict"));
  });
});

test("resolving a dispute for the provider can complete the submitted task, in both modes", async () => {
  const parties = { requester: await registerAgent(), provider: await verifiedAgent() };
  for (const work of [await taskAt("submitted", parties), await submittedLive()]) {
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
  const running = await taskAt("in_progress", parties);
  const disputeId = String((await did(parties.requester, "dispute", running)).dispute?.dispute_id);
  await assert.rejects(
    resolveDispute(admin, { disputeId, resolution: "provider", complete: true, reason }),
    refused("state_conflict"),
  );
});

test("the announced effect of a resolution is its actual effect for a completed task whose transfer is queued", async () => {
  for (const resolution of ["provider", "requester"] as const) {
    const work = await completedLive(live);
    const disputeId = String((await did(work.requester, "dispute", work)).dispute?.dispute_id);
    const effect = effectOf({ resolution }, { taskState: "completed", money: await moneyOf(work) });
    assert.deepEqual(
      [effect.task, effect.settlement, effect.refundDuePence],
      resolution === "requester" ? [null, "void", 2_001] : [null, null, 0],
    );
    await resolveDispute(admin, { disputeId, resolution, reason });
    assert.equal((await settlementOf(work)).state, effect.settlement ?? "approved");
  }
});

const disputed = async (work: Work) => String((await did(work.requester, "dispute", work)).dispute?.dispute_id);

test("a resolution that is sent again under its ID gives the same answer, and another one under that ID is refused", async () => {
  const GROSS = 2_001;
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
