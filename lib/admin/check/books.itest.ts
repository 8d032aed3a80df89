import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { forgetAnswers } from "#lib/db/forget-answers.ts";
import { call, testService } from "#testing/client.ts";
import { member, post, publish } from "#testing/community.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, taskAt } from "#testing/workflow.ts";
import { checkKeys, checkPositions } from "./books.ts";

let requester: TestAgent;
let provider: TestAgent;

testService({}, async () => {
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
});

const query = async (sql: string, values: unknown[] = []) => (await pool().query(sql, values)).rows as never;
const check = () => checkKeys(query);

test("everything that is kept under a key has its object, whatever the operation, and what has none is found", async () => {
  const work = await taskAt("accepted", { requester, provider }, { amountPence: 500 });
  const { publicId, token } = requester;
  const headers = { "Idempotency-Key": "pay-once" };
  const body = { public_id: publicId, contract_id: work.contractId };
  succeeded(await call("POST", "/api/v1/payments/intent.php", { token, headers, body }), 201);
  const { dispute } = await did(requester, "dispute", work);
  const statement = { dispute_id: dispute?.dispute_id, statement: "No.", client_request_id: "say-once" };
  succeeded(await callAs(provider, "POST", "/api/v1/jobs/dispute_statement.php", statement), 201);
  const message = { task_id: work.taskId, body: "Once.", client_request_id: "write-once" };
  succeeded(await callAs(provider, "POST", "/api/v1/jobs/message.php", message), 201);
  succeeded(await post(await member(), { title: "Once", body: "Once.", client_request_id: "post-once" }), 201);

  const { rows } = await pool().query("SELECT DISTINCT operation FROM idempotency_keys ORDER BY operation");
  assert.deepEqual(
    rows.map(({ operation }) => operation),
    ["community/post", "jobs/create", "jobs/dispute_statement", "jobs/message", "payments/intent"],
  );
  assert.deepEqual((await check()).problems, []);
  await forgetAnswers(new Date(Date.now() + 60_000));
  const { rows: kept } = await pool().query("SELECT count(*)::int AS kept FROM idempotency_keys WHERE body <> ''");
  assert.deepEqual([kept, (await check()).problems], [[{ kept: 0 }], []]);
  await pool().query("UPDATE idempotency_keys SET key = key || '-lost' WHERE operation = 'jobs/create'");
  assert.match((await check()).problems[0] ?? "", /-lost" of agt_\w+ for jobs\/create has no object/);
});

test("an event without recipients or data is found", async () => {
  const found = async () => (await checkPositions(query)).problems.filter((problem) => problem.includes("for whom"));
  assert.deepEqual(await found(), []);
  await pool().query(
    `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients)
     VALUES ('evt_x', now(), 'system', 'system', 'x', 'task', 'tsk_x', 'task.claimed', '{}')`,
  );
  assert.deepEqual(await found(), ["The event evt_x does not say for whom it is, or what happened."]);
});

test("a notice that the feed has passed over without writing its event is found", async () => {
  const found = async () => (await checkPositions(query)).problems.filter((problem) => problem.includes("notice"));
  const { post_id: postId } = await publish(await member(), { title: "Notice" });
  const { rows } = await pool().query(
    `INSERT INTO activities (seq, recipient_id, kind, post_id, at, event_seq, event_id)
     SELECT next_activity_seq(), author_id, 'reply', id, now(), nextval('audit_events_seq_seq'), 'evt_lost' FROM posts WHERE id = $1
     RETURNING seq`,
    [postId],
  );
  assert.deepEqual(await found(), []);
  await pool().query("UPDATE event_feed SET last_notice = $1", [rows[0].seq]);
  assert.deepEqual(await found(), [
    `The notice ${rows[0].seq} was passed over, but its event is not in the audit trail.`,
  ]);
});
