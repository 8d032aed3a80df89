import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { withClient } from "#lib/db/with-client.ts";
import { EVENT_TYPES, profileRecipient } from "#lib/kernel/event-types.ts";
import { newId } from "#lib/kernel/ids.ts";
import { expireDueTasks } from "#lib/tasks/advance.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { actAs, member, post, publish, type TestMember } from "#testing/community.ts";
import { settled } from "#testing/events.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, postTask, taskAt } from "#testing/workflow.ts";
import { isWanted, isWantedSql } from "./event-filter.ts";
import { readEvents, readPlaced, recipientsOf } from "./read.ts";
import { startRecord } from "./record.ts";
import { onPositions } from "./tail.ts";
import { readUnplacedEvents } from "./unplaced-events.ts";

let record: ReturnType<typeof startRecord>;
let requester: TestAgent;
let provider: TestAgent;
let author: TestMember;
let answered: TestMember;
let mentioned: TestMember;
const service = testService({}, async () => {
  record = startRecord();
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  [author, answered, mentioned] = [await member(), await member(), await member()];
  return () => record.stop();
});

const feedOf = async (agent: TestAgent, after: number, types?: string[]) => {
  await settled();
  return readEvents(recipientsOf({ kind: "service", id: agent.publicId }), { after, types, limit: 500 });
};

test("each party of a task gets the events about it, in order, and a stranger gets none", async () => {
  const start = await settled();
  const stranger = await registerAgent();
  const work = await taskAt(
    "completed",
    { requester, provider },
    { task: { provider_public_id: provider.publicId, visibility: "unlisted" } },
  );
  const shared = [
    "task.claimed",
    "contract.proposed",
    "contract.accepted",
    "contract.accepted",
    "settlement.recorded",
    "payment.created",
    "payment.confirmed",
    "task.started",
    "task.submitted",
    "task.completed",
    "settlement.approved",
  ];
  const mine = await feedOf(requester, start);
  assert.deepEqual(
    mine.events.map(({ type }) => type),
    ["task.created", ...shared],
  );
  assert.deepEqual(
    (await feedOf(provider, start)).events.map(({ type }) => type),
    ["task.selected", ...shared],
  );
  assert.deepEqual((await feedOf(stranger, start)).events, []);
  for (const event of mine.events) assert.equal(event.task_id, work.taskId);
  assert.deepEqual(mine.events[1]?.actor, { kind: "service", public_id: provider.publicId });
  assert.equal(mine.hasMore, false);
  const text = JSON.stringify(mine.events);
  for (const secret of ["Count the words", "Three words", "Synthetic data", requester.token])
    assert.ok(!text.includes(secret), secret);
});

test("positions have no gaps, and every event has exactly one", async () => {
  await settled();
  const { rows } = await pool().query(
    `SELECT count(*)::int AS events, count(p.position)::int AS placed, min(p.position)::int AS first, max(p.position)::int AS last
     FROM audit_events e LEFT JOIN event_positions p USING (seq) WHERE e.type IS NOT NULL`,
  );
  const { events, placed, first, last } = rows[0];
  assert.deepEqual([placed, first, last], [events, 1, events]);
});

test("an event of a transaction that stays open delays no other, and is not lost", async () => {
  const start = await settled();
  await withClient(service.url, async (client) => {
    await client.query("BEGIN");
    await client.query(
      `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients, event_data)
       VALUES ('evt_open', now(), 'system', 'test', 'test', 'task', 'tsk_x', 'task.expired', ARRAY[$1], '{}')`,
      [requester.publicId],
    );
    const task = await postTask(requester);
    let seen = await feedOfNow(requester, start);
    for (; seen.events.length === 0; seen = await feedOfNow(requester, start)) await delay(20);
    assert.deepEqual(
      seen.events.map(({ subject }) => subject.id),
      [task.task_id],
    );
    await client.query("COMMIT");
    const later = await feedOf(requester, seen.nextAfter);
    assert.deepEqual(
      later.events.map(({ event_id }) => event_id),
      ["evt_open"],
    );
  });
});

