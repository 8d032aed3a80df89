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

/** How many times longer a read may take with a hundred times as many rows. */
export const GROWTH = { list: 1.2, search: 2 } as const;

export const FLEET_P99_MS = { alone: 100, besidePages: 60 } as const;
export const FIRST_RENDER_P95_MS = 60;
export const LARGEST_PAINT_MS = 600;
export const INTERACTION_MS = 100;
/** What a page loads, compressed. HTML is that of the feed, and scripts are those of pages that one only reads. */
export const MOST_KB = { html: 15, scripts: 115, fonts: 75 } as const;
/** Of the process that answers agents, which holds the streams and the pages that are kept. */
export const MOST_MIB = 500;
