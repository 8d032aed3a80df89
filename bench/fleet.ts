import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { DataSet } from "./data.ts";
import { openCaller, openLoop, repeatableRandom } from "./open-loop.ts";
import { cpuSeconds, type Running } from "./processes.ts";
import { type Latencies, latencies, round } from "./statistics.ts";
import { backendPids } from "./throughput.ts";

const INBOX_SECONDS = 15;
const HEARTBEAT_SECONDS = 300;
const CONNECTIONS = 256;

export type FleetRow = {
  agents: number;
  seconds: number;
  requestsPerSecond: number;
  failed: number;
  inboxMs: Latencies;
  heartbeatMs: Latencies;
  allMs: Latencies;
  cost?: FleetCost;
};

/** What one call costs on average. Nearly all of them are polls. */
export type FleetCost = {
  /** Of the processor. Absent where the kernel doesn't tell. */
  serviceMicroseconds?: number;
  databaseMicroseconds?: number;
  /** Transactions of the database, which are single statements here. One may serve many calls. */
  statements: number;
  /** Of an empty poll, with headers: sent by the agent, and by the service. */
  bytes: { request: number; answer: number };
};

/** A fleet of agents, each polling its inbox every 15 s and reporting its health every 5 minutes, out of step. */
export async function measureFleet(
  data: DataSet,
  service: Running,
  { agents, seconds, costs = false }: { agents: number; seconds: number; costs?: boolean },
): Promise<FleetRow> {
  const caller = openCaller(service.url, CONNECTIONS);
  const times = { inbox: [] as number[], heartbeat: [] as number[] };
  let failed = 0;
  try {
    // Connections and plans are made before the measurement, as they are in a service that runs.
    await openLoop(caller, schedule(data, agents, 5), () => undefined);
    const costSoFar = costs ? await measureCost(data, service) : undefined;
    const began = performance.now();
    await openLoop(caller, schedule(data, agents, seconds), ({ name, milliseconds, status }) => {
      times[name as keyof typeof times].push(milliseconds);
      if (status !== 200) failed += 1;
    });
    const took = (performance.now() - began) / 1000;
    const all = [...times.inbox, ...times.heartbeat];
    return {
      agents,
      seconds,
      requestsPerSecond: round(all.length / took, 0),
      failed,
      inboxMs: latencies(times.inbox),
      heartbeatMs: latencies(times.heartbeat),
      allMs: latencies(all),
      ...(costSoFar ? { cost: await costSoFar(all.length) } : {}),
    };
  } finally {
    caller.close();
  }
}

function schedule(data: DataSet, agents: number, seconds: number) {
  const random = repeatableRandom(20_000);
  const calls: { at: number; name: "inbox" | "heartbeat"; index: number }[] = [];
  for (let index = 0; index < agents; index++) {
    for (let at = random() * INBOX_SECONDS; at < seconds; at += INBOX_SECONDS) calls.push({ at, name: "inbox", index });
    for (let at = random() * HEARTBEAT_SECONDS; at < seconds; at += HEARTBEAT_SECONDS) {
      calls.push({ at, name: "heartbeat", index });
    }
  }
  calls.sort((one, other) => one.at - other.at);
  return calls.map(({ at, name, index }) => ({ at, name, call: call(data, name, index) }));
}

function call(data: DataSet, name: "inbox" | "heartbeat", index: number) {
  const { publicId, token } = data.active[index % data.active.length] ?? { publicId: "", token: "" };
  return name === "inbox"
    ? { method: "GET" as const, path: `/api/v1/jobs/inbox.php?public_id=${publicId}`, token }
    : {
        method: "POST" as const,
        path: "/api/v1/agents/heartbeat.php",
        token,
        body: { public_id: publicId, health_status: "available" },
      };
}

/** @returns what a call cost from now on, for so many of them */
async function measureCost(data: DataSet, service: Running): Promise<(calls: number) => Promise<FleetCost>> {
  const used = async () => ({
    service: cpuSeconds([service.pid]),
    database: new Map((await backendPids(data.url)).map((pid) => [pid, cpuSeconds([pid]) ?? 0])),
  });
  const done = await statementsSoFar(data.url);
  const from = await used();
  return async (calls) => {
    const to = await used();
    const statements = round(((await statementsSoFar(data.url)) - done) / calls);
    const bytes = await bytesOfPoll(data, service);
    if (to.service === undefined) return { statements, bytes };
    // Connections come and go meanwhile. What those had used that have gone is lost.
    const database = [...to.database].map(([pid, seconds]) => seconds - (from.database.get(pid) ?? 0));
    const perCall = (seconds: number) => Math.round((seconds / calls) * 1e6);
    return {
      serviceMicroseconds: perCall(to.service - (from.service ?? 0)),
      databaseMicroseconds: perCall(database.reduce((sum, each) => sum + each, 0)),
      statements,
      bytes,
    };
  };
}

/** PostgreSQL counts what a session did only once it has been idle for ten seconds. */
const COUNTED_MS = 12_000;

async function statementsSoFar(url: string): Promise<number> {
  await delay(COUNTED_MS);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ done: string }>(
    "SELECT xact_commit + xact_rollback AS done FROM pg_stat_database WHERE datname = current_database()",
  );
  await client.end();
  return Number(rows[0]?.done);
}

/** The bytes of the second poll on a connection, of an agent whose inbox is empty. */
async function bytesOfPoll(data: DataSet, service: Running): Promise<FleetCost["bytes"]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const poll = (index: number) =>
    new Promise<{ request: number; answer: number; isEmpty: boolean }>((done, fail) => {
      const { path, token } = call(data, "inbox", index);
      const headers = { authorization: `Bearer ${token}` };
      get(new URL(path, service.url), { agent, headers }, (response) => {
        const { socket } = response;
        let body = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () =>
          done({
            request: socket.bytesWritten,
            answer: socket.bytesRead,
            isEmpty: JSON.parse(body).tasks?.length === 0,
          }),
        );
      }).on("error", fail);
    });
  try {
    let before = await poll(0);
    for (let index = data.active.length - 1; index > 0; index -= 1) {
      const now = await poll(index);
      if (now.isEmpty) return { request: now.request - before.request, answer: now.answer - before.answer };
      before = now;
    }
    return { request: before.request, answer: before.answer };
  } finally {
    agent.destroy();
  }
}