const feedOfNow = (agent: TestAgent, after: number) =>
  readEvents(recipientsOf({ kind: "service", id: agent.publicId }), { after, limit: 500 });

test("events that were restored from another cluster are placed, and so is what follows", async () => {
  const start = await settled();
  await record.stop();
  const beyond = "9000000000000";
  await pool().query("UPDATE event_feed SET horizon = $1::xid8", [beyond]);
  await pool().query(
    `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients, event_data, xid)
     VALUES ('evt_restored', now(), 'system', 'test', 'test', 'task', 'tsk_x', 'task.expired', ARRAY[$1], '{}', $2::xid8)`,
    [requester.publicId, beyond],
  );
  const [before] = await readUnplacedEvents();
  assert.equal(before?.waiting, 1);
  assert.ok(Number(before?.oldestMs) >= 0);
  record = startRecord();
  await settled();
  assert.deepEqual(await readUnplacedEvents(), [{ waiting: 0, oldestMs: null }]);
  const { task_id: taskId } = await postTask(requester);
  const { events } = await feedOf(requester, start);
  assert.deepEqual([events[0]?.event_id, events[1]?.subject.id, events.length], ["evt_restored", taskId, 2]);
});

test("a listener gets new positions", async () => {
  await settled();
  const heard = Promise.withResolvers<number>();
  const end = onPositions(heard.resolve);
  await postTask(requester);
  assert.equal(await heard.promise, await settled());
  end();
});

test("a page moves past what belongs to others, and stops at its limit", async () => {
  const start = await settled();
  await taskAt("claimed", { requester, provider });
  await postTask(provider);
  const end = await settled();
  const mine = recipientsOf({ kind: "service", id: requester.publicId });
  const first = await readEvents(mine, { after: start, limit: 1 });
  assert.deepEqual([first.events.length, first.hasMore, first.nextAfter], [1, true, first.events[0]?.position]);
  const rest = await readEvents(mine, { after: first.nextAfter, limit: 1 });
  assert.deepEqual([rest.events[0]?.type, rest.hasMore, rest.nextAfter], ["task.claimed", false, end]);
  const none = await readEvents(mine, { after: start, types: ["dispute.*", "task.expired"], limit: 5 });
  assert.deepEqual(none, { events: [], nextAfter: end, hasMore: false });
  await assert.rejects(readEvents(mine, { after: end + 1, limit: 5 }), {
    code: "cursor_expired",
    details: { oldest: 0 },
  });
});

test("the feed and streams have one rule for which types are wanted", async () => {
  const filters = [
    undefined,
    [],
    ["*"],
    ["task.*"],
    ["task.claimed"],
    ["task.claimed", "post.*"],
    ["claimed"],
    ["task"],
  ];
  for (const types of filters) {
    const { rows } = await pool().query(`SELECT type, ${isWantedSql("$2")} AS wanted FROM unnest($1::text[]) AS type`, [
      EVENT_TYPES,
      types ?? null,
    ]);
    for (const { type, wanted } of rows) assert.equal(isWanted(type, types), wanted, `${type} by ${types}`);
  }
});

test("a dispute is the subject of its own events", async () => {
  const start = await settled();
  const work = await taskAt("claimed", { requester, provider });
  await did(requester, "dispute", work);
  const { events } = await feedOf(provider, start, ["dispute.*"]);
  assert.deepEqual(
    events.map(({ type, subject, data }) => [type, subject.kind, subject.id === data.dispute_id]),
    [["dispute.opened", "dispute", true]],
  );
});

const typesOf = async (recipients: string[], after: number) => {
  await settled();
  const { events } = await readEvents(recipients, { after, limit: 500 });
  return events.map(({ type, data }) => [type, data.reason ?? null]);
};

