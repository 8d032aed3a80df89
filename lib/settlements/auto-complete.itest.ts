import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { admin, reason } from "#testing/administrator.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { catchUp, fundedLive, liveService, settlementOf, workerContext } from "#testing/live.ts";
import { disputed } from "#testing/money-acts.ts";
import { did, perform, storedState, taskAt, type Work } from "#testing/workflow.ts";
import { completeReviewed } from "./auto-complete.ts";

const DAYS = 3;
const DAY_MS = 86_400_000;

let parties: { requester: TestAgent; provider: TestAgent };
const live = liveService({}, async () => {
  parties = { requester: await registerAgent(), provider: await verifiedAgent() };
});

const submitted = (amountPence = 500) => taskAt("submitted", parties, { amountPence, terms: { review_days: DAYS } });

const at = (days: number) => workerContext({ now: () => new Date(Date.now() + days * DAY_MS) });
const run = (days = DAYS + 0.001) => completeReviewed(at(days));

type Shown = { task: TaskWire; history: { action: string; state: string; by: unknown }[] };
async function shown({ requester, taskId }: Work): Promise<Shown> {
  return (await callAs<Shown>(requester, "GET", "/api/v1/jobs/show.php", { task_id: taskId, history: 1 })).body;
}

test("a submitted task shows when its review period ends, and is completed by the service then, not before", async () => {
  const work = await submitted();
  const { task } = await shown(work);
  const end = Date.parse(task.review_ends_at ?? "") - Date.parse(task.updated_at);
  assert.equal(end, DAYS * DAY_MS);
  await run(DAYS - 0.01);
  assert.equal(await storedState(work.taskId), "submitted");
  await run();
  const { task: ended, history } = await shown(work);
  assert.equal(ended.review_ends_at, undefined);
  assert.deepEqual(
    history.slice(-1).map(({ action, state, by }) => [action, state, by]),
    [["auto_complete", "completed", null]],
  );
  assert.deepEqual([(await settlementOf(work)).state, (await settlementOf(work)).transfer], ["approved", "simulated"]);
  const { rows } = await pool().query(
    "SELECT actor_kind, actor_id FROM audit_events WHERE subject_id = $1 AND action = 'auto_complete'",
    [work.taskId],
  );
  assert.deepEqual(rows, [{ actor_kind: "system", actor_id: "worker" }]);
});

test("a free task and a LIVE one are completed too, and the LIVE provider is paid", async () => {
  const free = await submitted(0);
  const paid = await fundedLive(live, 2_001, { review_days: 1 });
  await did(paid.provider, "start", paid);
  await did(paid.provider, "submit", paid);
  await run();
  assert.equal(await storedState(free.taskId), "completed");
  assert.equal((await settlementOf(paid)).transfer, "queued");
  await catchUp(live);
  assert.equal((await settlementOf(paid)).transfer, "sent");
});

test("a task without a review period waits for its requester, and has no such field", async () => {
  const work = await taskAt("submitted", parties);
  assert.equal("review_ends_at" in (await shown(work)).task, false);
  await run(10_000);
  assert.equal(await storedState(work.taskId), "submitted");
});

test("requested changes end the period, and the next submission starts it again", async () => {
  const work = await submitted();
  await did(work.requester, "request_changes", work);
  assert.equal((await shown(work)).task.review_ends_at, undefined);
  await run();
  assert.equal(await storedState(work.taskId), "in_progress");
  await pool().query("UPDATE tasks SET review_ends_at = now() - interval '1 day' WHERE id = $1", [work.taskId]);
  const { task } = await did(work.provider, "submit", work);
  assert.ok(Date.parse(task?.review_ends_at ?? "") > Date.now());
});

test("a dispute, a hold and a suspension stop the completion, and it follows when they end", async () => {
  const [contested, held, party, suspended] = [
    await submitted(),
    await submitted(),
    await taskAt("submitted", { ...parties, requester: await registerAgent() }, { terms: { review_days: 1 } }),
    await taskAt("submitted", { ...parties, provider: await verifiedAgent() }, { terms: { review_days: 1 } }),
  ];
  const disputeId = await disputed(contested);
  const subjects = [held.taskId, party.requester.publicId];
  for (const subject of subjects) await hold(admin, { subjectId: subject, reason });
  await suspendIdentity(admin, { publicId: suspended.provider.publicId, reason });
  const states = () => Promise.all([contested, held, party, suspended].map(({ taskId }) => storedState(taskId)));
  await run();
  assert.deepEqual(await states(), ["submitted", "submitted", "submitted", "submitted"]);
  await resolveDispute(admin, { disputeId, resolution: "provider", reason });
  for (const subject of subjects) await unhold(admin, { subjectId: subject, reason });
  await run();
  assert.deepEqual(await states(), ["completed", "completed", "completed", "submitted"]);
});

test("of the service's runs and the requester, exactly one completes a task", async () => {
  const works = await Promise.all(Array.from({ length: 6 }, () => submitted()));
  await Promise.all([run(), run(), ...works.map((work) => perform(work.requester, "complete", work)), run()]);
  for (const { taskId } of works) {
    const { rows } = await pool().query(
      "SELECT count(*)::int AS steps FROM audit_events WHERE subject_id = $1 AND action IN ('complete', 'auto_complete')",
      [taskId],
    );
    assert.equal(rows[0].steps, 1);
  }
});

test("one task that cannot be completed keeps no other waiting", async () => {
  const [broken, sound] = [await submitted(), await submitted()];
  await pool().query("UPDATE settlements SET state = 'approved' WHERE task_id = $1", [broken.taskId]);
  await assert.rejects(run(), /1 times: a task could not be completed/);
  assert.deepEqual([await storedState(broken.taskId), await storedState(sound.taskId)], ["submitted", "completed"]);
});

test("the review period is a whole number of days from 1 to 30", async () => {
  const work = await taskAt("claimed", parties);
  for (const days of [0, 31, 1.5, "3", null])
    assert.equal((await perform(work.requester, "propose", work, { review_days: days })).error?.code, "invalid_input");
  const { contract } = await did(work.requester, "propose", work, { review_days: 30 });
  assert.equal(contract?.terms?.review_days, 30);
});
