import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { TaskState } from "#lib/tasks/machine.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { balancesOf } from "#testing/live.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, expire, perform, storedState, taskAt, type Work } from "#testing/workflow.ts";
import { commandLineContext } from "./context.ts";
import { resolveDispute } from "./disputes.ts";
import { effectOf } from "./money/resolution.ts";
import { readWholeTask } from "./page-reads/tasks.ts";
import type { Resolution } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
  provider = await verifiedAgent();
});

const admin = commandLineContext("root");
const UNDER_WAY: TaskState[] = ["claimed", "proposed", "accepted", "in_progress", "submitted"];

async function disputed(state: TaskState): Promise<{ work: Work; disputeId: string }> {
  const work = await taskAt(state, { requester, provider });
  const { dispute } = await did(provider, "dispute", work);
  return { work, disputeId: dispute?.dispute_id ?? "" };
}
const resolve = (disputeId: string, resolution: Resolution) =>
  resolveDispute(admin, { disputeId, resolution, reason: "test" });

async function shownState({ taskId: task_id }: Work): Promise<TaskState> {
  const { body } = await callAs<{ task: TaskWire }>(requester, "GET", "/api/v1/jobs/show.php", { task_id });
  return body.task.state;
}

async function settlementOf({ taskId }: Work) {
  const { rows } = await pool().query("SELECT state, funding, transfer FROM settlements WHERE task_id = $1", [taskId]);
  return rows[0];
}

test("a dispute changes neither the task's state nor its money, and both parties see it", async () => {
  for (const state of UNDER_WAY) {
    const { work, disputeId } = await disputed(state);
    assert.equal(await storedState(work.taskId), state);
    for (const agent of [requester, provider]) {
      const { body } = await callAs<{ task: TaskWire }>(agent, "GET", "/api/v1/jobs/show.php", {
        task_id: work.taskId,
      });
      assert.equal(body.task.dispute_id, disputeId);
    }
  }
});

test("a dispute blocks completion and nothing else", async () => {
  const { work } = await disputed("accepted");
  await did(requester, "fund", work);
  await did(requester, "confirm", work);
  await did(provider, "start", work);
  await did(provider, "submit", work);
  await changesNothing("completion against a dispute", async () => {
    assert.equal((await perform(requester, "complete", work)).error?.code, "state_conflict");
  });
  await did(requester, "request_changes", work);
});

test("a dispute does not refund or end a payment", async () => {
  const work = await taskAt("accepted", { requester, provider });
  await did(requester, "fund", work);
  await did(requester, "dispute", work);
  await did(requester, "confirm", work);
  assert.deepEqual(await settlementOf(work), { state: "recorded", funding: "confirmed", transfer: "none" });
});

test("after a resolution for the provider, the task can be completed", async () => {
  const { work, disputeId } = await disputed("submitted");
  const { dispute } = await resolve(disputeId, "provider");
  assert.deepEqual([dispute?.state, dispute?.resolution], ["resolved", "provider"]);
  assert.equal(await storedState(work.taskId), "submitted");
  assert.equal((await did(requester, "complete", work)).settlement?.state, "approved");
});

for (const state of UNDER_WAY)
  test(`a resolution does to a task that is ${state}, and its settlement, what was announced; for the requester it ends both`, async () => {
    for (const resolution of ["provider", "requester"] as const) {
      const { work, disputeId } = await disputed(state);
      const before = await readWholeTask(admin, work.taskId);
      const effect = effectOf({ resolution }, { taskState: state, money: before?.money ?? null });
      await resolve(disputeId, resolution);
      const ends = resolution === "requester";
      assert.deepEqual(
        [await storedState(work.taskId), effect.task],
        ends ? ["cancelled", "cancelled"] : [state, null],
      );
      const settlement = await settlementOf(work);
      const isFunded = state === "in_progress" || state === "submitted";
      if (state === "claimed" || state === "proposed") assert.equal(settlement, undefined);
      else {
        const funding = isFunded ? "confirmed" : "required";
        assert.deepEqual(settlement, { state: ends ? "void" : "recorded", funding, transfer: "none" });
        assert.equal(effect.settlement, ends ? "void" : null);
      }
      const due = (await balancesOf(work)).refund_due ?? 0;
      assert.equal(0 - due, effect.refundDuePence);
      assert.equal(effect.refundDuePence, ends && isFunded ? 500 : 0);
      const { rows } = await pool().query(
        "SELECT actor_id, reason FROM audit_events WHERE subject_id = $1 AND action = 'annul'",
        [work.taskId],
      );
      assert.deepEqual(rows, ends ? [{ actor_id: "root", reason: "test" }] : []);
    }
  });

test("a dispute can be resolved either way, whatever state the task has reached", async () => {
  for (const resolution of ["provider", "requester"] as const) {
    const released = await disputed("claimed");
    await did(provider, "release", released.work);
    await resolve(released.disputeId, resolution);
    assert.equal(await storedState(released.work.taskId), resolution === "requester" ? "cancelled" : "open");

    const cancelled = await disputed("accepted");
    await did(requester, "cancel", cancelled.work);
    await resolve(cancelled.disputeId, resolution);
    assert.equal(await storedState(cancelled.work.taskId), "cancelled");

    for (const isWrittenDown of [true, false]) {
      const expired = await disputed("claimed");
      await did(provider, "release", expired.work);
      await expire(expired.work.taskId);
      if (isWrittenDown) await pool().query("UPDATE tasks SET state = 'expired' WHERE id = $1", [expired.work.taskId]);
      await resolve(expired.disputeId, resolution);
      assert.equal(await shownState(expired.work), "expired");
    }
  }
});

test("a dispute is resolved once, and another can be opened", async () => {
  const { work, disputeId } = await disputed("submitted");
  await resolve(disputeId, "provider");
  await changesNothing("a second resolution", async () => {
    for (const resolution of ["provider", "requester"] as const)
      await assert.rejects(
        resolve(disputeId, resolution),
        (error) => error instanceof ApiError && error.code === "state_conflict",
      );
    await assert.rejects(
      resolve(newId("dsp"), "provider"),
      (error) => error instanceof ApiError && error.code === "not_found",
    );
  });
  const second = await did(requester, "dispute", work);
  assert.notEqual(second.dispute?.dispute_id, disputeId);
});
