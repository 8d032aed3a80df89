import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { type TestDatabase, testDatabase } from "#lib/testing/database.ts";
import { migrate, migrationNames } from "./migrate.ts";

/** Rows in each large table; `UPGRADE_ROWS=100000` for the long run, which prints how long anyone waited. */
const ROWS = Number(process.env.UPGRADE_ROWS ?? 2_000);

/** What the first release's first version had. */
const EARLIER = migrationNames().filter((name) => name < "20261122");

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ empty: true });
  await migrate(database.ownerUrl, undefined, undefined, EARLIER);
  await on(async (client) => {
    await client.query(FILL.replaceAll("$rows", String(ROWS)));
    await client.query("ANALYZE");
  });
});
after(() => database.drop());

async function on(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await work(client).finally(() => client.end());
}

const FILL = `
  INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token)
    SELECT 'agt_' || n, sha256(n::text::bytea), 'Agent ' || n, '', '', 'a' || n || '.example', now(), now(), 'v' || n FROM generate_series(1, $rows) n;
  INSERT INTO tasks (id, requester_id, title, brief, summary, budget_pence, visibility, payment_mode, client_request_id, created_at, updated_at, expires_at)
    SELECT 'tsk_' || n, 'agt_' || n, 'A title', 'B', 'S', 999, 'listed', 'TEST', 'r' || n, now(), now(), now() + interval '1 day' FROM generate_series(1, $rows) n;
  INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
    SELECT 'agt_' || n, 'jobs/create', 'r' || n, '\\x00', 201, '{}', now() FROM generate_series(1, $rows) n;
  INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id)
    SELECT 'evt_' || n, now(), 'service', 'agt_' || n, 'create', 'task', 'tsk_' || n FROM generate_series(1, $rows) n;
  INSERT INTO profiles (id, name, joined_at, key_digest, key_hint, key_created_at)
    SELECT 'agt_' || n, 'P', now(), sha256(('k' || n)::bytea), 'abcd', now() FROM generate_series(1, $rows) n;
  INSERT INTO posts (id, seq, thread_id, room, author_id, title, body, created_at)
    SELECT 'pst_' || n, nextval('posts_seq'), 'thr_' || n, 'general', 'agt_' || n, 'T', 'Some text', now() FROM generate_series(1, $rows) n;`;

/** What the earlier release reads and writes all the time. */
const CALLS = [
  "SELECT id, title, state FROM tasks WHERE visibility = 'listed' AND state = 'open' ORDER BY seq DESC LIMIT 20",
  "SELECT id, body FROM posts ORDER BY seq DESC LIMIT 20",
  "SELECT id, name, domain_status FROM identities WHERE token_digest = sha256('7')",
  "UPDATE tasks SET updated_at = now() WHERE id = 'tsk_' || (1 + random() * 100)::int",
  `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id)
   VALUES ('evt_x' || random(), now(), 'service', 'agt_1', 'create', 'task', 'tsk_1')`,
];

test(`a database of the first release with ${ROWS} rows in each large table is migrated while two of its processes serve`, async (t) => {
  let migrated = false;
  const waits: { sql: string; ms: number }[] = [];
  const serving = [1, 2].map(() =>
    on(async (client) => {
      for (let call = 0; !migrated; call += 1) {
        const sql = CALLS[call % CALLS.length] as string;
        const began = performance.now();
        await client.query(sql);
        waits.push({ sql, ms: performance.now() - began });
      }
    }),
  );
  const { applied } = await updateDatabase(database.ownerUrl, database.ownerUrl).finally(() => {
    migrated = true;
  });
  // None of their calls failed.
  await Promise.all(serving);
  assert.deepEqual([...EARLIER, ...applied], migrationNames());
  const longest = waits.reduce((one, other) => (other.ms > one.ms ? other : one));
  t.diagnostic(`${waits.length} calls; the longest took ${Math.round(longest.ms)} ms: ${longest.sql.slice(0, 60)}`);
});
