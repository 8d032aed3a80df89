import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Case } from "./cases.ts";
import type { DataSet } from "./data.ts";
import { load, type Request } from "./load.ts";
import { cpuSeconds, type Running } from "./processes.ts";
import { latencies, median, round } from "./statistics.ts";

const CONNECTIONS = 32;
const REQUESTS_PER_CONNECTION = 250;

type ThroughputOptions = {
  rounds: number;
  seconds: number;
  only?: string | undefined;
  /** Runs one more load of the service, where somebody wants to look at it. */
  watch?: ((name: string, load: () => Promise<unknown>) => Promise<void>) | undefined;
};

export type ThroughputRow = {
  endpoint: string;
  kind: Case["kind"];
  /** Requests per second, medians over the rounds. */
  bare: number;
  service: number;
  ratio: number;
  rounds: { bare: number[]; service: number[] };
  serviceLatencyMs: { p50: number; p99: number };
  /**
   * CPU time per request, of the server's process and the database's together; medians over the rounds. It depends less than the
   * rate on what else the machine does. Absent where the kernel doesn't tell.
   */
  cpuMicroseconds?: { bare: number; service: number };
};

/** Requests per second of the service as a part of the bare server's; the two take turns, so that noise meets both. */
export async function measureThroughput(
  cases: Case[],
  data: DataSet,
  service: Running,
  bare: Running,
  { rounds, seconds, only, watch }: ThroughputOptions,
  log: (line: string) => void,
): Promise<ThroughputRow[]> {
  const rows: ThroughputRow[] = [];
  for (const one of cases.filter(({ name }) => !only || name.includes(only))) {
    const fire = (running: Running, ask: Case["service"], duration: number) =>
      fireAt(running.url, (index) => ask(data, index), duration);
    await fire(bare, one.bare, 2);
    await fire(service, one.service, 2);
    const backends = await backendPids(data.url);
    const rates = { bare: [] as number[], service: [] as number[] };
    const cpu = { bare: [] as number[][], service: [] as number[][] };
    let latency = { p50: 0, p99: 0 };
    for (let turn = 0; turn < rounds; turn++) {
      for (const [side, running, ask] of [
        ["bare", bare, one.bare],
        ["service", service, one.service],
      ] as const) {
        const used = () => [cpuSeconds([running.pid]) ?? Number.NaN, cpuSeconds(backends) ?? Number.NaN] as const;
        const before = used();
        const measured = await fire(running, ask, seconds);
        const after = used();
        const each = after.map((seconds, index) => ((seconds - (before[index] ?? 0)) / measured.requests) * 1e6);
        if (each.every(Number.isFinite)) cpu[side].push(each);
        rates[side].push(measured.rate);
        latency = measured.latency;
      }
    }
    const row: ThroughputRow = {
      endpoint: one.name,
      kind: one.kind,
      bare: Math.round(median(rates.bare)),
      service: Math.round(median(rates.service)),
      ratio: round(median(rates.service) / median(rates.bare)),
      rounds: rates,
      serviceLatencyMs: latency,
    };
    let line = `  ${row.endpoint}: ${row.service}/s of ${row.bare}/s = ${Math.round(row.ratio * 100)} %`;
    if (cpu.bare.length > 0) {
      const sum = ([one = 0, other = 0]: number[]) => one + other;
      row.cpuMicroseconds = {
        bare: Math.round(median(cpu.bare.map(sum))),
        service: Math.round(median(cpu.service.map(sum))),
      };
      const [bareCpu, serviceCpu] = (["bare", "service"] as const).map((side) =>
        [0, 1].map((place) => Math.round(median(cpu[side].map((each) => each[place] ?? 0)))).join(" + "),
      );
      line += `; CPU, server and database: ${serviceCpu} µs to ${bareCpu} µs`;
    }
    log(line);
    await watch?.(one.name, () => fire(service, one.service, seconds));
    rows.push(row);
  }
  return rows;
}

/** The database's processes for the connections that are open now: pools keep theirs while they are busy. */
export async function backendPids(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pid FROM pg_stat_activity");
  await client.end();
  return rows.map(({ pid }) => pid);
}

async function fireAt(url: string, ask: (index: number) => Request, seconds: number) {
  const began = performance.now();
  const { failed, failure, count, milliseconds } = await load(url, {
    connections: CONNECTIONS,
    // Each connection asks for other agents and tasks: no two of them meet at the same row.
    requests: (connection) =>
      Array.from({ length: REQUESTS_PER_CONNECTION }, (_, index) => ask(connection * REQUESTS_PER_CONNECTION + index)),
    end: delay(seconds * 1000),
  });
  if (failed > 0) throw new Error(`${failed} connections to ${url} failed: ${failure ?? "closed"}`);
  const rate = Math.round(count / ((performance.now() - began) / 1000));
  return { rate, latency: latencies(milliseconds), requests: count };
}
