import type pg from "pg";
import { withClient } from "#lib/db/with-client.ts";
import type { Bench } from "./bench.ts";
import { COMMUNITY_READS, communityPath, inboxOf, pick } from "./cases.ts";
import { type Caller, get, openCaller, type Request } from "./client.ts";
import type { DataSet } from "./data.ts";
import { FRONT_PAGE } from "./pages.ts";
import type { Running } from "./processes.ts";
import { percentile, repeatableRandom, round } from "./statistics.ts";
import { CROWD, GROWTH } from "./targets.ts";

/** A read that is to take about as long on a large data set as on a small one: at most `most` times as long. */
type Read = { name: string; most: number; request(data: DataSet, index: number): Request };

/** A skill with so many tasks and offers, in the small set as well, that every answer is a full page. */
const common = (data: DataSet, index: number) => pick(data.skills.slice(0, 8), index);
const cursor = (seq: number) => Buffer.from(`s${Math.floor(seq)}`).toString("base64url");

/** What an agent reads about itself, with its management token. */
const own =
  (path: string): Read["request"] =>
  (data, index) => {
    const { publicId, token } = pick(data.providers, index);
    return get(`/api/v1/${path}?public_id=${publicId}`, token);
  };
/** What a party reads about a task of its own. */
const ofTask =
  (path: string): Read["request"] =>
  (data, index) => {
    const { taskId, publicId, token } = pick(data.talks, index);
    return get(`/api/v1/${path}?task_id=${taskId}&public_id=${publicId}`, token);
  };
const member =
  (path: string): Read["request"] =>
  ({ community }, index) =>
    get(`/api/v1/${path}`, pick(community.members, index).key);
const owner =
  (path: string): Read["request"] =>
  ({ owners }, index) => ({ path, headers: { Cookie: pick(owners, index) } });
const administrator =
  (path: string): Read["request"] =>
  ({ administrator: Cookie }) => ({ path, headers: { Cookie } });

// Each request differs from the one before where it can, so that what is measured is the index and not one cached page.
const OF_TASKS: Record<string, Read["request"]> = {
  "list, newest": () => get("/api/v1/jobs/list.php"),
  "list, one skill": (data, index) => get(`/api/v1/jobs/list.php?skill=${common(data, index)}&state=open`),
  "list, from the middle": (data, index) =>
    get(`/api/v1/jobs/list.php?cursor=${cursor(data.tasks * (0.1 + (0.8 * (index % 10_000)) / 10_000))}`),
  "list, common word": () => get("/api/v1/jobs/list.php?q=items"),
  "list, rare words": (_data, index) =>
    get(`/api/v1/jobs/list.php?q=${pick(["twinned+crystals+Oban", "brass+band+Nairn", "notary+Ludlow"], index)}`),
  inbox: (data, index) => inboxOf(pick(data.providers, index)),
  "own tasks": own("jobs/mine.php"),
  "what waits for an agent": own("jobs/waiting.php"),
  messages: ofTask("jobs/messages.php"),
  files: ofTask("jobs/files.php"),
  quotes: own("jobs/quotes.php"),
  "access tokens": own("agents/access.php"),
  rehearsals: own("agents/rehearsals.php"),
  match: (data, index) =>
    get(`/api/v1/agents/match.php?skill=${common(data, index)}&budget_pence=${pick([25_000, 50_000], index >> 3)}`),
  "front page, by tasks": (_data, index) => get(FRONT_PAGE(index)),
  "front page, only work": (_data, index) => get(`${FRONT_PAGE(index)}&show=work`),
  "page of records": (_data, index) => get(`/records?turn=${index}`),
};

const OF_COMMUNITY: Record<string, Read["request"]> = {
  "front page, by posts": (_data, index) => get(FRONT_PAGE(index)),
  "front page, only posts": (_data, index) => get(`${FRONT_PAGE(index)}&show=posts`),
  mutes: member("moderation/mutes.php"),
  "acts of moderation": member("moderation/acts.php"),
  "what waits for an owner": owner("/api/v1/owners/waiting.php"),
  "page of an owner's inbox": owner("/workspace/inbox"),
  "page of held posts": administrator("/admin/held-posts"),
  "page of appeals": administrator("/admin/appeals"),
  "page of patterns, with rule hits": administrator("/admin/patterns"),
};

// A search takes longer with more matches, and the large set has a hundred times as many.
const readsOf = ({ only }: Bench, requests: Record<string, Read["request"]>) =>
  Object.entries(requests)
    .filter(([name]) => name.includes(only))
    .map(([name, request]): Read => ({ name, request, most: name.includes("word") ? GROWTH.search : GROWTH.list }));

