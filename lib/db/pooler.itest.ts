import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { openDatabase } from "#lib/boot/database.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { startTestService } from "#lib/testing/client.ts";
import { registerAgent, verifiedAgent } from "#lib/testing/factories.ts";
import { ORDINARY_USER } from "#lib/testing/processes/embedded.ts";
import { startApiProcess } from "#lib/testing/processes/processes.ts";
import { Writers } from "#lib/testing/writers.ts";
import { freePort } from "./embedded/server.ts";

/** PgBouncer, where it is installed (Debian package `pgbouncer`). */
const PROGRAM = ["pgbouncer", "/usr/sbin/pgbouncer"].find((name) => !spawnSync(name, ["--version"]).error);

const folder = mkdtempSync(join(tmpdir(), "guildhall-pooler-"));
let service: Awaited<ReturnType<typeof startTestService>>;
let pooler: ChildProcess | undefined;
let pooled: string;
before(async () => {
  service = await startTestService();
  if (PROGRAM) pooled = await startPooler(PROGRAM, new URL(service.url));
});
after(async () => {
  pooler?.kill();
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Few connections for many clients, in transaction mode, so that whatever is left on one meets somebody else. */
async function startPooler(program: string, { hostname, port, username, password, pathname }: URL): Promise<string> {
  const own = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
guildhall = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
`,
  );
  if (ORDINARY_USER) for (const path of [folder, file]) chownSync(path, ORDINARY_USER.uid, ORDINARY_USER.gid);
  pooler = spawn(program, [file], { stdio: "ignore", ...ORDINARY_USER });
  const url = `postgresql://any@127.0.0.1:${own}/guildhall`;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    const ready = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (ready) return url;
    assert.equal(pooler.exitCode, null, "PgBouncer ended");
    await delay(50);
  }
}

test("behind a transaction pooler, two processes bring tasks from creation to completion, with events and jobs", async (t) => {
  if (!PROGRAM) return t.diagnostic("pgbouncer is not installed");
  const variables = { DATABASE_URL: pooled, DIRECT_DATABASE_URL: service.url };
  const processes = await Promise.all([1, 2].map(() => startApiProcess(variables, { worker: true })));
  try {
    const parties = { requester: await registerAgent(), provider: await verifiedAgent() };
    const all = processes.map(({ url }) => new Writers(url, parties));
    await Promise.all(all.map((writers) => writers.run(4, 4)));
    for (const { statuses, unanswered } of all) {
      assert.equal(unanswered, 0);
      assert.deepEqual(
        [...statuses.keys()].filter((status) => status >= 500),
        [],
        processes.map(({ output }) => output()).join("\n"),
      );
    }
    const client = new pg.Client({ connectionString: service.url });
    await client.connect();
    const done = "SELECT count(*)::int AS count FROM tasks WHERE state = 'completed'";
    assert.equal((await client.query(done)).rows[0].count, 8);
    const waiting = `SELECT count(*)::int AS count FROM audit_events e
      WHERE e.type IS NOT NULL AND NOT EXISTS (SELECT FROM event_positions p WHERE p.seq = e.seq)`;
    while ((await client.query(waiting)).rows[0].count > 0) await delay(50);
    await client.query("SELECT graphile_worker.add_job('expire-tasks', '{}')");
    while ((await client.query("SELECT FROM graphile_worker.jobs WHERE task_identifier = 'expire-tasks'")).rowCount)
      await delay(50);
    await client.end();
  } finally {
    await Promise.all(processes.map((each) => each.stop()));
  }
});

test("behind a pooler, the service starts without an owner's URL, and with one it grants its rights", async (t) => {
  if (!PROGRAM) return t.diagnostic("pgbouncer is not installed");
  const authSecret = process.env.AUTH_SECRET;
  const env = { dataDir: folder, databaseUrl: pooled, directDatabaseUrl: service.url, authSecret };
  for (const databaseOwnerUrl of [undefined, service.ownerUrl]) {
    const database = await openDatabase({ ...env, databaseOwnerUrl });
    const updated = await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    assert.deepEqual(updated, { applied: [], warning: undefined });
    await database.close();
  }
});
