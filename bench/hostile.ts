import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import pg from "pg";
import type { DataSet, Agent as Identity } from "./data.ts";
import { type Running, residentMiB } from "./processes.ts";
import { percentile, round } from "./statistics.ts";

const PROBE_EVERY_MS = 100;
const REST_SECONDS = 30;
const CLOSED_WITHIN_SECONDS = 60;

/** See hostile-loads.ts. */
export const LOADS = ["bodies", "unread", "pages", "tokens"] as const;
type Load = (typeof LOADS)[number];
export type LoadOptions = { load: Load; port: number; seconds: number; identities: Identity[] };

export type LoadResult = {
  sent: number;
  /** Answers by status; 0: the connection was closed. */
  statuses: Record<number, number>;
  largestBytes: number;
  /** How many answers came before the first 429. */
  before429: number | null;
};

type HostileRow = {
  load: Load;
  sent: number;
  statuses: Record<number, number>;
  before429: number | null;
  /** Calls of status.php meanwhile, each timed from the moment at which it was due. */
  probe: { calls: number; failed: number; p50: number; p95: number; max: number };
  mib: { before: number; peak: number; after: number };
  largestKiB: number;
  /** Rows in `rate_limits` and `audit_events` that the load left behind. */
  rows: number;
  /** For connections that never read: seconds until the last one was closed; null if some stayed open. */
  closedSeconds?: number | null;
};

/** Runs one hostile load and measures, from other addresses, how the service copes. */
export async function measureHostile(
  load: Load,
  data: DataSet,
  service: Running,
  seconds: number,
): Promise<HostileRow> {
  const port = Number(new URL(service.url).port);
  const before = residentMiB(service.pid);
  const rowsBefore = await countRows(data.url);
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMiB(service.pid));
  }, 200);
  const watch = watchStatus(port);
  const options: LoadOptions = { load, port, seconds, identities: data.providers };
  const worker = new Worker(new URL("./hostile-loads.ts", import.meta.url), { workerData: options });
  let closedSeconds: number | null | undefined;
  const result = await new Promise<LoadResult>((done, fail) => {
    worker.once("error", fail);
    worker.on("message", (message: LoadResult | { unread: number }) => {
      if ("sent" in message) return done(message);
      closing(port).then((taken) => {
        closedSeconds = taken;
        worker.postMessage("enough");
      }, fail);
    });
  });
  const probe = await watch.stop();
  await delay(REST_SECONDS * 1000);
  clearInterval(sampler);
  return {
    load,
    sent: result.sent,
    statuses: result.statuses,
    before429: result.before429,
    probe,
    mib: { before, peak, after: residentMiB(service.pid) },
    largestKiB: round(Math.max(result.largestBytes, probe.largestBytes) / 1024),
    rows: (await countRows(data.url)) - rowsBefore,
    ...(closedSeconds === undefined ? {} : { closedSeconds }),
  };
}

/** Calls status.php at a steady rate, from addresses that share no limit with the load. */
function watchStatus(port: number) {
  const times: number[] = [];
  const open = new Set<Promise<void>>();
  let failed = 0;
  let turn = 0;
  let largestBytes = 0;
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true }));
  const timer = setInterval(() => {
    const due = performance.now();
    turn += 1;
    const place = turn % agents.length;
    const options = { host: "127.0.0.1", port, localAddress: `127.0.1.${place + 1}`, path: "/api/v1/status.php" };
    const call = new Promise<void>((done) => {
      const asked = get({ ...options, agent: agents[place] }, (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.once("close", () => {
          times.push(performance.now() - due);
          largestBytes = Math.max(largestBytes, bytes);
          if (response.statusCode !== 200) failed += 1;
          done();
        });
      });
      asked.once("error", () => {
        failed += 1;
        done();
      });
    });
    open.add(call);
    void call.then(() => open.delete(call));
  }, PROBE_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      for (const agent of agents) agent.destroy();
      const [p50 = 0, p95 = 0, max = 0] = [50, 95, 100].map((rank) => round(percentile(times, rank)));
      return { calls: times.length, failed, p50, p95, max, largestBytes };
    },
  };
}

/** Seconds until the service holds no more connections from the load's addresses. */
async function closing(port: number): Promise<number | null> {
  const began = performance.now();
  for (;;) {
    const passed = (performance.now() - began) / 1000;
    if (established(port) === 0) return round(passed);
    if (passed > CLOSED_WITHIN_SECONDS) return null;
    await delay(200);
  }
}

/** Connections that the service has not closed, as the kernel lists them: a client that never reads would not notice a close. */
function established(port: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n");
  // Columns: number, local address, remote address (in the order of bytes of this machine), state (01: established).
  return lines.filter((line) => {
    const [, own, other, state] = line.trim().split(/\s+/);
    return own === local && state === "01" && /^\w\w00007F:/.test(other ?? "") && !/^0100007F:/.test(other ?? "");
  }).length;
}

async function countRows(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      "SELECT ((SELECT count(*) FROM rate_limits) + (SELECT count(*) FROM audit_events))::int AS count",
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

const MOST = { probeMs: 1_000, growthMiB: 300, answerKiB: 200, before429: 100 };

/** A line for each load, and which requirements it failed. */
export function describeHostile(row: HostileRow): string {
  const { load, sent, statuses, probe, mib, largestKiB, rows, closedSeconds, before429 } = row;
  const misses = [
    probe.max > MOST.probeMs && "status.php took more than a second",
    probe.failed > 0 && "status.php failed",
    mib.peak - mib.before >= MOST.growthMiB && "memory grew by 300 MiB or more",
    largestKiB > MOST.answerKiB && "an answer was larger than 200 KiB",
    load === "tokens" && (before429 === null || before429 > MOST.before429) && "429 came too late",
    load === "tokens" && rows > 0 && "rows were written",
    closedSeconds === null && "connections stayed open",
  ].filter(Boolean);
  const findings = [
    `${sent} answers ${JSON.stringify(statuses)}`,
    `status.php p50 ${probe.p50}, p95 ${probe.p95}, max ${probe.max} ms of ${probe.calls} (${probe.failed} failed)`,
    `memory ${mib.before} → ${mib.peak} → ${mib.after} MiB`,
    `largest answer ${largestKiB} KiB`,
    `${rows} rows`,
    ...(load === "tokens" ? [`first 429 after ${before429}`] : []),
    ...(closedSeconds === undefined ? [] : [`closed after ${closedSeconds ?? "more than 60"} s`]),
  ];
  return `${load}: ${findings.join("; ")} — ${misses.length === 0 ? "met" : misses.join(", ")}`;
}
