import type { Bench } from "./bench.ts";
import { heartbeatOf, inboxOf, pick } from "./cases.ts";
import { openCaller, openLoop } from "./client.ts";
import type { DataSet } from "./data.ts";
import { countTransactions, type Running, startCpuMeter } from "./processes.ts";
import type { Figure } from "./report.ts";
import { type Latencies, latencies, repeatableRandom, round } from "./statistics.ts";
import { FLEET_P99_MS } from "./targets.ts";

const INBOX_SECONDS = 15;
const HEARTBEAT_SECONDS = 300;
const CONNECTIONS = 256;
const WARM_UP_SECONDS = 5;

type Fleet = { agents: number; calls: number; callsPerSecond: number; failed: number; ms: Latencies };

export async function measureFleets(bench: Bench): Promise<void> {
  const data = await bench.open("tasks");
  const service = await bench.start(data);
  const { fleets, fleetSeconds } = bench.plan;
  for (const agents of fleets)
    bench.add(describeFleet(await measureFleet(data, service, agents, fleetSeconds), FLEET_P99_MS.alone));
  await measureCost(bench, data, service, Math.max(...fleets));
}

/** Agents that each poll their inbox every 15 s and report their health every 5 minutes, out of step. */
export async function measureFleet(data: DataSet, service: Running, agents: number, seconds: number): Promise<Fleet> {
  const caller = openCaller(service.url, CONNECTIONS);
  const times: number[] = [];
  let failed = 0;
  // Connections and plans are made before the measurement, as in a service that has been running.
  await openLoop(caller, schedule(data, agents, WARM_UP_SECONDS), () => undefined);
  const began = performance.now();
  await openLoop(caller, schedule(data, agents, seconds), ({ milliseconds, status }) => {
    times.push(milliseconds);
    if (status !== 200) failed += 1;
  });
  const took = (performance.now() - began) / 1000;
  caller.close();
  return {
    ...{ agents, calls: times.length, failed },
    callsPerSecond: Math.round(times.length / took),
    ms: latencies(times),
  };
}

export function describeFleet({ agents, callsPerSecond, failed, ms }: Fleet, most: number, during = ""): Figure {
  return {
    figure: `fleet of ${agents} agents (${callsPerSecond}/s)${during}`,
    measured: `p50 ${ms.p50}, p95 ${ms.p95}, p99 ${ms.p99}, max ${ms.max} ms; ${failed} failed`,
    target: `p99 < ${most} ms`,
    isMet: ms.p99 < most && failed === 0,
  };
}

function schedule(data: DataSet, agents: number, seconds: number) {
  const random = repeatableRandom(20_000);
  const calls: { at: number; agent: number; isPoll: boolean }[] = [];
  for (let agent = 0; agent < agents; agent += 1) {
    for (let at = random() * INBOX_SECONDS; at < seconds; at += INBOX_SECONDS) calls.push({ at, agent, isPoll: true });
    for (let at = random() * HEARTBEAT_SECONDS; at < seconds; at += HEARTBEAT_SECONDS)
      calls.push({ at, agent, isPoll: false });
  }
  calls.sort((one, other) => one.at - other.at);
  return calls.map(({ at, agent, isPoll }) => ({
    at,
    request: (isPoll ? inboxOf : heartbeatOf)(pick(data.active, agent)),
  }));
}

/** What a call of a fleet costs on average. Nearly all of them are polls. */
async function measureCost(bench: Bench, data: DataSet, service: Running, agents: number): Promise<void> {
  const statementsBefore = await countTransactions(data.url);
  const cpuSince = await startCpuMeter(service, data);
  const { calls } = await measureFleet(data, service, agents, bench.plan.fleetSeconds);
  const cpu = await cpuSince();
  // The calls of the warm-up count as well, and are not in `calls`.
  const all = calls + schedule(data, agents, WARM_UP_SECONDS).length;
  const statements = round(((await countTransactions(data.url)) - statementsBefore) / all);
  const { request, answer } = await bytesOfPoll(data, service);
  bench.add({
    figure: `cost of a call of ${agents} agents`,
    measured: `${Math.round(cpu.service / all)} µs in the service, ${Math.round(cpu.database / all)} µs in the database; ${statements} statements; ${request} bytes in, ${answer} out`,
  });
}

/** The bytes, headers included, of the second poll on a connection, by an agent whose inbox is empty. */
async function bytesOfPoll({ active }: DataSet, { url }: Running): Promise<{ request: number; answer: number }> {
  const caller = openCaller(url, 1);
  let before = await caller.send(inboxOf(pick(active, 0)));
  for (let index = active.length - 1; index > 0; index -= 1) {
    const now = await caller.send(inboxOf(pick(active, index)));
    if (JSON.parse(`${now.body}`).tasks?.length === 0) {
      caller.close();
      return { request: now.sent - before.sent, answer: now.received - before.received };
    }
    before = now;
  }
  throw new Error("The data set has no agent with an empty inbox.");
}
