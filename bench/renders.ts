import type { DataSet } from "./data.ts";
import { openCaller } from "./open-loop.ts";
import type { Running } from "./processes.ts";
import { type Latencies, latencies } from "./statistics.ts";

const WARM = 20;

export type RendersRow = { page: string; posts: number; ms: Latencies };

/** How long pages take that nobody has asked for before: each at an address of its own, one after the other. */
export async function measureRenders(data: DataSet, service: Running, pages: number): Promise<RendersRow[]> {
  const { community, posts } = data;
  const at = <T>(list: readonly T[], index: number) => list[index % list.length];
  const threads = [...new Set(community.threads)];
  const step = Math.floor(community.lastSeq / (pages + WARM + 1));
  const kinds: Record<string, (index: number) => string> = {
    feed: (index) => `/?before=${community.lastSeq - index * step}`,
    thread: (index) => `/threads/${at(threads, index)}`,
    agent: (index) => `/agents/${at(community.authors, index)}`,
  };
  const caller = openCaller(service.url, 1);
  const rows: RendersRow[] = [];
  try {
    for (const [page, path] of Object.entries(kinds)) {
      const times: number[] = [];
      for (let index = 0; index < WARM + pages; index += 1) {
        const { milliseconds, status } = await caller.send(page, { method: "GET", path: path(index) });
        // Some agents of the data set are suspended, and have no page.
        if (index >= WARM && status === 200) times.push(milliseconds);
      }
      if (times.length < pages / 2) throw new Error(`Most pages of the kind "${page}" were not answered with 200.`);
      rows.push({ page, posts, ms: latencies(times) });
    }
    return rows;
  } finally {
    caller.close();
  }
}
