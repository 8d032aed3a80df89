import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { type TestDatabase, testDatabase } from "#testing/database.ts";
import { FIRST_RELEASE, fillFirstRelease } from "#testing/first-release.ts";
import { migrate } from "./migrate.ts";
import { migrationNames } from "./migration-file.ts";
import { withClient } from "./with-client.ts";

/** Rows in each large table; `UPGRADE_ROWS=100000` for the long run, which also asserts how long anyone waited. */
const ROWS = Number(process.env.UPGRADE_ROWS ?? 1_000);
const LONGEST_MS = ROWS >= 100_000 ? 2_000 : Number.POSITIVE_INFINITY;

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ empty: true });
  await migrate(database.ownerUrl, undefined, undefined, FIRST_RELEASE);
  await on((client) => fillFirstRelease(client, ROWS));
});
after(() => database.drop());

const on = (work: (client: pg.Client) => Promise<void>) => withClient(database.ownerUrl, work);

/** What processes of the first release read and write. */
const CALLS = [
  "SELECT id, title, state FROM tasks WHERE visibility = 'listed' AND state = 'open' ORDER BY seq DESC LIMIT 20",
  "SELECT id, body FROM posts ORDER BY seq DESC LIMIT 20",
  "SELECT id, name, domain_status FROM identities WHERE token_digest = sha256('7')",
  "UPDATE tasks SET updated_at = now() WHERE id = 'tsk_' || (1 + random() * 100)::int",
  "UPDATE identities SET updated_at = now() WHERE id = 'agt_' || (1 + random() * 100)::int",
  "UPDATE offers SET price_pence = price_pence + 1 WHERE id = 'off_' || (1 + random() * 100)::int",
  `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id)
   VALUES ('evt_x' || random(), now(), 'service', 'agt_1', 'create', 'task', 'tsk_1')`,
  `INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
   VALUES ('agt_1', 'jobs/create', 'x' || random(), '\\x00', 201, '{}', now())`,
  `INSERT INTO owner_sessions (id_digest, owner_id, created_at, expires_at, user_agent)
   VALUES (sha256(('x' || random())::bytea), 'own_1', now(), now() + interval '1 day', 'browser')`,
  `INSERT INTO reports (id, post_id, owner_id, reason, created_at)
   VALUES ('rpt_' || random(), 'pst_' || (1 + random() * 100)::int, 'own_' || random(), 'spam', now())`,
];

/** Runs the calls one after the other, with short rests, until `ended`; the longest of each. */
async function serve(client: pg.Client, ended: () => boolean): Promise<Map<string, number>> {
  const longest = new Map<string, number>();
  for (let call = 0; !ended(); call += 1) {
    const sql = CALLS[call % CALLS.length] as string;
    const began = performance.now();
    await client.query(sql);
    longest.set(sql, Math.max(longest.get(sql) ?? 0, performance.now() - began));
    await delay(5);
  }
  return longest;
}

const LOCKS = `SELECT l.relation::regclass::text || ' ' || l.mode || ' ' || a.xact_start AS lock
  FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE a.application_name = 'guildhall migrate' AND a.xact_start IS NOT NULL AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    AND l.relation IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)`;

/** How long, in ms, each lock that stops writes was seen held. */
async function watchLocks(client: pg.Client, ended: () => boolean): Promise<Map<string, number>> {
  const since = new Map<string, number>();
  const held = new Map<string, number>();
  while (!ended()) {
    const now = performance.now();
    for (const { lock } of (await client.query<{ lock: string }>(LOCKS)).rows) {
      if (!since.has(lock)) since.set(lock, now);
      held.set(lock, now - (since.get(lock) ?? now));
    }
    await delay(20);
  }
  return held;
}

function longestOf(times: Map<string, number>[]): { what: string; ms: number } {
  const all = times.flatMap((each) => [...each].map(([what, ms]) => ({ what, ms: Math.round(ms) })));
  return all.reduce((one, other) => (other.ms > one.ms ? other : one), { what: "none", ms: 0 });
}

test(`a database of the first release with ${ROWS} rows in each large table is migrated while two of its processes serve`, async (t) => {
  let migrated = false;
  const calls: Map<string, number>[] = [];
  const locks: Map<string, number>[] = [];
  const working = [1, 2].map(() => on(async (client) => void calls.push(await serve(client, () => migrated))));
  working.push(on(async (client) => void locks.push(await watchLocks(client, () => migrated))));
  const { applied } = await updateDatabase(database.ownerUrl, database.ownerUrl).finally(() => {
    migrated = true;
  });
  // None of their calls failed.
  await Promise.all(working);
  assert.deepEqual([...FIRST_RELEASE, ...applied], migrationNames());
  const [call, lock] = [longestOf(calls), longestOf(locks)];
  t.diagnostic(`the longest call took ${call.ms} ms: ${call.what.replace(/\s+/g, " ").slice(0, 60)}`);
  t.diagnostic(`the longest lock was held for ${lock.ms} ms: ${lock.what}`);
  assert.ok(call.ms <= LONGEST_MS && lock.ms <= LONGEST_MS, "someone waited for too long");
  await on(async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS events, max(position)::int AS last, (SELECT last_position::int FROM event_feed) AS feed FROM event_positions`,
    );
    assert.ok(rows[0].events >= ROWS && rows[0].events === rows[0].last && rows[0].last === rows[0].feed, "positions");
    const { rowCount } = await client.query("SELECT FROM audit_events WHERE type IS NULL AND xid IS NULL");
    assert.equal(rowCount, 0, "every earlier row is an event");
    const { rows: marked } = await client.query(
      "SELECT count(*)::int AS sessions FROM owner_sessions WHERE id IS NULL",
    );
    assert.equal(marked[0].sessions, 0);
  });
});
