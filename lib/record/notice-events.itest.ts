import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { profileRecipient } from "#lib/kernel/event-types.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { actAs, member, post, publish, type TestMember } from "#testing/community.ts";
import { settled } from "#testing/events.ts";
import { readPlaced } from "./read.ts";
import { startRecord } from "./record.ts";
import { readUnplacedEvents } from "./unplaced-events.ts";

let record: ReturnType<typeof startRecord> | undefined;
let author: TestMember;
let answered: TestMember;
let mentioned: TestMember;
testService({}, async () => {
  [author, answered, mentioned] = [await member(), await member(), await member()];
  return () => record?.stop();
});

/** What is placed of that which `work` does while no process gives positions. */
async function placedAfter(work: () => Promise<void>) {
  record ??= startRecord();
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
    ...{
      actor_kind: "profile",
      actor_id: author.publicId,
      action: "reply",
      subject_kind: "post",
      subject_id: reply.post_id,
    },
    ...{
      reason: null,
      data: null,
      request_id: requestId,
      type: "post.replied",
      task_id: null,
      xid: null,
    },
    event_data: {
      ...{ post_id: reply.post_id, thread_id: reply.thread_id, room: "help", reply_to: opening.post_id },
      ...{ author: author.publicId, seq: reply.seq },
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
  record ??= startRecord();
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
