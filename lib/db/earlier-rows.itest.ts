import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { type TestDatabase, testDatabase } from "#testing/database.ts";
import { migrate } from "./migrate.ts";
import { migrationNames } from "./migration-file.ts";

// Rows of earlier versions, which a migration has to change or remove.

let database: TestDatabase;
let client: pg.Client;

before(async () => {
  database = await testDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await migrateUpTo("20261122100200_references");
  const identities = ["agt_requester", "agt_provider"]
    .map((id, at) => `('${id}', '\\x0${at}', '${id}', '', '', '${id}.example', now(), now(), '${id}', 'own_gone')`)
    .join();
  await client.query(`
    INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token, owner_id)
    VALUES ${identities};
    UPDATE identities SET denied_actions = NULL WHERE id = 'agt_provider';
    INSERT INTO tasks (id, requester_id, title, brief, summary, budget_pence, visibility, payment_mode, client_request_id,
      created_at, updated_at, expires_at)
    VALUES ('tsk_1', 'agt_requester', 'T', 'B', 'S', 999, 'listed', 'LIVE', 'r1', now(), now(), now());
    INSERT INTO contracts (id, task_id, requester_id, provider_id, payment_mode, amount_pence, terms, terms_canonical, terms_hash, created_at)
    VALUES ('con_1', 'tsk_1', 'agt_requester', 'agt_provider', 'LIVE', 999, '{}', '{}', 'x', now());
    INSERT INTO payments (id, contract_id, requester_id, payment_mode, amount_pence, created_at, expires_at)
    VALUES ('pay_open', 'con_1', 'agt_requester', 'LIVE', 999, now(), now());
    INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at) VALUES
      ('agt_requester', 'payments/intent', 'unanswered', '', 102, 'pay_open', now()),
      ('agt_requester', 'payments/intent', 'answered', '', 201, '{"ok":true,"payment":{"payment_id":"pay_open"}}', now()),
      ('agt_requester', 'payments/intent', 'orphan', '', 102, 'pay_gone', now()),
      ('agt_requester', 'jobs/create', 'other', '', 201, 'not read as JSON', now());
    INSERT INTO profiles (id, name, joined_at, key_digest, key_hint, key_created_at) VALUES ('agt_provider', 'P', now(), '\\x01', 'abcd', now());
    INSERT INTO activities (seq, recipient_id, kind, task_id, at) VALUES
      (1, 'agt_provider', 'task_selected', 'tsk_1', now()), (2, 'agt_gone', 'task_selected', 'tsk_1', now()),
      (3, 'agt_provider', 'task_selected', 'tsk_gone', now());
    INSERT INTO reply_edges (from_id, to_id, replies, last_at) VALUES ('agt_provider', 'agt_gone', 1, now());
    INSERT INTO owner_challenges (digest, purpose, session_id, expires_at) VALUES
      ('\\x01', 'sign-in', NULL, now()), ('\\x02', 'confirm', 'ses_gone', now());
  `);
  await migrateUpTo("20261122120300_events");
  const row = (actor: string, action: string, kind: string, subject: string, data: string) =>
    `('evt_' || gen_random_uuid(), now(), 'service', '${actor}', '${action}', '${kind}', '${subject}', '${data}')`;
  await client.query(`
    INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token)
    VALUES ('agt_earlier', '\\x02', 'agt_earlier', '', '', 'agt_earlier.example', now(), now(), 'agt_earlier');
    INSERT INTO tasks (id, requester_id, provider_id, title, brief, summary, budget_pence, visibility, payment_mode, client_request_id,
      created_at, updated_at, expires_at, state)
    VALUES ('tsk_2', 'agt_requester', 'agt_provider', 'T', 'B', 'S', 0, 'unlisted', 'TEST', 'r2', now(), now(), now(), 'claimed');
    INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, data) VALUES
    ${[
      row("agt_requester", "create", "task", "tsk_2", '{"to":"open"}'),
      row("agt_requester", "profile", "identity", "agt_requester", "{}"),
      row("agt_earlier", "claim", "task", "tsk_2", '{"from":"open","to":"claimed"}'),
      row("agt_earlier", "release", "task", "tsk_2", '{"from":"claimed","to":"open"}'),
      row("agt_provider", "claim", "task", "tsk_2", '{"from":"open","to":"claimed"}'),
      row("worker", "domain", "identity", "agt_provider", '{"from":"verified","to":"grace"}'),
    ].join(", ")}`);
  await migrate(database.ownerUrl);
});
after(async () => {
  await client.end();
  await database.drop();
});

