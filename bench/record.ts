import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { DataSet } from "./data.ts";
import type { Running } from "./processes.ts";
import { median, round } from "./statistics.ts";
import { backendPids } from "./throughput.ts";
import { answerPost, type Call, claimTask, createTask, fire, type Ground, openGround } from "./verbs.ts";

// What the feed of events and the transparency log cost the verbs that write to them: the same service with both, with the feed alone
// and with neither takes the same calls in turn.

const CALLS = 2_000;
/** By then, what a turn wrote has its positions and is in the log. */
const SETTLE_MS = 700;

const VARIANTS = ["neither", "feed", "both"] as const;
type Variant = (typeof VARIANTS)[number];
type Installation = { data: DataSet; service: Running };

const VERBS = ["create a task", "claim it", "answer a post"] as const;
type Verb = (typeof VERBS)[number];

type RecordRow = {
  verb: Verb;
  /** CPU time per call of the service's process and the database's together: medians over the turns. */
  microseconds: Record<Variant, number>;
  /** What is added to the service without either, in percent: the median over the turns. */
  feedPercent: number;
  bothPercent: number;
  /** Calls a second over 32 connections, and what of those without either is lost, in percent: medians over the turns. */
  rates: Record<Variant, number>;
  feedLostPercent: number;
  bothLostPercent: number;
};

/** What a turn took: CPU microseconds and seconds per call. */
type Cost = { cpu: number; seconds: number };

/** @param turns how often each installation takes each kind of call; the first turn warms up */
export async function measureRecord(
  installations: Record<Variant, Installation>,
  turns: number,
  log: (line: string) => void,
): Promise<RecordRow[]> {
  const grounds = {
    neither: await openGround(installations.neither.data),
    feed: await openGround(installations.feed.data),
    both: await openGround(installations.both.data),
  };
  const made: Record<Variant, string[]> = { neither: [], feed: [], both: [] };
  const used = new Map(VERBS.map((verb) => [verb, { neither: [], feed: [], both: [] } as Record<Variant, Cost[]>]));
  for (let turn = 0; turn <= turns; turn += 1) {
    const order = [...VARIANTS.slice(turn % 3), ...VARIANTS.slice(0, turn % 3)];
    for (const verb of VERBS) {
      for (const variant of order) {
        const calls = callsOf(verb, grounds[variant], made[variant], turn);
        const cost = await costOf(installations[variant], calls, (answer, index) => {
          if (verb === "create a task") made[variant][index] = (answer as { task: { task_id: string } }).task.task_id;
        });
        if (turn > 0) used.get(verb)?.[variant].push(cost);
      }
    }
  }
  return [...used].map(([verb, costs]) => {
    const each = (of: (costs: Cost[]) => number): Record<Variant, number> => ({
      neither: of(costs.neither),
      feed: of(costs.feed),
      both: of(costs.both),
    });
    // What else the machine does changes slowly, so it meets the calls of one turn alike.
    const times = (variant: Variant, what: keyof Cost) =>
      median(costs[variant].map((cost, turn) => cost[what] / (costs.neither[turn]?.[what] ?? Number.NaN)));
    const added = (variant: Variant) => round((times(variant, "cpu") - 1) * 100, 1);
    const lost = (variant: Variant) => round((1 - 1 / times(variant, "seconds")) * 100, 1);
    const row: RecordRow = {
      verb,
      microseconds: each((turns) => Math.round(median(turns.map(({ cpu }) => cpu)))),
      feedPercent: added("feed"),
      bothPercent: added("both"),
      rates: each((turns) => Math.round(1 / median(turns.map(({ seconds }) => seconds)))),
      feedLostPercent: lost("feed"),
      bothLostPercent: lost("both"),
    };
    log(
      `  ${verb}: ${JSON.stringify(row.microseconds)} µs; feed ${row.feedPercent} %, feed and log ${row.bothPercent} %`,
    );
    log(
      `    ${JSON.stringify(row.rates)} calls a second; lost to the feed ${row.feedLostPercent} %, to both ${row.bothLostPercent} %`,
    );
    return row;
  });
}

function callsOf(verb: Verb, ground: Ground, made: readonly string[], turn: number): (index: number) => Call {
  if (verb === "create a task") return createTask(ground);
  if (verb === "claim it") return claimTask(ground, made);
  const answer = answerPost(ground);
  return (index) => answer(turn * CALLS + index);
}

async function costOf(
  { data, service }: Installation,
  calls: (index: number) => Call,
  seen: (answer: unknown, index: number) => void,
): Promise<Cost> {
  const pids = [service.pid, ...(await backendPids(data.url))];
  const before = pids.map(cpuMicroseconds);
  const began = performance.now();
  await fire(service.url, calls, CALLS, seen);
  const seconds = (performance.now() - began) / 1000 / CALLS;
  await delay(SETTLE_MS);
  // Connections may end meanwhile; what theirs had used until then is lost, and is little.
  const used = pids.map((pid, at) => (cpuMicroseconds(pid) ?? before[at] ?? 0) - (before[at] ?? 0));
  return { cpu: used.reduce((sum, each) => sum + each, 0) / CALLS, seconds };
}

/**
 * CPU time that a process has used so far, with all its threads: to the nanosecond, where `/proc/PID/stat` counts hundredths of a second.
 * Undefined if the process has ended.
 */
function cpuMicroseconds(pid: number): number | undefined {
  const threads = `/proc/${pid}/task`;
  try {
    const nanoseconds = readdirSync(threads).map((thread) =>
      Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ", 1)[0]),
    );
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
