import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { closeLimiters } from "#lib/db/rate-limit.ts";
import { startWorker } from "#lib/jobs/worker.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { countDelivery } from "#lib/kernel/metrics.ts";
import { beginLog } from "#lib/record/log/enter.ts";
import { signCheckpoint } from "#lib/record/log/sign.ts";
import { startRecord } from "#lib/record/record.ts";
import { openStream } from "#testing/event-stream.ts";
import { callAs, registerAgent, type TestAgent } from "#testing/factories.ts";
import { completedLive, type Live, startLive } from "#testing/live.ts";
import { missing } from "#testing/missing-program.ts";
import { serveHttp } from "#testing/served.ts";
import { did } from "#testing/workflow.ts";
import { readServiceStatus } from "../service-status.ts";
import { openMetrics } from "./serve.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const TOKEN = "a token for metrics";
const folder = mkdtempSync(join(tmpdir(), "guildhall-metrics-"));

let live: Live;
let served: Awaited<ReturnType<typeof serveHttp>>;
let closeMetrics: () => Promise<void>;
let port: number;
let agent: TestAgent;
let record: ReturnType<typeof startRecord> | undefined;
before(async () => {
  port = await freePort();
  live = await startLive();
  Object.assign(process.env, {
    DATA_DIR: folder,
    OWN_DATABASE: "1",
    BACKUP_DIR: join(folder, "backups"),
    // It is no standby, so it is never read, but its metrics are there; replica.itest.ts sees them move.
    METRICS_PORT: String(port),
    METRICS_TOKEN: TOKEN,
    DATABASE_REPLICA_URL: process.env.DATABASE_URL,
  });
  Object.assign(globalThis, { guildhallEnv: undefined });
  served = await serveHttp();
  closeMetrics = await openMetrics();
  agent = await registerAgent();
});
after(async () => {
  await record?.stop();
  await closeMetrics?.();
  await served?.close();
  await live?.stop();
  for (const name of ["OWN_DATABASE", "BACKUP_DIR", "METRICS_PORT", "METRICS_TOKEN", "DATABASE_REPLICA_URL"])
    delete process.env[name];
  rmSync(folder, { recursive: true });
});

/** Every sample, by its name with labels. */
async function scrape(): Promise<Map<string, number>> {
  forgetCachedReads();
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(response.status, 200);
  const samples = (await response.text()).matchAll(/^([a-z0-9_]+(?:\{.*\})?) (\S+)$/gm);
  return new Map([...samples].map(([, name = "", value]) => [name, Number(value)]));
}

/** The sum of a metric's samples whose labels contain this text. */
function sum(samples: Map<string, number>, name: string, labels = ""): number | undefined {
  const found = [...samples].filter(([key]) => key.split("{")[0] === name && key.includes(labels));
  return found.length > 0 ? found.reduce((all, [, value]) => all + value, 0) : undefined;
}

/** What a metric says before and after something happened. */
async function around(name: string, labels: string, work: () => Promise<unknown>) {
  const before = sum(await scrape(), name, labels) ?? 0;
  await work();
  return { before, after: sum(await scrape(), name, labels) };
}

const get = (path: string, headers = {}) => fetch(`${served.url}${path}`, { headers });

/** Runs `work` as in an installation whose log was never set up to be signed. */
async function aroundUnset(work: () => Promise<void>): Promise<void> {
  delete process.env.OWN_DATABASE;
  await work();
  process.env.OWN_DATABASE = "1";
}

/** What the status page shows of the log. */
async function shownOfLog() {
  forgetCachedReads();
  const { parts } = await readServiceStatus();
  return parts.find(({ name }) => name === "Transparency log")?.state;
}

