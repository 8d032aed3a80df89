import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import pg from "pg";
import { checkDatabase } from "#lib/admin/check/check.ts";
import type { LogHead } from "#lib/db/backup/fill.ts";
import type { Manifest } from "#lib/db/backup/manifest.ts";
import { verifyBackup } from "#lib/db/backup/read.ts";
import { writeBackup } from "#lib/db/backup/write.ts";
import { withClient } from "#lib/db/with-client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { parseState, stateText } from "#lib/record/log/signed-state.ts";
import { startSigning } from "#lib/record/log/signing-loop.ts";
import { startTestService } from "#testing/client.ts";
import { member, publish } from "#testing/community.ts";
import { type TestDatabase, testDatabase } from "#testing/database.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { put } from "#testing/files.ts";
import { startApiProcess } from "#testing/processes/processes.ts";
import { postTask, taskAt } from "#testing/workflow.ts";
import { Writers } from "#testing/writers.ts";
import { updateDatabase } from "../update-database.ts";
import { backUpIfDue } from "./nightly.ts";
import { restoreBackup } from "./restore.ts";
import { secretPrints } from "./secrets.ts";
import { settleLog } from "./settle-log.ts";

/** In how many places a bit is changed. */
const FLIPS = 100;

const folder = mkdtempSync(join(tmpdir(), "guildhall-backup-"));
const home = join(folder, "home");
const file = join(folder, "backup.tar.zst");

let service: Awaited<ReturnType<typeof startTestService>>;
let source: pg.Client;
let restored: TestDatabase;
/** What was committed, and so could have been acknowledged, before the backup began. */
let earlier: { events: string[]; tasks: string[] };
let manifest: Manifest;

before(async () => {
  const variables = { DATA_DIR: home, OWN_DATABASE: "1", BASE_URL: "https://test.example" };
  service = await startTestService(variables);
  restored = await testDatabase({ empty: true });
  source = new pg.Client({ connectionString: service.url });
  await source.connect();
  const api = await startApiProcess(variables, { worker: true });
  const signing = await startSigning();
  const parties = { requester: await registerAgent(), provider: await verifiedAgent() };
  const author = await member();
  const { post_id } = await publish(author);
  await publish(author, { reply_to: post_id });
  // Its settlement is recorded and not approved, however far the others come.
  await taskAt("submitted", parties);
  await put(parties.requester, { taskId: (await postTask(parties.requester)).task_id });
  const writers = new Writers(api.url, parties);
  const load = writers.run(12, 4);
  while (writers.acknowledged.length < 40) await delay(20);
  const tasks = writers.acknowledged.filter(({ verb }) => verb === "create").map(({ flow }) => flow);
  earlier = { events: await ids(source, "SELECT id FROM audit_events"), tasks };
  manifest = await writeBackup(service.url, file, secretPrints(loadEnv()), { now: systemClock.now() });
  await load;
  await signing.stop();
  await api.stop();
});
after(async () => {
  await source?.end();
  await restored?.drop();
  await service?.stop();
  delete process.env.OWN_DATABASE;
  rmSync(folder, { recursive: true });
});

async function ids(client: pg.Client, sql: string): Promise<string[]> {
  return (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id);
}

/** The folder of a new installation, with what the operator kept beside the backup. */
function newHome(name: string, kept: string[] = ["log-1.key"]): string {
  const dir = join(folder, name);
  mkdirSync(join(dir, "log"), { recursive: true });
  for (const each of kept) copyFileSync(join(home, "log", each), join(dir, "log", each));
  return dir;
}

const envOf = (dataDir: string, variables: Record<string, string> = {}) =>
  loadEnv({ ...process.env, DATA_DIR: dataDir, ...variables });

test("a damaged, incomplete or foreign file is refused, and nothing is restored", async () => {
  const bytes = readFileSync(file);
  const changed = Buffer.from(bytes);
  // Several bytes, because the compression does not use every bit.
  for (let at = Math.floor(bytes.length / 2), end = at + 8; at < end; at += 1) changed[at] = ~(changed[at] ?? 0);
  const cases: [string, Buffer][] = [
    ["changed", changed],
    ["cut", bytes.subarray(0, bytes.length - 1_000)],
    ["empty", Buffer.alloc(0)],
    ["other", Buffer.from("PGDMP something else")],
  ];
  for (const [name, content] of cases) {
    writeFileSync(join(folder, name), content);
    await assert.rejects(restoreBackup(envOf(home), join(folder, name), { to: restored.ownerUrl }), {
      code: "backup_damaged",
    });
  }
});

