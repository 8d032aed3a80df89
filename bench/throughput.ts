import autocannon, { type Request } from "autocannon";
import pg from "pg";
import type { Case } from "./cases.ts";
import type { DataSet } from "./data.ts";
import { cpuSeconds, type Running } from "./processes.ts";
import { median, round } from "./statistics.ts";

const CONNECTIONS = 32;
const REQUESTS_PER_CONNECTION = 250;

export type ThroughputOptions = { rounds: number; seconds: number; only?: string | undefined };

export type ThroughputRow = {
  endpoint: string;
  kind: Case["kind"];
  /** Requests per second, medians over the rounds. */
  bare: number;
  service: number;
  ratio: number;
  rounds: { bare: number[]; service: number[] };
  serviceLatencyMs: { p50: number; p99: number };
  /** CPU time per request, medians over the rounds. It depends far less than the rate on what else the machine does. */
  cpuMicroseconds?: { service: number; database: number };
};

/** Requests per second of the service as a part of the bare server's; the two take turns, so that noise meets both. */
export async function measureThroughput(
  cases: Case[],
  data: DataSet,
  service: Running,
  bare: Running,
  { rounds, seconds, only }: ThroughputOptions,
  log: (line: string) => void,
): Promise<ThroughputRow[]> {
  const rows: ThroughputRow[] = [];
  for (const one of cases.filter(({ name }) => !only || name.includes(only))) {
    const load = (running: Running, ask: (data: DataSet, index: number) => Request, duration: number) =>
      fire(running.url, (index) => ask(data, index), duration);
    await load(bare, one.bare, 2);
    await load(service, one.service, 2);
    const backends = await backendPids(data.url);
    const speeds = { bare: [] as number[], service: [] as number[] };
    const cpu = { service: [] as number[], database: [] as number[] };
    let latency = { p50: 0, p99: 0 };
    for (let turn = 0; turn < rounds; turn++) {
      speeds.bare.push((await load(bare, one.bare, seconds)).rate);
      const before = { service: cpuSeconds([service.pid]), database: cpuSeconds(backends) };
      const mine = await load(service, one.service, seconds);
      for (const part of ["service", "database"] as const) {
        const used = (cpuSeconds(part === "service" ? [service.pid] : backends) ?? 0) - (before[part] ?? 0);
        cpu[part].push((used / mine.requests) * 1e6);
      }
      speeds.service.push(mine.rate);
      latency = mine.latency;
    }
    const row = {
      endpoint: one.name,
      kind: one.kind,
      bare: Math.round(median(speeds.bare)),
      service: Math.round(median(speeds.service)),
      ratio: round(median(speeds.service) / median(speeds.bare)),
      rounds: speeds,
      serviceLatencyMs: latency,
      cpuMicroseconds: { service: Math.round(median(cpu.service)), database: Math.round(median(cpu.database)) },
    };
    const { service: own, database } = row.cpuMicroseconds;
    log(
      `  ${row.endpoint}: ${row.service}/s of ${row.bare}/s = ${Math.round(row.ratio * 100)} %; CPU ${own} + ${database} µs`,
    );
    rows.push(row);
  }
  return rows;
}

/** The database's processes for the connections that are open now: pools keep theirs while they are busy. */
async function backendPids(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pid FROM pg_stat_activity");
  await client.end();
  return rows.map(({ pid }) => pid);
}

async function fire(url: string, ask: (index: number) => Request, seconds: number) {
  let connection = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient(client) {
      // Each connection asks for other agents and tasks: no two of them meet at the same row.
      const first = connection++ * REQUESTS_PER_CONNECTION;
      client.setRequests(Array.from({ length: REQUESTS_PER_CONNECTION }, (_, index) => ask(first + index)));
    },
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed.`);
  const { total } = result.requests;
  return { rate: Math.round(total / result.duration), latency: result.latency, requests: total };
}