test("each way in which a task ends or goes back is an event for its parties", async () => {
  const start = await settled();
  const selected = { task: { provider_public_id: provider.publicId } };
  const released = await taskAt("claimed", { requester, provider });
  await did(provider, "release", released, { reason: "Too busy." });
  await did(requester, "cancel", released);
  const declined = await taskAt("proposed", { requester, provider });
  await did(provider, "decline", declined);
  const returned = await taskAt("submitted", { requester, provider }, { amountPence: 0 });
  await did(requester, "request_changes", returned);
  const { dispute } = await did(provider, "dispute", returned);
  await resolveDispute(admin, { disputeId: dispute?.dispute_id ?? "", resolution: "requester", reason: "Not done." });
  await taskAt("expired", { requester, provider }, selected);
  await expireDueTasks(admin);
  const hidden = await taskAt("open", { requester, provider }, selected);
  await did(requester, "cancel", hidden, { reason: "For the requester and the claiming provider." });
  const all = await typesOf([provider.publicId], start);
  const wanted = /task\.(released|cancelled|expired|changes_requested|selected)|contract.declined|dispute|void/;
  assert.deepEqual(
    all.filter(([type]) => wanted.test(type as string)),
    [
      ["task.released", "Too busy."],
      ["contract.declined", "Too little time."],
      ["task.changes_requested", "One is missing."],
      ["dispute.opened", "We do not agree."],
      ["dispute.resolved", "Not done."],
      ["task.cancelled", "Not done."],
      ["settlement.void", null],
      ["task.selected", null],
      ["task.expired", null],
      ["task.selected", null],
      ["task.cancelled", null],
    ],
  );
});

test("an agent gets the events about its own standing, and why it is held", async () => {
  const { publicId, verification } = await registerAgent();
  const start = await settled();
  const host = `host:${new URL(verification.url).host}`;
  await hold(admin, { subjectId: publicId, reason: "A secret of the administrator." });
  await unhold(admin, { subjectId: publicId, reason });
  await hold(admin, { subjectId: host, reason });
  await unhold(admin, { subjectId: host, reason });
  await suspendIdentity(admin, { publicId, reason });
  await restoreIdentity(admin, { publicId, reason });
  assert.deepEqual(await typesOf([publicId], start), [
    ["identity.held", "identity_held"],
    ["identity.unheld", "identity_held"],
    ["identity.held", "host_held"],
    ["identity.unheld", "host_held"],
    ["identity.suspended", null],
    ["identity.restored", null],
  ]);
});

test("the author of a post, the one answered and those mentioned get the events about it and its withdrawal", async () => {
  const stranger = await member();
  const start = await settled();
  const opening = await publish(answered, { thread_id: "help" });
  const reply = await publish(author, { reply_to: opening.post_id, body: `Ask @${mentioned.publicId}, please.` });
  await actAs(author, "withdraw", { post_id: reply.post_id });
  const [withdrawn, replied, mention] = ["post.withdrawn", "post.replied", "post.mentioned"].map((type) => [
    type,
    null,
  ]);
  const seen = [];
  for (const { publicId } of [author, answered, mentioned, stranger])
    seen.push(await typesOf([profileRecipient(publicId)], start));
  assert.deepEqual(seen, [[replied, mention, withdrawn], [replied, withdrawn], [mention, withdrawn], []]);
});

/** What is placed of that which `work` does while no process gives positions. */
async function placedAfter(work: () => Promise<void>) {
  const start = await settled();
  await record.stop();
  await work();
  const [waiting] = await readUnplacedEvents();
  record = startRecord();
  await settled();
  assert.deepEqual(await readUnplacedEvents(), [{ waiting: 0, oldestMs: null }]);
  return { waiting: waiting?.waiting, placed: await readPlaced(start, 30_000) };
}

const profiles = (...agents: TestMember[]) => agents.map(({ publicId }) => profileRecipient(publicId)).sort();

test("a post's events come before what followed from them, although the sequencer writes them later", async () => {
  const opening = await publish(answered, { thread_id: "help" });
  let reply = opening;
  const { waiting, placed } = await placedAfter(async () => {
    reply = await publish(author, { reply_to: opening.post_id, body: `Ask @${mentioned.publicId}, please.` });
    await actAs(author, "withdraw", { post_id: reply.post_id });
  });
  assert.equal(waiting, 3);
  assert.deepEqual(
    placed.map(({ event, recipients }) => [event.type, event.subject.id, [...recipients].sort()]),
    [
      ["post.replied", reply.post_id, profiles(author, answered)],
      ["post.mentioned", reply.post_id, profiles(author, mentioned)],
      ["post.withdrawn", reply.post_id, profiles(author, answered, mentioned)],
    ],
  );
});