test("one changed bit is noticed wherever it changes what would be restored, before anything is restored", async () => {
  const bytes = readFileSync(file);
  const whole = zstdDecompressSync(bytes);
  const missed: number[] = [];
  for (let step = 0; step < FLIPS; step += 1) {
    const at = Math.floor((bytes.length * step) / FLIPS);
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 << (step % 8));
    writeFileSync(join(folder, "flipped"), changed);
    await verifyBackup(join(folder, "flipped")).then(
      // Compressed data has bits that mean nothing, such as those between its last code and the end of a byte.
      () => zstdDecompressSync(changed).equals(whole) || missed.push(at),
      (error) => assert.equal(error.code, "backup_damaged"),
    );
  }
  assert.deepEqual(missed, []);
});

test("a wrong or missing secret is refused before anything is written", async () => {
  const to = restored.ownerUrl;
  const wrong = envOf(newHome("wrong"), { AUTH_SECRET: "another secret that only this test knows" });
  await assert.rejects(restoreBackup(wrong, file, { to }), { code: "secrets_do_not_fit", message: /fingerprint/ });
  const missing = envOf(newHome("missing"), { DATABASE_URL: "", DIRECT_DATABASE_URL: "", AUTH_SECRET: "" });
  await assert.rejects(restoreBackup(missing, file, { to }), {
    code: "secrets_do_not_fit",
    message: /there is none here/,
  });
  assert.deepEqual(readdirSync(join(folder, "missing")), ["log"]);
  const otherKey = newHome("other-key", []);
  writeFileSync(join(otherKey, "log/log-1.key"), "PRIVATE+KEY+x");
  await assert.rejects(restoreBackup(envOf(otherKey), file, { to }), { code: "secrets_do_not_fit", message: /log/ });
  assert.deepEqual(
    await withClient(to, (client) => ids(client, "SELECT relname AS id FROM pg_class WHERE relname = 'tasks'")),
    [],
  );
});

test("a backup under load restores everything that was acknowledged before it began, and the check passes", async () => {
  const dir = newHome("restored");
  const answer = await restoreBackup(envOf(dir), file, { to: restored.ownerUrl, continueLog: true });
  assert.deepEqual([answer.warnings, answer.migrations_applied], [[], 0]);
  // As the next start does: the service's role gets its rights.
  await updateDatabase(restored.url, restored.ownerUrl);
  await withClient(restored.ownerUrl, async (client) => {
    const events = new Set(await ids(client, "SELECT id FROM audit_events"));
    assert.deepEqual(
      earlier.events.filter((id) => !events.has(id)),
      [],
    );
    const tasks = new Set(await ids(client, "SELECT client_request_id AS id FROM tasks"));
    assert.deepEqual(
      earlier.tasks.filter((id) => !tasks.has(id)),
      [],
    );
    for (const { name, rows } of manifest.tables) {
      const quoted = name.split(".").map(pg.escapeIdentifier).join(".");
      const { rows: counted } = await client.query(`SELECT count(*)::int AS count FROM ${quoted}`);
      assert.equal(counted[0].count, rows, name);
    }
    // A number that was taken is not given again.
    const [next] = await ids(client, "SELECT nextval(pg_get_serial_sequence('audit_events', 'seq'))::text AS id");
    const [last] = await ids(client, "SELECT max(seq)::text AS id FROM audit_events");
    assert.ok(Number(next) > Number(last));
  });
  Object.assign(globalThis, { guildhallEnv: envOf(dir) });
  const { ok, checks } = await checkDatabase(restored.url);
  assert.deepEqual(
    checks.filter((check) => !check.ok),
    [],
  );
  assert.equal(ok, true);
  assert.ok(checks.every(({ checked }) => checked > 0));
  const [there, here] = [restored, service].map(({ ownerUrl }) =>
    withClient(ownerUrl, (client) => ids(client, SCHEMA_OBJECTS)),
  );
  assert.deepEqual(await there, await here);
});

test("after a restore, the warnings say whether the log continues, by what is beside its key", async () => {
  const env = envOf(newHome("settled", ["log-1.key"]));
  const { rows } = await withClient(restored.ownerUrl, (client) =>
    client.query<LogHead>("SELECT t.id, t.origin, c.note FROM log_trees t JOIN log_checkpoints c ON c.tree = t.id"),
  );
  const settle = (continueLog: boolean) => settleLog(env, restored.ownerUrl, rows[0], continueLog);
  assert.match((await settle(false)).join(), /is not here, so nothing will be signed.*--continue-log.*log-restart/);
  assert.deepEqual(await settle(true), []);
  assert.deepEqual(await settle(false), []);
  assert.match((await settle(true)).join(), /^--continue-log had no effect: .* fits the backup, so signing continues/);
  const file = join(env.dataDir, "log/log-1.state");
  const state = parseState(readFileSync(file, "utf8")) ?? assert.fail("no state");
  writeFileSync(file, stateText({ ...state, size: 1, root: new Uint8Array(32) }));
  assert.match((await settle(false)).join(), /does not have all of them/);
  writeFileSync(file, stateText({ ...state, size: state.size + 1_000_000 }));
  assert.match((await settle(false)).join(), /^The log signed \d+ entries .* nothing will be signed.*log-restart/);
  assert.match((await settle(true)).join(), /^--continue-log had no effect\. The log signed/);
  writeFileSync(file, "{");
  assert.match((await settle(false)).join(), /is damaged, so nothing will be signed/);
});