/** Applies the migrations before this one. */
function migrateUpTo(name: string) {
  const earlier = migrationNames().filter((each) => each < name);
  return migrate(database.ownerUrl, undefined, undefined, earlier);
}

async function rows(sql: string): Promise<unknown[]> {
  return (await client.query({ text: sql, rowMode: "array" })).rows.map((row: unknown) => (row as unknown[]).join(" "));
}

test("a key whose payment awaited its checkout has a payment, and no status of its own", async () => {
  assert.deepEqual(await rows("SELECT key, payment_id, status, body IS NULL FROM idempotency_keys ORDER BY key"), [
    "answered pay_open 201 false",
    "other  201 false",
    "unanswered pay_open  true",
  ]);
  await assert.rejects(
    client.query("UPDATE idempotency_keys SET status = NULL WHERE key = 'other'"),
    /idempotency_keys_answered/,
  );
});

test("orphaned rows are removed or cleared; all others stay", async () => {
  assert.deepEqual(await rows("SELECT seq FROM activities"), ["1"]);
  assert.deepEqual(await rows("SELECT count(*) FROM reply_edges"), ["0"]);
  assert.deepEqual(await rows("SELECT purpose FROM owner_challenges"), ["sign-in"]);
  assert.deepEqual(await rows("SELECT id, owner_id, denied_actions::text FROM identities ORDER BY id"), [
    "agt_earlier  {}",
    "agt_provider  {}",
    "agt_requester  {}",
  ]);
});

test("an ID that names nothing is refused from now on", async () => {
  for (const sql of [
    "UPDATE identities SET owner_id = 'own_gone'",
    "UPDATE payments SET requester_id = 'agt_gone'",
    "INSERT INTO disputes (id, task_id, opened_by, reason, created_at) VALUES ('dsp_1', 'tsk_1', 'agt_gone', 'R', now())",
  ])
    await assert.rejects(client.query(sql), { code: "23503" });
});

test("what was recorded before events has positions in its order, and the recipients that it would have had", async () => {
  const { rows } = await client.query(
    `SELECT p.position::int, e.type, e.recipients FROM event_positions p JOIN audit_events e USING (seq) ORDER BY p.position`,
  );
  assert.deepEqual(
    rows.map(({ position, type, recipients }) => [position, type, recipients.sort()]),
    [
      [1, "task.created", ["agt_requester"]],
      [2, "task.claimed", ["agt_earlier", "agt_requester"]],
      [3, "task.released", ["agt_earlier", "agt_requester"]],
      [4, "task.claimed", ["agt_provider", "agt_requester"]],
      [5, "identity.grace", ["agt_provider"]],
    ],
  );
  const { rows: feed } = await client.query("SELECT last_position::int, oldest::int FROM event_feed");
  assert.deepEqual(feed, [{ last_position: 5, oldest: 0 }]);
  const { rows: indexed } = await client.query("SELECT count(*)::int AS count FROM event_recipients");
  assert.deepEqual(indexed, [{ count: 8 }]);
});

test("the audit trail and its positions still refuse every change", async () => {
  for (const sql of [
    "UPDATE audit_events SET type = NULL",
    "DELETE FROM audit_events",
    "UPDATE event_positions SET position = position + 10",
    "DELETE FROM event_positions",
  ])
    await assert.rejects(client.query(sql), { code: "23001" });
});
