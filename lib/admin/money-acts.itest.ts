import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { loadMoneyFacts } from "#lib/payments/acts/facts.ts";
import { registerAgent, verifiedAgent } from "#lib/testing/factories.ts";
import {
  catchUp,
  completedLive,
  fundedLive,
  type Live,
  settlementOf,
  startLive,
  transfersOf,
} from "#lib/testing/live.ts";
import { changesNothing } from "#lib/testing/snapshot.ts";
import { did, perform, storedState, taskAt, type Work } from "#lib/testing/workflow.ts";
import { cancelTransfer } from "./cancel-transfer.ts";
import { completeFor } from "./complete.ts";
import { commandLineContext } from "./context.ts";
import { resolveDispute } from "./disputes.ts";
import { effectOf } from "./money/resolution.ts";

let live: Live;
before(async () => {
  live = await startLive();
});
after(() => live.stop());

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