test("with DATABASE_URL set, a restore asks where to, rather than filling a database that nobody uses", async () => {
  const dir = newHome("unnamed");
  await assert.rejects(restoreBackup(envOf(dir), file, {}), /^Error: DATABASE_URL is set: name .* with --to/);
  assert.deepEqual(readdirSync(dir), ["log"]);
});

/** Constraints, indexes and triggers, which the restore takes away and puts back. */
const SCHEMA_OBJECTS = `SELECT id FROM (
    SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS id FROM pg_constraint WHERE conrelid <> 0
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname IN ('public', 'graphile_worker')
    UNION ALL SELECT tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
  ) objects ORDER BY 1`;

test("a target with data is refused", async () => {
  await assert.rejects(restoreBackup(envOf(home), file, { to: service.ownerUrl }), { code: "target_not_empty" });
});

test("the check names what is wrong", async () => {
  const problemsAfter = async (sql: string) => {
    await withClient(restored.ownerUrl, (client) => client.query(sql));
    const { ok, checks } = await checkDatabase(restored.url);
    assert.equal(ok, false);
    return checks.filter((check) => !check.ok).map(({ check }) => check);
  };
  const free = (table: string, sql: string) =>
    `ALTER TABLE ${table} DISABLE TRIGGER ALL; ${sql}; ALTER TABLE ${table} ENABLE TRIGGER ALL`.replaceAll(
      "TRIGGER ALL",
      "TRIGGER USER",
    );
  assert.deepEqual(
    await problemsAfter(
      free(
        "ledger_entries",
        "UPDATE ledger_entries SET amount_pence = amount_pence + 1 WHERE id = (SELECT min(id) FROM ledger_entries)",
      ),
    ),
    ["ledger"],
  );
  assert.deepEqual(await problemsAfter(free("event_positions", "DELETE FROM event_positions WHERE position = 3")), [
    "ledger",
    "positions",
  ]);
  assert.deepEqual(
    await problemsAfter(
      free(
        "log_statements",
        "UPDATE log_statements SET hash = sha256('x') WHERE event_seq = (SELECT event_seq FROM log_leaves WHERE leaf = 2)",
      ),
    ),
    ["ledger", "positions", "log"],
  );
  assert.deepEqual(
    await problemsAfter(
      "UPDATE idempotency_keys SET key = 'x' WHERE operation = 'jobs/create' AND key = (SELECT min(key) FROM idempotency_keys WHERE operation = 'jobs/create')",
    ),
    ["ledger", "positions", "log", "idempotency_keys"],
  );
  assert.deepEqual(
    await problemsAfter(
      free(
        "tasks",
        "UPDATE tasks SET state = 'completed' WHERE id = (SELECT task_id FROM settlements WHERE state = 'recorded' LIMIT 1)",
      ),
    ),
    ["ledger", "settlements", "positions", "log", "idempotency_keys"],
  );
});

test("a backup is made every night, by one process, and the oldest is removed", async () => {
  const dir = join(folder, "backups");
  Object.assign(globalThis, { guildhallEnv: envOf(home, { BACKUP_DIR: dir, BACKUP_KEEP: "2" }) });
  const at = (text: string) => ({ now: () => new Date(text) });
  const [one, other] = await Promise.all([backUpIfDue(systemClock), backUpIfDue(systemClock)]);
  assert.deepEqual([one === undefined, other === undefined].sort(), [false, true]);
  assert.equal(await backUpIfDue(systemClock), undefined);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  assert.ok(await backUpIfDue(at(`${tomorrow}T03:10:00Z`)));
  assert.ok(await backUpIfDue(at(`${later}T03:00:00Z`)));
  const names = readdirSync(dir).filter((name) => name.endsWith(".zst"));
  assert.deepEqual(names, [`guildhall-${tomorrow}T0310Z.tar.zst`, `guildhall-${later}T0300Z.tar.zst`]);
});
