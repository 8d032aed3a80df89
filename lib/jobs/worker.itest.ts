import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { JOBS } from "#lib/boot/background.ts";
import { pool } from "#lib/db/client.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { testService } from "#testing/client.ts";
import { verifiedAgent } from "#testing/factories.ts";
import { startWorker, type Worker } from "./worker.ts";

let worker: Worker;
testService({ DOMAIN_RECHECK_SECONDS: "1" }, async () => {
  worker = await startWorker(JOBS);
  return () => worker.stop();
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(50);
}

const statusOf = async (publicId: string) => {
  const { rows } = await pool().query("SELECT domain_status FROM identities WHERE id = $1", [publicId]);
  return rows[0].domain_status;
};

test("a verified domain that stops serving its proof lapses automatically, and is not checked again", {
  timeout: 60_000,
}, async () => {
  const agent = await verifiedAgent();
  replaceProber({ probe: async () => ({ ok: false, reason: "unreachable", detail: "It is gone." }) });
  await until(async () => (await statusOf(agent.publicId)) === "lapsed");
  await until(
    async () => (await pool().query("SELECT FROM graphile_worker.jobs WHERE key LIKE 'recheck:%'")).rowCount === 0,
  );
  const { rows } = await pool().query(
    "SELECT actor_kind, actor_id, data->>'to' AS became FROM audit_events WHERE subject_id = $1 AND action = 'domain' ORDER BY seq",
    [agent.publicId],
  );
  assert.deepEqual(rows.slice(1), [
    { actor_kind: "system", actor_id: "worker", became: "grace" },
    { actor_kind: "system", actor_id: "worker", became: "lapsed" },
  ]);
});

test("a job that fails stays in the queue and is retried", { timeout: 60_000 }, async () => {
  await pool().query(
    "SELECT graphile_worker.add_job('recheck-domain', '{\"public_id\": \"nonsense\"}', job_key => 'broken')",
  );
  await until(async () => {
    const { rows } = await pool().query("SELECT attempts, last_error FROM graphile_worker.jobs WHERE key = 'broken'");
    return rows[0].attempts > 0 && rows[0].last_error !== null;
  });
  const { rows } = await pool().query("SELECT run_at > now() AS later FROM graphile_worker.jobs WHERE key = 'broken'");
  assert.equal(rows[0].later, true);
});

test("a worker that is stopped as its job ends waits until the end is recorded", { timeout: 60_000 }, async () => {
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = async () => {
    begun.resolve();
    await mayEnd.promise;
  };
  const worker = await startWorker([{ name: "end-soon", run }]);
  const { rows } = await pool().query("SELECT id::text FROM graphile_worker.add_job('end-soon', '{}')");
  await begun.promise;
  const other = await pool().connect();
  try {
    // Nothing can be recorded while another transaction has the job.
    await other.query("BEGIN");
    await other.query("SELECT FROM graphile_worker._private_jobs WHERE id = $1 FOR UPDATE", [rows[0].id]);
    mayEnd.resolve();
    const stopped = worker.stop();
    assert.equal(await Promise.race([stopped.then(() => "stopped"), delay(300, "waits")]), "waits");
    await other.query("COMMIT");
    await stopped;
  } finally {
    other.release();
  }
  assert.equal((await pool().query("SELECT FROM graphile_worker.jobs WHERE id = $1", [rows[0].id])).rowCount, 0);
});
