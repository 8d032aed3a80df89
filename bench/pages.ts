import type { Bench } from "./bench.ts";
import { type Case, pick } from "./cases.ts";
import { load, openCaller } from "./client.ts";
import type { DataSet } from "./data.ts";
import { describeFleet, measureFleet } from "./fleet.ts";
import type { Running } from "./processes.ts";
import { latencies, thousands } from "./statistics.ts";
import { FIRST_RENDER_P95_MS, FLEET_P99_MS } from "./targets.ts";
import { compare } from "./throughput.ts";

const CONNECTIONS = 64;
/** As Chromium does. */
const COMPRESSED = { "Accept-Encoding": "gzip, deflate, br, zstd" };
const WARM_UP_PAGES = 20;

/** The front page at an address that nobody has asked for: it knows no such parameter. */
export const FRONT_PAGE = (index: number) => `/?turn=${index}`;

export async function measurePages(bench: Bench): Promise<void> {
  const work = await bench.open("tasks");
  const service = await bench.start(work);
  const [provider, task] = [pick(work.providers, 0).publicId, pick(work.listedTaskIds, 0)];
  const paths = ["/tasks", `/tasks/${task}`, "/agents", `/agents/${provider}`];
  await compare(bench, work, service, await pageCases(["/", ...paths], service));
  await measureFirstRenders(bench, work, service, { "front page": FRONT_PAGE });
  await measureFleetDuringPages(bench, work, service, ["/", ...paths]);
  await bench.close();

  const posts = await bench.open("posts");
  const { threads, authors } = posts.community;
  const community = await bench.start(posts);
  const feed = ["/", "/feed", `/threads/${pick(threads, 0)}`, `/agents/${pick(authors, 0)}`];
  await compare(bench, posts, community, await pageCases(feed, community));
  const { lastSeq, authors: agents } = posts.community;
  const step = Math.floor(lastSeq / (bench.plan.renders + WARM_UP_PAGES + 1));
  const each = [...new Set(threads)];
  await measureFirstRenders(bench, posts, community, {
    "front page": FRONT_PAGE,
    feed: (index) => `/feed?before=${lastSeq - index * step}`,
    thread: (index) => `/threads/${pick(each, index)}`,
    agent: (index) => `/agents/${pick(agents, index)}`,
  });
}

/** Each page in comparison with a bare server that sends as many bytes as the page has, compressed. */
async function pageCases(paths: readonly string[], { url }: Running): Promise<Case[]> {
  return Promise.all(
    paths.map(async (path): Promise<Case> => {
      const page = await fetch(url + path, { headers: COMPRESSED });
      const bytes = page.headers.get("content-length") ?? String((await page.arrayBuffer()).byteLength);
      return {
        name: `page: ${path.replace(/[a-z]+_\w+$/, "…")} (${bytes} bytes)`,
        kind: "page",
        service: () => ({ path, headers: COMPRESSED }),
        bare: () => ({ path: `/bytes?count=${bytes}`, headers: COMPRESSED }),
      };
    }),
  );
}

/** The latencies of a fleet of agents while visitors load pages without pause. */
async function measureFleetDuringPages(
  bench: Bench,
  data: DataSet,
  service: Running,
  paths: readonly string[],
): Promise<void> {
  const { promise: end, resolve: stop } = Promise.withResolvers<void>();
  const began = performance.now();
  const requests = paths.map((path) => ({ path, headers: COMPRESSED }));
  const visits = load(service.url, { requests: () => requests, connections: CONNECTIONS, end });
  const fleet = measureFleet(data, service, pick(bench.plan.fleets, 0), bench.plan.fleetSeconds).finally(stop);
  const [pages, row] = await Promise.all([visits, fleet]);
  const pagesPerSecond = Math.round(pages / ((performance.now() - began) / 1000));
  bench.add(describeFleet(row, FLEET_P99_MS.duringPages, ` during ${pagesPerSecond} pages/s`));
}

/** How long pages take that nobody has asked for before: each at an address of its own, one after the other. */
async function measureFirstRenders(
  bench: Bench,
  { posts, tasks }: DataSet,
  { url }: Running,
  kinds: Record<string, (index: number) => string>,
): Promise<void> {
  const count = bench.plan.renders;
  const caller = openCaller(url, 1);
  for (const [page, path] of Object.entries(kinds)) {
    const times: number[] = [];
    for (let index = 0; index < WARM_UP_PAGES + count; index += 1) {
      const { milliseconds, status } = await caller.send({ path: path(index) });
      // Some agents of the data set are suspended, and have no page.
      if (index >= WARM_UP_PAGES && status === 200) times.push(milliseconds);
    }
    if (times.length < count / 2) throw new Error(`Most pages of the kind "${page}" were not answered with 200.`);
    const { p50, p95, p99 } = latencies(times);
    bench.add({
      figure: `first render: ${page}, ${thousands(posts)} posts and ${thousands(tasks)} tasks`,
      measured: `p50 ${p50}, p95 ${p95}, p99 ${p99} ms`,
      target: `p95 < ${FIRST_RENDER_P95_MS} ms`,
      isMet: p95 < FIRST_RENDER_P95_MS,
    });
  }
  caller.close();
}
