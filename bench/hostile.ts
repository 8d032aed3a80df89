import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { withClient } from "#lib/db/with-client.ts";
import type { Bench } from "./bench.ts";
import { get, openCaller, openLoop } from "./client.ts";
import type { DataSet, Agent as Identity } from "./data.ts";
import { type Running, residentMiB, startSmallService } from "./processes.ts";
import { latencies, round } from "./statistics.ts";
import { HOSTILE } from "./targets.ts";

/** See hostile-client.ts. */
const LOADS = ["bodies", "unread", "pages", "tokens"] as const;
export type LoadOptions = { load: (typeof LOADS)[number]; url: string; seconds: number; identities: Identity[] };

export type LoadResult = {
  sent: number;
  /** Answers by status; 0: the connection was closed. */
  statuses: Record<number, number>;
  largestBytes: number;
  /** How many answers came before the first 429; undefined if there was none. */
  before429?: number;
};

/** Sent when the last connections that never read are open; the load ends when it gets an answer. */
export type StillOpen = { stillOpen: number };

const CLOSED_WITHIN_SECONDS = 60;

/** Hostile loads, one after the other, and how the service serves others meanwhile. */
export async function measureHostile(bench: Bench): Promise<void> {
  const data = await bench.open("mixed", "hostile");
  const service = await bench.start(data, startSmallService);
  // The first render of a page loads its code, which is not what is measured here.
  for (const path of ["/", "/docs", "/docs/community", "/tasks"])
    await (await fetch(`${service.url}${path}`)).arrayBuffer();
  for (const load of LOADS.filter((name) => name.includes(bench.only))) await measureLoad(bench, data, service, load);
}

async function measureLoad(bench: Bench, data: DataSet, service: Running, load: LoadOptions["load"]): Promise<void> {
  const before = residentMiB(service.pid);
  const rowsBefore = await countRows(data);
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMiB(service.pid));
  }, 200);
  const probe = startProbe(service.url);
  const { result, closedSeconds } = await runLoad({
    ...{ load, url: service.url, seconds: bench.plan.hostile.seconds },
    identities: data.providers,
  });
  const { ms, calls, failed } = await probe.stop();
  // The next load begins with fresh counts, and memory is seen again after some rest.
  await delay(bench.plan.hostile.restSeconds * 1000);
  clearInterval(sampler);
  const rows = (await countRows(data)) - rowsBefore;
  const largestKiB = round(result.largestBytes / 1024);
  const { before429 = Number.POSITIVE_INFINITY } = result;
  const isMet =
    ms.max <= HOSTILE.probeMs &&
    failed === 0 &&
    peak - before < HOSTILE.growthMiB &&
    largestKiB <= HOSTILE.answerKiB &&
    (load !== "tokens" || (before429 <= HOSTILE.before429 && rows === 0)) &&
    closedSeconds !== null;
  bench.add({
    figure: `hostile: ${load}`,
    measured: [
      `${result.sent} answers ${JSON.stringify(result.statuses).replaceAll('"', "")}`,
      `status.php p50 ${ms.p50}, p95 ${ms.p95}, max ${ms.max} ms; ${failed} of ${calls} failed`,
      `memory ${before} → ${peak} → ${residentMiB(service.pid)} MiB`,
      `largest answer ${largestKiB} KiB`,
      `${rows} rows`,
      ...(load === "tokens" ? [`first 429 after ${before429}`] : []),
      ...(closedSeconds === undefined
        ? []
        : [`closed after ${closedSeconds ?? `more than ${CLOSED_WITHIN_SECONDS}`} s`]),
    ].join("; "),
    target: [
      `status.php ≤ ${HOSTILE.probeMs} ms`,
      `memory + < ${HOSTILE.growthMiB} MiB`,
      `answer ≤ ${HOSTILE.answerKiB} KiB`,
      ...(load === "tokens" ? [`429 after ≤ ${HOSTILE.before429}`, "no rows"] : []),
      ...(load === "unread" ? ["all closed"] : []),
    ].join(", "),
    isMet,
  });
}

/** Runs a load in a thread of its own, so that it does not delay the probe. */
function runLoad(options: LoadOptions): Promise<{ result: LoadResult; closedSeconds?: number | null }> {
  const worker = new Worker(new URL("./hostile-client.ts", import.meta.url), { workerData: options });
  let closedSeconds: number | null | undefined;
  return new Promise((done, fail) => {
    worker.once("error", fail);
    worker.on("message", (message: LoadResult | StillOpen) => {
      if ("sent" in message) {
        done({ result: message, ...(closedSeconds !== undefined && { closedSeconds }) });
        return;
      }
      waitUntilClosed(new URL(options.url).port).then((seconds) => {
        closedSeconds = seconds;
        worker.postMessage("enough");
      }, fail);
    });
  });
}

const PROBES_PER_SECOND = 10;

const PROBE_ADDRESSES = ["127.0.1.1", "127.0.1.2", "127.0.1.3", "127.0.1.4"];

/** Calls status.php at a steady rate, from addresses that share no limit with the load. */
function startProbe(url: string) {
  const times: number[] = [];
  let failed = 0;
  let isOver = false;
  const caller = openCaller(url, 64, PROBE_ADDRESSES);
  function* schedule() {
    for (let turn = 0; !isOver; turn += 1) yield { at: turn / PROBES_PER_SECOND, request: get("/api/v1/status.php") };
  }
  const done = openLoop(caller, schedule(), ({ status, milliseconds }) => {
    times.push(milliseconds);
    if (status !== 200) failed += 1;
  });
  return {
    async stop() {
      isOver = true;
      await done;
      caller.close();
      return { ms: latencies(times), calls: times.length, failed };
    },
  };
}

/** Seconds until the service has no more connections from the load's addresses; null if it keeps some. */
async function waitUntilClosed(port: string): Promise<number | null> {
  const began = performance.now();
  for (;;) {
    const seconds = (performance.now() - began) / 1000;
    if (countEstablished(port) === 0) return round(seconds);
    if (seconds > CLOSED_WITHIN_SECONDS) return null;
    await delay(200);
  }
}

/** Connections that the service has not closed, as the kernel lists them: a client that never reads does not notice a close. */
function countEstablished(port: string): number {
  const local = `0100007F:${Number(port).toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n");
  // Columns: number, local address, remote address (bytes in reverse order), state (01: established).
  return lines.filter((line) => {
    const [, own, other = "", state] = line.trim().split(/\s+/);
    return own === local && state === "01" && /^\w\w00007F:/.test(other) && !other.startsWith("0100007F:");
  }).length;
}

function countRows({ url }: DataSet): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "SELECT ((SELECT count(*) FROM rate_limits) + (SELECT count(*) FROM audit_events))::int AS count",
    );
    return rows[0]?.count ?? 0;
  });
}