test("each metric moves when what it measures happens", async (t) => {
  await t.test("requests, their latency and those in flight", async () => {
    const labels = 'operation="jobsList",status="200"';
    const answered = await around("guildhall_http_requests_total", labels, () => get("/api/v1/jobs/list.php"));
    assert.deepEqual(answered, { before: 0, after: 1 });
    const timed = await around("guildhall_http_request_seconds_count", 'operation="unknown"', () =>
      get("/api/v1/x.php"),
    );
    assert.deepEqual(timed, { before: 0, after: 1 });
    const busy = pool().query("SELECT pg_sleep(0.3)");
    const locked = get("/readyz");
    await delay(20);
    assert.ok((sum(await scrape(), "guildhall_http_requests_in_flight") ?? -1) >= 0);
    await Promise.all([busy, locked]);
  });
  await t.test("refusals by limit", async () => {
    Object.assign(globalThis, {
      guildhallEnv: loadEnv({ ...process.env, RATE_LIMIT_SCALE: "1", BASE_URL: served.url }),
    });
    const body = { public_id: agent.publicId, health_status: "available" };
    const refused = await around("guildhall_limit_refusals_total", 'limit="heartbeat"', async () => {
      for (let call = 0; call < 8; call += 1) await callAs(agent, "POST", "/api/v1/agents/heartbeat.php", body);
    });
    assert.deepEqual(refused, { before: 0, after: 2 });
    await closeLimiters();
    Object.assign(globalThis, { guildhallEnv: loadEnv({ ...process.env, BASE_URL: served.url }) });
  });
  await t.test("identities by the state of their domain", async () => {
    const { before, after } = await around("guildhall_identities", 'domain_status="unverified"', () => registerAgent());
    assert.equal(after, before + 1);
  });
  await t.test("connections, and waiting for one", async () => {
    assert.equal(sum(await scrape(), "guildhall_database_waiting"), 0);
    const queries = Array.from({ length: 40 }, () => pool().query("SELECT pg_sleep(0.5)"));
    const samples = await scrape();
    await Promise.all(queries);
    assert.ok((sum(samples, "guildhall_database_waiting") ?? 0) > 0);
    assert.ok((sum(samples, "guildhall_database_connections", "busy") ?? 0) > 0);
  });
  await t.test("jobs by kind and state, their runs and the oldest due one", async () => {
    await pool().query(
      `SELECT graphile_worker.add_job('recheck-domain', json_build_object('public_id', $1::text), run_at => now() - interval '1 hour')`,
      [agent.publicId],
    );
    const samples = await scrape();
    assert.equal(sum(samples, "guildhall_jobs", 'kind="recheck-domain",state="due"'), 1);
    assert.ok((sum(samples, "guildhall_job_oldest_due_seconds", "recheck-domain") ?? 0) > 3_500);
    const worker = await startWorker([{ name: "recheck-domain", run: async () => undefined }]);
    while (!sum(await scrape(), "guildhall_job_runs_total", 'kind="recheck-domain",outcome="success"')) await delay(50);
    await worker.stop();
    assert.equal(sum(await scrape(), "guildhall_jobs", "due"), undefined);
  });
  await t.test("events without a position, the transparency log and streams", async () => {
    await beginLog();
    await completedLive(live);
    const waiting = await scrape();
    assert.ok((sum(waiting, "guildhall_sequencer_waiting_events") ?? 0) > 5);
    assert.ok((sum(waiting, "guildhall_sequencer_lag_seconds") ?? 0) > 0);
    assert.deepEqual([sum(waiting, "guildhall_events_position"), sum(waiting, "guildhall_log_size")], [0, 0]);
    record = startRecord();
    while (sum(await scrape(), "guildhall_sequencer_waiting_events") !== 0) await delay(50);
    while (!sum(await scrape(), "guildhall_log_size")) await delay(50);
    const placed = await scrape();
    assert.ok((sum(placed, "guildhall_events_position") ?? 0) > 5);
    assert.equal(sum(placed, "guildhall_log_unsigned"), sum(placed, "guildhall_log_size"));
    assert.equal(sum(placed, "guildhall_log_checkpoint_age_seconds"), undefined);
    await aroundUnset(async () => {
      await assert.rejects(signCheckpoint(new Date()), { isUnset: true });
      assert.equal(sum(await scrape(), "guildhall_log_refused"), 0);
      assert.equal(await shownOfLog(), "off");
    });
    await signCheckpoint(new Date());
    assert.equal(await shownOfLog(), "working");
    const signed = await scrape();
    assert.equal(sum(signed, "guildhall_log_unsigned"), 0);
    assert.ok((sum(signed, "guildhall_log_checkpoint_age_seconds") ?? -1) >= 0);
    assert.equal(sum(signed, "guildhall_log_refused"), 0);
    await pool().query("UPDATE log_trees SET refusal = 'a test'");
    const assertRefused = async () => {
      assert.equal(sum(await scrape(), "guildhall_log_refused"), 1);
      assert.equal(await shownOfLog(), "down");
    };
    await assertRefused();
    // Once signed, a log whose variables are missing has a fault.
    await aroundUnset(assertRefused);
    const stream = await openStream(served.url, { token: agent.token, query: { public_id: agent.publicId } });
    assert.equal(stream.status, 200);
    assert.equal(sum(await scrape(), "guildhall_streams_open"), 1);
    stream.close();
  });
  await t.test("webhooks and their attempts", async () => {
    await pool().query(
      `INSERT INTO webhooks (identity_id, url, types, enabled, secret, cursor, due_at, created_at, updated_at)
       VALUES ($1, 'https://x.example', '{}', true, '\\x00', 0, now(), now(), now())`,
      [agent.publicId],
    );
    const attempted = await around("guildhall_webhook_attempts_total", 'outcome="timeout"', async () =>
      countDelivery("timeout"),
    );
    assert.deepEqual(attempted, { before: 0, after: 1 });
    assert.equal(sum(await scrape(), "guildhall_webhooks"), 1);
  });
  await t.test("held money, differences and a shortfall", async () => {
    const work = await completedLive(live);
    await did(work.requester, "dispute", work);
    const samples = await scrape();
    assert.ok((sum(samples, "guildhall_money_held_pence") ?? 0) > 0);
    assert.ok((sum(samples, "guildhall_money_held_transfers") ?? 0) >= 1);
    await pool().query(
      `INSERT INTO differences (kind, subject_id, books, stripe, remedy, found_at, seen_at) VALUES ('transfer', 'x', 'a', 'b', 'c', now(), now())`,
    );
    await pool().query(
      `INSERT INTO reconciliations (started_at, available_pence, pending_pence, owed_pence) VALUES (now(), 100, 0, 150)`,
    );
    const after = await scrape();
    assert.equal(sum(after, "guildhall_money_differences", "transfer"), 1);
    assert.equal(sum(after, "guildhall_money_shortfall_pence"), 50);
  });
  await t.test("the newest backup", async () => {
    assert.equal(sum(await scrape(), "guildhall_backup_timestamp_seconds"), undefined);
    mkdirSync(join(folder, "backups"));
    writeFileSync(join(folder, "backups/guildhall-2026-11-22T0300Z.tar.zst"), "");
    assert.ok((sum(await scrape(), "guildhall_backup_timestamp_seconds") ?? 0) > Date.now() / 1000 - 60);
  });
});

test("every metric that the dashboard and the alert rules name exists", async () => {
  const exposed = new Set([...(await scrape()).keys()].map((key) => key.split("{")[0]));
  // What Prometheus adds itself.
  exposed.add("up");
  const files = ["ops/grafana/guildhall.json", "ops/prometheus/alerts.yaml"];
  const named = files.flatMap((file) => [
    ...readFileSync(join(ROOT, file), "utf8").matchAll(/\b(?:guildhall|nodejs|process)_[a-z0-9_]+|\bup(?=\{)/g),
  ]);
  assert.ok(named.length > 40);
  assert.deepEqual(
    [...new Set(named.map(([name]) => name))].filter((name) => !exposed.has(name)),
    [],
  );
});

test("the alert rules are valid", { skip: missing("promtool") }, () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", "ops/prometheus/alerts.yaml"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout + stderr);
});

test("the service's own port shows metrics only to those who have the token", async () => {
  for (const headers of [{}, { Authorization: "Bearer wrong" }, { Authorization: `Basic ${TOKEN}` }]) {
    const response = await get("/metrics", headers);
    assert.deepEqual([response.status, await response.text()], [401, ""]);
  }
});
