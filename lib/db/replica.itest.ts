import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { apiListener } from "#lib/api/listener.ts";
import { listen } from "#lib/boot/front/address.ts";
import { closeHttp, createHttp } from "#lib/boot/front/http.ts";
import { collectMetrics } from "#lib/boot/metrics/collect.ts";
import { renderMarked } from "#lib/boot/pages/public-read.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { metrics } from "#lib/kernel/metrics.ts";
import { call, provingProber } from "#testing/client.ts";
import { registerAgent, type TestAgent } from "#testing/factories.ts";
import { newDir } from "#testing/processes/embedded-use.ts";
import { startReplica, type TestReplica } from "#testing/processes/replica.ts";
import { query } from "#testing/query.ts";
import { postTask } from "#testing/workflow.ts";
import { closeDatabase } from "./client.ts";
import { type Embedded, openEmbedded } from "./embedded.ts";
import { isPublicRead, replicaLagMs } from "./replica.ts";

let primary: Embedded;
let replica: TestReplica;
let agent: TestAgent;
before(async () => {
  process.env.LOG_LEVEL = "silent";
  const dir = newDir();
  primary = await openEmbedded({ dir, settings: { fsync: "off" } });
  await updateDatabase(primary.url, primary.ownerUrl);
  replica = await startReplica(primary, dir, newDir());
  Object.assign(process.env, {
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: replica.url,
    AUTH_SECRET: "a secret of this test, long enough",
    RATE_LIMIT_SCALE: "0",
    METRICS_TOKEN: "a token for metrics",
  });
  Object.assign(globalThis, { guildhallEnv: undefined });
  replaceProber(provingProber);
  agent = await registerAgent();
  collectMetrics();
});
after(async () => {
  replaceProber(undefined);
  await closeDatabase();
  for (const name of ["DATABASE_REPLICA_URL", "METRICS_TOKEN"]) delete process.env[name];
  await replica?.stop();
  await primary?.close();
});

const WRITER = "192.0.2.1";
const READER = "192.0.2.2";

/** The titles of the listed tasks, as somebody at an address sees them. */
async function titles(address: string, token?: string): Promise<string[]> {
  const { body } = await call<{ tasks: { title: string }[] }>("GET", "/api/v1/jobs/list.php", {
    address,
    ...(token === undefined ? {} : { token, query: { public_id: agent.publicId } }),
  });
  return body.tasks.map(({ title }) => title);
}

async function reads(answeredBy: string): Promise<number> {
  const { values } = await metrics().replicaReads.get();
  return values.find(({ labels }) => labels.answered_by === answeredBy)?.value ?? 0;
}

async function becomes(fresh: boolean): Promise<void> {
  while (replicaLagMs() < 1_500 !== fresh) await delay(50);
}

test("a visitor's list is read from the replica; a request with a credential, and a writer, read from the primary", async () => {
  await becomes(true);
  await query(replica.superuserUrl, "SELECT pg_wal_replay_pause()");
  await postTask(agent, { title: "Newest" });
  const before = await reads("replica");
  assert.deepEqual(await titles(READER), []);
  assert.ok((await reads("replica")) > before, "counted");
  assert.deepEqual(await titles(READER, agent.token), ["Newest"]);
  assert.deepEqual(await titles(WRITER), ["Newest"]);
});

test("what the replica does not have yet is found on the primary", async () => {
  const { task_id: taskId } = await postTask(agent, { title: "Just made" });
  const found = await call("GET", "/api/v1/jobs/show.php", { address: READER, query: { task_id: taskId } });
  assert.equal(found.status, 200);
});

test("a page for a visitor is rendered from the replica; for clients that have signed in or have just written, it is not", async () => {
  const http = createHttp(apiListener(), (request, response) =>
    renderMarked(request, () => {
      setImmediate(() => response.end(isPublicRead() ? "replica" : "primary"));
    }),
  );
  await listen(http, { host: "127.0.0.1", port: 0 });
  try {
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const get = async (headers: Record<string, string>) =>
      (await fetch(`${url}/feed?${crypto.randomUUID()}`, { headers })).text();
    assert.equal(await get({}), "replica");
    assert.equal(await get({ Cookie: "theme=dark" }), "replica");
    assert.equal(await get({ Cookie: "next-auth.session-token=x" }), "primary");
    assert.equal(await get({ Cookie: "session=x", "X-Public-Read": "1" }), "primary");
    await fetch(`${url}/api/v1/agents/heartbeat.php`, { method: "POST", body: "{}" });
    assert.equal(await get({}), "replica", "a refused call has written nothing");
    const body = JSON.stringify({ public_id: agent.publicId, health_status: "available" });
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${agent.token}` };
    const written = await fetch(`${url}/api/v1/agents/heartbeat.php`, { method: "POST", body, headers });
    assert.equal(written.status, 200);
    assert.equal(await get({}), "primary");
  } finally {
    await closeHttp(http, 0);
  }
});

test("a replica that lags 5 seconds is not used until it has caught up, and the lag is measured", async () => {
  while (replicaLagMs() < 5_000) await delay(100);
  assert.deepEqual((await titles(READER)).sort(), ["Just made", "Newest"]);
  assert.match(await metrics().registry.metrics(), /^guildhall_replica_lag_seconds (?:[5-9]|\d\d)/m);
  await query(replica.superuserUrl, "SELECT pg_wal_replay_resume()");
  await becomes(true);
  const before = await reads("replica");
  assert.equal((await titles(READER)).length, 2);
  assert.ok((await reads("replica")) > before);
});

test("while the replica is down, the primary answers everyone; when it is back, it is used again", async () => {
  await replica.kill();
  assert.equal((await titles(READER)).length, 2);
  await becomes(false);
  assert.equal((await titles(READER)).length, 2);
  await replica.start();
  await becomes(true);
});

test("a replica that was promoted is no longer used, and takes no write of ours", async () => {
  await replica.promote();
  await becomes(false);
  await postTask(agent, { title: "After the promotion" });
  assert.ok((await titles(READER)).includes("After the promotion"));
  assert.match(await metrics().registry.metrics(), /^guildhall_replica_lag_seconds \+Inf/m);
});
