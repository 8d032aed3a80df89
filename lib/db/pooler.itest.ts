import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "#lib/boot/database.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { pool } from "#lib/db/client.ts";
import { LIMITS } from "#lib/kernel/limits.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { startTestService } from "#testing/client.ts";
import { settled } from "#testing/events.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { missing } from "#testing/missing-program.ts";
import { startPooler } from "#testing/processes/pooler.ts";
import { request, startApiProcess } from "#testing/processes/processes.ts";
import { Writers } from "#testing/writers.ts";

const folder = mkdtempSync(join(tmpdir(), "guildhall-pooler-"));
let service: Awaited<ReturnType<typeof startTestService>>;
let pooler: Awaited<ReturnType<typeof startPooler>>;
const skip = missing("pgbouncer");
before(async () => {
  service = await startTestService();
  if (!skip) pooler = await startPooler(service.url, 4);
});
after(async () => {
  pooler?.stop();
  await service.stop();
  rmSync(folder, { recursive: true });
});

test("behind a transaction pooler, two processes bring tasks from creation to completion, with events and jobs", {
  skip,
}, async () => {
  const variables = { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: service.url };
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
    const done = "SELECT count(*)::int AS count FROM tasks WHERE state = 'completed'";
    assert.equal((await pool().query(done)).rows[0].count, 8);
    await settled();
    await pool().query("SELECT graphile_worker.add_job('expire-tasks', '{}')");
    while ((await pool().query("SELECT FROM graphile_worker.jobs WHERE task_identifier = 'expire-tasks'")).rowCount)
      await delay(50);
  } finally {
    await Promise.all(processes.map((each) => each.stop()));
  }
});

test("behind a pooler, limits that are counted in the database are exact", { skip }, async () => {
  const variables = { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: service.url, RATE_LIMIT_SCALE: "1" };
  const { url, stop } = await startApiProcess(variables);
  try {
    const fields = { token: newSecret("ghm") };
    const report = () => request(url, "POST", "agents/report_leak.php", { fields });
    const answers = await Promise.all(Array.from({ length: 2 * LIMITS.leak_report.points }, report));
    const refused = answers.filter(({ status }) => status === 429).length;
    assert.equal(refused, LIMITS.leak_report.points, JSON.stringify(answers.map(({ status }) => status)));
    assert.ok(answers.every(({ status }) => status < 500));
  } finally {
    await stop();
  }
});

test("behind a pooler, the service starts without an owner's URL, and with one it grants its rights", {
  skip,
}, async () => {
  const authSecret = process.env.AUTH_SECRET;
  const env = { dataDir: folder, databaseUrl: pooler.url, directDatabaseUrl: service.url, authSecret };
  for (const databaseOwnerUrl of [undefined, service.ownerUrl]) {
    const database = await openDatabase({ ...env, databaseOwnerUrl });
    const updated = await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    assert.deepEqual(updated, { applied: [], warning: undefined });
    await database.close();
  }
});
