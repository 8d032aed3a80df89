import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { checkDatabase } from "#lib/admin/check/check.ts";
import { pool } from "#lib/db/client.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { testService } from "#testing/client.ts";
import { settled } from "#testing/events.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { missing, pathOf } from "#testing/missing-program.ts";
import { openBalancer } from "#testing/processes/balancer.ts";
import { type ApiProcess, request, startApiProcess } from "#testing/processes/processes.ts";
import { fc, SEED } from "#testing/seed.ts";
import { Writers } from "#testing/writers.ts";

/** How often one of the processes is killed; `PROCESS_KILLS=20` for the long run. */
const KILLS = Number(process.env.PROCESS_KILLS ?? 3);
const FLOWS = 6 + 2 * KILLS;

/** Without Redis, each process counts frequent calls for itself. */
const REDIS = pathOf("redis-server");

let redis: ChildProcess | undefined;
let redisUrl: string | undefined;
let agents: { requester: TestAgent; provider: TestAgent };
const service = testService({}, async () => {
  agents = { requester: await registerAgent(), provider: await verifiedAgent() };
  if (!REDIS) return;
  const port = await freePort();
  redis = spawn(REDIS, ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], { stdio: "ignore" });
  redisUrl = `redis://127.0.0.1:${port}`;
  return () => redis?.kill();
});

const startOne = (variables: Record<string, string>) =>
  startApiProcess({ ...variables, ...(redisUrl ? { REDIS_URL: redisUrl } : {}) }, { worker: true });

test(`of three processes over one database, ${KILLS} are killed at random, and nothing acknowledged is lost`, {
  timeout: 600_000,
}, async () => {
  const processes = await Promise.all([1, 2, 3].map(() => startOne({})));
  const dead = new Set<ApiProcess>();
  let turn = 0;
  const balancer = await openBalancer(() => {
    const alive = processes.filter((each) => !dead.has(each));
    const chosen = alive[turn++ % alive.length];
    return chosen && Number(new URL(chosen.url).port);
  });
  const writers = new Writers(`http://127.0.0.1:${balancer.port}`, agents);
  const work = writers.run(FLOWS, 6);
  const choices = fc.sample(fc.record({ victim: fc.nat(2), ms: fc.integer({ min: 50, max: 700 }) }), {
    numRuns: KILLS,
    seed: SEED,
  });
  for (const { victim, ms } of choices) {
    await delay(ms);
    const killed = processes[victim] as ApiProcess;
    dead.add(killed);
    await killed.kill();
    processes[victim] = await startOne({});
  }
  await work;
  await settled();
  const rows = async (sql: string) => (await pool().query<{ value: string }>(sql)).rows.map(({ value }) => value);
  const keys = new Set(await rows("SELECT client_request_id AS value FROM tasks WHERE state = 'completed'"));
  const lost = writers.acknowledged.filter(({ flow }) => !keys.has(flow));
  assert.deepEqual(lost, []);
  assert.equal(keys.size, FLOWS);
  assert.deepEqual(await rows("SELECT count(*)::text AS value FROM tasks"), [String(FLOWS)]);
  const twice = await rows(
    `SELECT subject_id || ' ' || action AS value FROM audit_events WHERE action IN ('create', 'claim', 'fund', 'start', 'submit', 'complete')
     GROUP BY subject_id, action HAVING count(*) > 1`,
  );
  assert.deepEqual(twice, [], "steps that happened twice");
  const { checks } = await checkDatabase(service.url);
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  );
  balancer.close();
  await Promise.all(processes.map((each) => each.stop()));
});

test("three processes that share Redis count one limit exactly", { skip: missing("redis-server") }, async () => {
  const processes = await Promise.all([1, 2, 3].map(() => startOne({ RATE_LIMIT_SCALE: "1" })));
  const { token, publicId } = agents.provider;
  // Until a process has reached Redis, it counts on its own.
  for (const { url } of processes)
    await request(url, "GET", "jobs/inbox.php", { token, fields: { public_id: publicId } });
  await delay(500);
  const statuses = await Promise.all(
    Array.from({ length: 15 }, async (_, at) => {
      const { url } = processes[at % 3] as ApiProcess;
      const fields = { public_id: publicId, health_status: "available" };
      return (await request(url, "POST", "agents/heartbeat.php", { token, fields })).status;
    }),
  );
  assert.deepEqual(statuses.sort(), [...Array.from({ length: 6 }, () => 200), ...Array.from({ length: 9 }, () => 429)]);
  await Promise.all(processes.map((each) => each.stop()));
});
