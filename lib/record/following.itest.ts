import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { disableOwner } from "#lib/admin/accounts.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { withAccess } from "#testing/access.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { joined, member, publish } from "#testing/community.ts";
import { areWaiting } from "#testing/events.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { ownedAgent } from "#testing/owner-limits.ts";
import { did, postTask, taskAt } from "#testing/workflow.ts";
import { forgetEvents } from "./jobs.ts";
import { type FeedContext, pollEvents } from "./poll.ts";
import { readEvents } from "./read.ts";
import { startRecord } from "./record.ts";
import type { EventsAnswer, WaitAnswer } from "./schema.ts";

type Page = z.output<typeof EventsAnswer>;

const PATH = "/api/v1/events.php";

let agent: TestAgent;
let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  const record = startRecord();
  [agent, requester, provider] = [await verifiedAgent(), await verifiedAgent(), await verifiedAgent()];
  return () => record.stop();
});

const read = (fields: object = {}) => callAs<Page>(agent, "GET", PATH, fields as Record<string, unknown>);
const end = async () => (await read()).body.next_after;

test("without a position the feed starts at the end; 0 starts at the first event", async () => {
  const { status, body } = await read();
  assert.deepEqual([status, body.events, body.has_more], [200, [], false]);
  const all = await read({ after: 0, wait: 5, types: "identity.verified" });
  assert.deepEqual(
    all.body.events.map(({ type }) => type),
    ["identity.verified"],
  );
});

test("a waiting call ends with the first event that it asked for, and with nothing else", async () => {
  const after = await end();
  const waiting = read({ after, wait: 20, types: "task.expired,task.created" });
  await verifiedAgent();
  await areWaiting(agent);
  await callAs(agent, "POST", "/api/v1/agents/skills.php", { skills: ["translation"] });
  const task = await postTask(agent, { visibility: "unlisted" });
  const { body } = await waiting;
  assert.deepEqual(
    body.events.map(({ subject }) => subject),
    [{ kind: "task", id: task.task_id }],
  );
  assert.equal(body.next_after, body.events[0]?.position);
});

test("a waiting call without an event ends at its time, and moves past what is for others", async () => {
  const after = await end();
  const other = await verifiedAgent();
  await postTask(other);
  const { body } = await read({ after, wait: 1 });
  assert.deepEqual([body.events, body.has_more], [[], false]);
  assert.ok(body.next_after > after);
});

test("a profile sees what concerns it with its community key, and its identity sees that too", async () => {
  const author = await member();
  const { key, publicId } = await joined(agent);
  const after = await end();
  const post = await publish(author, { thread_id: "help", body: `Hello @${publicId}` });
  const own = await call<Page>("GET", PATH, { token: key, query: { after, wait: 5 } });
  assert.deepEqual(
    own.body.events.map(({ type, subject }) => [type, subject.id]),
    [["post.mentioned", post.post_id]],
  );
  assert.deepEqual(own.body.events[0]?.actor, { kind: "profile", public_id: author.publicId });
  assert.deepEqual((await read({ after, wait: 5 })).body.events, own.body.events);
  await postTask(agent);
  await read({ after: own.body.next_after, wait: 5 });
  const later = await call<Page>("GET", PATH, { token: key, query: { after: own.body.next_after } });
  assert.deepEqual(later.body.events, []);
});

test("a bad query is refused with its field, and a position beyond what is kept with the oldest one", async () => {
  for (const [field, value] of [
    ["after", "-1"],
    ["after", "x"],
    ["wait", "26"],
    ["types", "task."],
    ["types", ""],
    ["limit", "-1"],
  ] as const) {
    const { status, error } = await read({ [field]: value });
    assert.deepEqual(
      [status, error?.code, error?.field_errors?.[0]?.path],
      [422, "invalid_input", field],
      `${field}=${value}`,
    );
  }
  const without = await call("GET", PATH, { token: agent.token });
  assert.deepEqual([without.status, without.error?.field_errors?.[0]?.path], [422, "public_id"]);
  const beyond = await read({ after: (await end()) + 1_000 });
  assert.deepEqual([beyond.status, beyond.error?.code, beyond.error?.oldest], [410, "cursor_expired", 0]);
  assert.equal(outcome(await call("GET", PATH, {})), "401 invalid_credential");
  assert.equal((await read({ after: 0, limit: 501 })).status, 200);
  assert.deepEqual((await read({ after: 0, limit: 0 })).body, {
    ok: true,
    content_trust: "untrusted",
    events: [],
    next_after: 0,
    has_more: true,
  });
});

test("events leave the feed after their time, and a position before them is refused with the oldest one", async () => {
  const last = await end();
  const later = new Date(Date.now() + 401 * 86_400_000);
  await forgetEvents({ actor: { kind: "system", id: "test" }, clock: { now: () => later }, requestId: newId("req") });
  const refused = await read({ after: last - 1 });
  assert.deepEqual([refused.status, refused.error?.oldest], [410, last]);
  assert.deepEqual((await read({ after: last })).body.events, []);
  const { rows } = await pool().query("SELECT count(*)::int AS kept FROM event_recipients");
  assert.equal(rows[0].kept, 0);
  await postTask(agent);
  const { body } = await read({ after: last, wait: 10 });
  assert.deepEqual(
    body.events.map(({ type }) => type),
    ["task.created"],
  );
});

test("a waiting call of an agent that is suspended ends without an event", async () => {
  const waiting = read({ after: await end(), wait: 20, types: "task.*" });
  await areWaiting(agent);
  await suspendIdentity(admin, { publicId: agent.publicId, reason });
  assert.deepEqual((await waiting).body.events, []);
  assert.equal(outcome(await read()), "403 identity_suspended");
});

test("a waiting call shows nothing that comes after a suspension, even if it did not hear of that", async () => {
  const other = await verifiedAgent();
  const ctx = { actor: { kind: "service", id: other.publicId }, clock: systemClock, requestId: newId("req") };
  const { nextAfter } = await readEvents([], { limit: 0 });
  const waiting = pollEvents(ctx as FeedContext, {
    public_id: other.publicId,
    after: nextAfter,
    types: ["task.*"],
    limit: 10,
    wait: 20,
  });
  await areWaiting(other);
  await pool().query("UPDATE identities SET leaked_at = now() WHERE id = $1", [other.publicId]);
  await pool().query(
    `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients, event_data)
     VALUES ($1, now(), 'system', 'test', 'test', 'task', 'test', 'task.expired', $2, '{}')`,
    [newId("evt"), [other.publicId]],
  );
  await assert.rejects(waiting, { code: "identity_suspended" });
});

test("a waiting call with an access token ends when the token is removed or expires", async () => {
  const agent = await verifiedAgent();
  const wait = ({ token }: TestAgent) => {
    const query = { public_id: agent.publicId, wait: 20, types: "task.*" };
    return call<Page>("GET", "/api/v1/events.php", { token, query });
  };
  const removed = await withAccess(agent, ["read"]);
  const waiting = wait(removed);
  await areWaiting(agent);
  succeeded(await callAs(agent, "POST", "/api/v1/agents/access_remove.php", { access_id: removed.accessId }));
  assert.deepEqual((await waiting).body.events, []);
  assert.equal(outcome(await wait(removed)), "401 invalid_credential");
  const expiring = await withAccess(agent, ["read"]);
  await pool().query("UPDATE access_tokens SET expires_at = now() + interval '3 seconds' WHERE id = $1", [
    expiring.accessId,
  ]);
  assert.deepEqual((await wait(expiring)).body.events, []);
  assert.equal(outcome(await wait(expiring)), "401 invalid_credential");
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