export async function measureGrowth(bench: Bench): Promise<void> {
  const [fewTasks, tasks] = [await bench.open("fewTasks"), await bench.open("tasks")];
  const [small, large] = [await bench.start(fewTasks), await bench.start(tasks)];
  for (const read of readsOf(bench, OF_TASKS)) await compareSizes(bench, read, [fewTasks, small], [tasks, large]);
  await large.stop();
  await bench.close();

  const [fewPosts, posts] = [await bench.open("fewPosts"), await bench.open("posts")];
  const [smallFeed, largeFeed] = [await bench.start(fewPosts), await bench.start(posts)];
  await measureCrowds(bench, posts, largeFeed);
  const reads = COMMUNITY_READS.map(({ name, query, most }): Read => {
    return { name, most, request: (data, index) => get(communityPath(query(data, index))) };
  });
  for (const read of [...reads.filter(({ name }) => name.includes(bench.only)), ...readsOf(bench, OF_COMMUNITY)])
    await compareSizes(bench, read, [fewPosts, smallFeed], [posts, largeFeed]);
}

const PAGES = 20;

/** How many threads of a page of all that happens have their latest posts from one host, although few hosts have most agents. */
async function measureCrowds(bench: Bench, data: DataSet, { url }: Running): Promise<void> {
  const most: number[] = [];
  let path: string | undefined = "/";
  while (path && most.length < PAGES) {
    const page = await (await fetch(url + path)).text();
    const threads = [...new Set([...page.matchAll(/\/threads\/(thr_\w+)/g)].map(([, id]) => id))];
    most.push(await withClient(data.url, (client) => mostOfOneHost(client, threads)));
    path = /href="(\/\?[^"]*cursor=[^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  }
  bench.add({
    figure: "most threads of one host on a page of all",
    measured: `${Math.max(...most)} on ${most.length} pages`,
    target: `≤ ${CROWD}`,
    isMet: Math.max(...most) <= CROWD,
  });
}

async function mostOfOneHost(client: pg.Client, threads: unknown[]): Promise<number> {
  const { rows } = await client.query<{ most: number }>(
    `SELECT coalesce(max(threads), 0)::int AS most FROM (
       SELECT count(*) AS threads FROM unnest($1::text[]) AS t (id)
         CROSS JOIN LATERAL (SELECT author_id FROM posts WHERE thread_id = t.id AND withdrawn_at IS NULL ORDER BY seq DESC LIMIT 1) latest
         JOIN identities i ON i.id = latest.author_id AND i.domain_status IN ('verified', 'grace')
       GROUP BY i.host) counted`,
    [threads],
  );
  return rows[0]?.most ?? 0;
}

/** Reads in a turn. Turns are short, so that other work of the machine affects both data sets alike. */
const TURN = 50;

/** The 95th percentile of single reads, one after the other, on a small and a large data set that take turns. */
async function compareSizes(bench: Bench, read: Read, ...sizes: [DataSet, Running][]): Promise<void> {
  const { requests, warmUp } = bench.plan.growth;
  const sides = sizes.map(([data, { url }]) => ({
    data,
    caller: openCaller(url, 1),
    random: repeatableRandom(requests),
    times: [] as number[],
  }));
  for (const { data } of sides) {
    await data.refreshHealth();
    // Some machines drop files from the cache after a minute without a read. The large set would then be read from disk.
    await data.readThrough();
  }
  for (const { data, caller, random } of sides) await timeReads(caller, data, read, warmUp, random);
  for (let turn = 0; turn < requests / TURN; turn += 1)
    for (const { data, caller, random, times } of turn % 2 ? sides.toReversed() : sides)
      times.push(...(await timeReads(caller, data, read, TURN, random)));
  for (const { caller } of sides) caller.close();
  const [smallMs = Number.NaN, largeMs = Number.NaN] = sides.map(({ times }) => percentile(times, 95));
  const ratio = round(largeMs / smallMs);
  bench.add({
    figure: `growth: ${read.name}`,
    measured: `p95 ${round(smallMs)} → ${round(largeMs)} ms = ${ratio}`,
    target: `≤ ${read.most}`,
    isMet: ratio <= read.most,
  });
}

async function timeReads(
  caller: Caller,
  data: DataSet,
  { name, request }: Read,
  count: number,
  random: () => number,
): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const { milliseconds, status } = await caller.send(request(data, Math.floor(random() * 1_000_000)));
    if (status !== 200) throw new Error(`${name} was answered with ${status}.`);
    times.push(milliseconds);
  }
  return times;
}
