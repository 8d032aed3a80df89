import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { disableOwner } from "#lib/admin/accounts.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { withAccess } from "#testing/access.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { areWaiting } from "#testing/events.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { ownedAgent } from "#testing/owner-limits.ts";
import { did, postTask, taskAt } from "#testing/workflow.ts";
import { startRecord } from "./record.ts";
import type { WaitAnswer } from "./schema.ts";

let record: ReturnType<typeof startRecord>;
let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  record = startRecord();
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  return () => record.stop();
});

const wait = (agent: TestAgent, taskId: string, fields: object = {}) =>
  callAs<z.output<typeof WaitAnswer>>(agent, "GET", "/api/v1/jobs/wait.php", { task_id: taskId, ...fields });
const versionOf = async (taskId: string) => (await wait(requester, taskId, { seconds: 0 })).body.task.version;

test("the version of a task grows with each step of its way, and each answer has the one that can be read then", async () => {
  const parties = { requester, provider };
  const work = await taskAt("open", parties, { amountPence: 500 });
  let known = await versionOf(work.taskId);
  for (const [agent, verb] of [
    [provider, "claim"],
    [requester, "propose"],
    [requester, "accept"],
    [provider, "accept"],
    [requester, "fund"],
    [requester, "confirm"],
    [provider, "start"],
    [provider, "submit"],
    [provider, "dispute"],
  ] as const) {
    const { task } = await did(agent, verb, work);
    const version = await versionOf(work.taskId);
    assert.ok(version > known, verb);
    if (task) assert.equal(task.version, version, verb);
    known = version;
  }
});

test("a wait ends at once if the task is already so, or newer than what the caller knows", async () => {
  const work = await taskAt("submitted", { requester, provider }, { amountPence: 0 });
  const known = await versionOf(work.taskId);
  for (const fields of [{ until: "submitted" }, { after_version: known - 1 }, { until: "closed", after_version: 1 }]) {
    const { task, timed_out } = (await wait(requester, work.taskId, fields)).body;
    assert.deepEqual([task.state, task.version, timed_out], ["submitted", known, false]);
  }
  const { timed_out } = (await wait(requester, work.taskId, { until: "closed", seconds: 0 })).body;
  assert.equal(timed_out, true);
});

test("a wait ends with the change that it waits for, and sleeps through others", async () => {
  const work = await taskAt("in_progress", { requester, provider }, { amountPence: 0 });
  const waits = {
    change: wait(requester, work.taskId),
    submitted: wait(provider, work.taskId, { until: "submitted" }),
    closed: wait(requester, work.taskId, { until: "closed" }),
  };
  await areWaiting(requester, 2);
  await areWaiting(provider);
  await did(provider, "submit", work);
  const { body } = await waits.submitted;
  assert.deepEqual([body.task.state, body.timed_out], ["submitted", false]);
  assert.equal((await waits.change).body.task.version, body.task.version);
  await did(requester, "complete", work);
  assert.deepEqual((await waits.closed).body.task.state, "completed");
});

test("a wait ends when an open task expires, before that is recorded", async () => {
  const task = await postTask(requester, { expires_in_seconds: 1 });
  const { body } = await wait(requester, task.task_id, { until: "closed", seconds: 10 });
  assert.deepEqual([body.task.state, body.timed_out], ["expired", false]);
});

test("who may not read a task may not wait for it, and a wait of a suspended identity is refused", async () => {
  const other = await verifiedAgent();
  const task = await postTask(requester, { visibility: "unlisted" });
  const hidden = await wait(other, task.task_id);
  const missing = await wait(other, `tsk_${"1".repeat(22)}`);
  assert.equal(outcome(hidden), "404 not_found");
  assert.equal(hidden.error?.message, missing.error?.message);
  const listed = await postTask(requester);
  const waiting = wait(other, listed.task_id);
  await areWaiting(other);
  await suspendIdentity(admin, { publicId: other.publicId, reason });
  assert.equal(outcome(await waiting), "403 identity_suspended");
});

type Ended = { agent: TestAgent; owner: TestOwner; accessId: string; token: string };
const SOON = "UPDATE access_tokens SET expires_at = now() + interval '3 seconds' WHERE id = $1";
const signOut = ({ owner }: Ended) => callAsOwner(owner, "POST", "/api/v1/owners/sign_out_everywhere.php", {});
const ENDS: [name: string, kind: "by hand" | "in a session", end: (ended: Ended) => Promise<unknown>][] = [
  [
    ...(["its removal", "by hand"] as const),
    ({ agent, accessId }) => callAs(agent, "POST", "/api/v1/agents/access_remove.php", { access_id: accessId }),
  ],
  [
    "a leak report",
    "by hand",
    ({ token }) => call("POST", "/api/v1/agents/report_leak.php", { body: { secret: token } }),
  ],
  ["its expiry", "by hand", async () => undefined],
  ["the end of its session", "in a session", signOut],
  ["a disabled account", "in a session", ({ owner }) => disableOwner(admin, { owner: owner.ownerId, reason })],
];
for (const [name, kind, end] of ENDS)
  test(`${name} ends a wait with an access token at once`, async () => {
    const owner = await signedInOwner();
    const agent = await ownedAgent(owner);
    let access = await withAccess(agent, ["read"]);
    if (name === "its expiry") await pool().query(SOON, [access.accessId]);
    if (kind === "in a session") {
      const acting = await callAsOwner<{ access_token: string }>(owner, "POST", "/api/v1/owners/act.php", {
        public_id: agent.publicId,
      });
      access = { ...access, token: acting.body.access_token };
    }
    const { task_id } = await postTask(agent);
    const waiting = wait(access, task_id, { seconds: 25 });
    await areWaiting(agent);
    await end({ agent, owner, ...access });
    assert.equal(outcome(await waiting), "401 invalid_credential");
  });

test("a credential has 100 waiting calls, which ask the database for nothing while they wait", async () => {
  const task = await postTask(requester);
  const others = await Promise.all(Array.from({ length: 3 }, () => verifiedAgent()));
  const waits = others.flatMap((agent) =>
    Array.from({ length: 100 }, () => wait(agent, task.task_id, { seconds: 20 })),
  );
  await delay(2_500);
  const scans = async () => {
    const { rows } = await pool().query(
      "SELECT idx_scan + seq_scan AS scans FROM pg_stat_user_tables WHERE relname = 'tasks'",
    );
    return rows[0].scans as string;
  };
  const [first] = others;
  const one = first && (await wait(first, task.task_id, { seconds: 1 }));
  assert.equal(one?.error?.code, "rate_limited");
  const scanned = await scans();
  await delay(2_000);
  assert.equal(await scans(), scanned);
  const claim = await callAs(provider, "POST", "/api/v1/jobs/claim.php", { task_id: task.task_id });
  assert.equal(claim.status, 200);
  for (const { body } of await Promise.all(waits)) assert.equal(body.task.state, "claimed");
});