test("their rows in the audit trail say who wrote the post, when, and with which request", async () => {
  const opening = await publish(answered, { thread_id: "help" });
  let reply = opening;
  let requestId: string | null = null;
  await placedAfter(async () => {
    const answer = await post(author, { reply_to: opening.post_id, body: "Yes." });
    requestId = answer.headers.get("x-request-id");
    reply = answer.body.post;
  });
  const { rows } = await pool().query("SELECT * FROM audit_events WHERE subject_id = $1", [reply.post_id]);
  assert.equal(rows.length, 1);
  const { id, seq: _, at, recipients, ...row } = rows[0];
  assert.match(id, /^evt_/);
  assert.equal(at.toISOString(), new Date(reply.created_at).toISOString());
  assert.deepEqual(recipients.sort(), profiles(author, answered));
  assert.deepEqual(row, {
    actor_kind: "profile",
    actor_id: author.publicId,
    action: "reply",
    subject_kind: "post",
    subject_id: reply.post_id,
    reason: null,
    data: null,
    request_id: requestId,
    type: "post.replied",
    task_id: null,
    xid: null,
    event_data: {
      post_id: reply.post_id,
      thread_id: reply.thread_id,
      room: "help",
      reply_to: opening.post_id,
      author: author.publicId,
      seq: reply.seq,
    },
  });
});

test("all who are mentioned share one event, and a notice without one is passed over", async () => {
  const opening = await publish(author, { thread_id: "help" });
  const { waiting, placed } = await placedAfter(async () => {
    await pool().query(
      "INSERT INTO activities (seq, recipient_id, kind, post_id, at) VALUES (next_activity_seq(), $1, 'moderation', $2, now())",
      [author.publicId, opening.post_id],
    );
    await publish(author, {
      reply_to: opening.post_id,
      body: `@${answered.publicId} and @${mentioned.publicId}, look.`,
    });
  });
  assert.equal(waiting, 2);
  assert.deepEqual(
    placed.map(({ event, recipients }) => [event.type, [...recipients].sort()]),
    [["post.mentioned", profiles(author, answered, mentioned)]],
  );
});

test("many notices without events are passed over, although no event comes", async () => {
  const { post_id } = await publish(answered, { thread_id: "help" });
  await settled();
  await pool().query(
    `INSERT INTO activities (seq, recipient_id, kind, post_id, at)
     SELECT next_activity_seq(), $1, 'moderation', $2, now() FROM generate_series(1, 1100)`,
    [author.publicId, post_id],
  );
  const readLag = async () =>
    (await pool().query("SELECT (SELECT max(seq) FROM activities) - last_notice AS lag FROM event_feed")).rows[0].lag;
  for (let turn = 0; turn < 1_200 && (await readLag()) !== "0"; turn++) await delay(50);
  assert.equal(await readLag(), "0");
});

test("what has waited long is placed in several batches: every event once, in the order of its number", async () => {
  const most = 25_000;
  const opening = await publish(answered, { thread_id: "help" });
  const { placed } = await placedAfter(async () => {
    await pool().query(
      `INSERT INTO activities (seq, recipient_id, kind, post_id, at, event_seq, event_id, actor_kind, actor_id, request_id)
       SELECT next_activity_seq(), $1, 'reply', $2, now(), nextval('audit_events_seq_seq'), $3 || n, 'profile', $1, 'req_test'
       FROM generate_series(1, ${most}) AS n`,
      [author.publicId, opening.post_id, `${newId("evt")}.`],
    );
  });
  assert.deepEqual(
    placed.map(({ event }) => Number(event.event_id.split(".")[1])),
    Array.from({ length: most }, (_, index) => index + 1),
  );
});
