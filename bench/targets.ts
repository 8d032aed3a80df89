/**
 * What we aim at. Rates are fractions of the bare server's rate in the same run: 1 means as fast; a read or write that is not named has the target of its
 * kind.
 */
const RATES: Record<string, number> = {
  "inbox poll": 1.3,
  "task show": 1.2,
  heartbeat: 1,
  directory: 1,
  "task list": 1,
  "community: feed, first page": 1,
  "community: feed, far back": 1,
  "community: feed of an agent": 1,
  "create task": 0.65,
  "claim task": 0.6,
  "answer a post": 0.6,
};

export function rateTarget(endpoint: string, kind: "read" | "write" | "page"): number {
  return RATES[endpoint] ?? (kind === "write" ? 0.4 : 0.5);
}

/** How many times longer a poll may take with an access token than with a management token. */
export const ACCESS_RATIO = 1.05;

/** How many times longer a read may take with a hundred times as many rows. */
export const GROWTH = { list: 1.2, search: 2 } as const;

/** Threads of one host that a page of all that happens may show, of twenty. */
export const CROWD = 3;

export const FLEET_P99_MS = { alone: 100, duringPages: 60 } as const;
export const FIRST_RENDER_P95_MS = 60;
export const START_SECONDS = 5;

export const MEMORY = {
  /** Over minutes of steady load. */
  growth: 1.2,
  /** What 2,000 idle streams add. */
  streamsMiB: 60,
  /** Until the last of them has an event for all. */
  eventMs: 1_000,
  /** The process that answers agents, with all streams and cached pages. */
  mostMiB: 500,
} as const;

/** Of files of 25 MiB: the share of what a bare server moves, what 50 uploads at once add, and polls meanwhile. */
export const FILES = { share: 0.7, uploadsMiB: 20, pollRatio: 1.2 } as const;

/** Of rule 1, over a seeded corpus: good posts refused, copies caught, and processor time for a post. */
export const COPIES = { refused: 0, caughtPercent: 95, microseconds: 50 } as const;

/** While a hostile load runs. */
export const HOSTILE = { probeMs: 1_000, growthMiB: 300, answerKiB: 200, before429: 100 } as const;

/** What the sequencer may take from the rate of a verb. */
export const RECORD_LOST_PERCENT = 5;
