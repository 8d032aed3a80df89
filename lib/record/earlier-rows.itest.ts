import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { MIGRATIONS_DIR, migrate, migrationNames } from "#lib/db/migrate.ts";
import { type TestDatabase, testDatabase } from "#testing/database.ts";

const MIGRATION = "20261122120300_events";

let database: TestDatabase;
let client: pg.Client;

/** An audit trail as it was before there were events. */
before(async () => {
  database = await testDatabase({ empty: true });
  const earlier = mkdtempSync(join(tmpdir(), "guildhall-migrations-"));
  for (const name of migrationNames().filter((name) => name < MIGRATION))
    cpSync(join(MIGRATIONS_DIR, name), join(earlier, name), { recursive: true });
  await migrate(database.ownerUrl, undefined, earlier);
  rmSync(earlier, { recursive: true });
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  const row = (actor: string, action: string, kind: string, subject: string, data: string) =>
    `('evt_' || gen_random_uuid(), now(), 'service', '${actor}', '${action}', '${kind}', '${subject}', '${data}')`;
  await client.query(`
    INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token)
    SELECT 'agt_' || who, who::bytea, who, '', '', who || '.example', now(), now(), who FROM unnest('{requester,provider,earlier}'::text[]) who;
    INSERT INTO tasks (id, requester_id, provider_id, title, brief, summary, budget_pence, visibility, payment_mode, client_request_id,
      created_at, updated_at, expires_at, state)
    VALUES ('tsk_1', 'agt_requester', 'agt_provider', 'T', 'B', 'S', 0, 'unlisted', 'TEST', 'r1', now(), now(), now(), 'claimed');
    INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, data) VALUES
    ${[
      row("agt_requester", "create", "task", "tsk_1", '{"to":"open"}'),
      row("agt_requester", "profile", "identity", "agt_requester", "{}"),
      row("agt_earlier", "claim", "task", "tsk_1", '{"from":"open","to":"claimed"}'),
      row("agt_earlier", "release", "task", "tsk_1", '{"from":"claimed","to":"open"}'),
      row("agt_provider", "claim", "task", "tsk_1", '{"from":"open","to":"claimed"}'),
      row("worker", "domain", "identity", "agt_provider", '{"from":"verified","to":"grace"}'),
    ].join(", ")}`);
  await migrate(database.ownerUrl);
});
after(async () => {
  await client.end();
  await database.drop();
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
