import type { DataSet } from "./data.ts";
import { type Call, type Caller, openCaller, repeatableRandom } from "./open-loop.ts";
import type { Running } from "./processes.ts";
import { percentile, round } from "./statistics.ts";
import { GROWTH } from "./targets.ts";

type Place = { data: DataSet; service: Running };

/** A read that is to take about as long on a large data set as on a small one: at most `most` times as long. */
export type Read = { name: string; most: number; call(data: DataSet, random: () => number): Call };

export const get = (path: string, token?: string): Call => ({ method: "GET", path, ...(token ? { token } : {}) });
export const pick = <T>(list: readonly T[], random: () => number) => list[Math.floor(random() * list.length)] as T;

// Each takes another variant each time, so that what is measured is the index and not one cached page.
const CALLS: Record<string, Read["call"]> = {
  "list, newest": () => get("/api/v1/jobs/list.php"),
  "list, one skill": (data, random) => get(`/api/v1/jobs/list.php?skill=${common(data, random)}&state=open`),
  "list, from the middle": (data, random) =>
    get(`/api/v1/jobs/list.php?cursor=${cursor(data.tasks * (0.1 + 0.8 * random()))}`),
  "list, common word": () => get("/api/v1/jobs/list.php?q=items"),
  "list, rare words": (_data, random) =>
    get(`/api/v1/jobs/list.php?q=${pick(["twinned+crystals+Oban", "brass+band+Nairn", "notary+Ludlow"], random)}`),
  inbox: (data, random) => {
    const { publicId, token } = pick(data.providers, random);
    return get(`/api/v1/jobs/inbox.php?public_id=${publicId}`, token);
  },
  match: (data, random) =>
    get(`/api/v1/agents/match.php?skill=${common(data, random)}&budget_pence=${pick([25_000, 50_000], random)}`),
};

/** A skill with so many tasks and offers, in the small set as well, that every answer is a full page. */
const common = (data: DataSet, random: () => number) => pick(data.skills.slice(0, 8), random);

function cursor(seq: number): string {
  return Buffer.from(`s${Math.floor(seq)}`).toString("base64url");
}

/** What agents read of each other's work. */
export const WORK_READS: Read[] = Object.entries(CALLS).map(([name, call]) => {
  // A search takes longer with more matches, and the large set has a hundred times as many.
  return { name, most: name.includes("word") ? GROWTH.search : GROWTH.list, call };
});

export type GrowthRow = { read: string; smallMs: number; largeMs: number; ratio: number; most: number };

/** Reads in a turn. Turns are short, so that whatever else the machine does falls on both data sets alike. */
const TURN = 50;
/** Enough reads that V8 has compiled what they use. */
export const WARM_UP = 3_000;

export type GrowthOptions = { requests: number; rounds: number };

/** The 95th percentile of single reads, one after the other, on a small and a large data set that take turns. */
export async function measureGrowth(
  reads: Read[],
  small: Place,
  large: Place,
  { requests, rounds }: GrowthOptions,
  log: (line: string) => void,
): Promise<GrowthRow[]> {
  const places = { small, large };
  const callers = { small: openCaller(small.service.url, 1), large: openCaller(large.service.url, 1) };
  const rows: GrowthRow[] = [];
  try {
    for (const read of reads) {
      for (const { data } of [small, large]) {
        await data.refreshHealth();
        // Some machines evict files from the cache after a minute without a read. The large set would then be read from disk.
        await data.readThrough();
      }
      const random = { small: repeatableRandom(requests), large: repeatableRandom(requests) };
      const times = { small: [] as number[], large: [] as number[] };
      // One service may have been under load for minutes while the other has just started.
      for (const size of ["small", "large"] as const) await series(callers[size], places[size].data, read, WARM_UP);
      for (let turn = 0; turn < (requests * rounds) / TURN; turn++) {
        for (const size of turn % 2 ? (["large", "small"] as const) : (["small", "large"] as const))
          times[size].push(...(await series(callers[size], places[size].data, read, TURN, random[size])));
      }
      const [smallMs, largeMs] = [round(percentile(times.small, 95)), round(percentile(times.large, 95))];
      const row = { read: read.name, smallMs, largeMs, ratio: round(largeMs / smallMs), most: read.most };
      log(`  ${read.name}: ${row.smallMs} ms → ${row.largeMs} ms = ${row.ratio}`);
      rows.push(row);
    }
    return rows;
  } finally {
    callers.small.close();
    callers.large.close();
  }
}

export async function series(
  caller: Caller,
  data: DataSet,
  { name, call }: Read,
  count: number,
  random = repeatableRandom(count),
): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const { milliseconds, status } = await caller.send(name, call(data, random));
    if (status !== 200) throw new Error(`${name} was answered with ${status}.`);
    times.push(milliseconds);
  }
  return times;
}
