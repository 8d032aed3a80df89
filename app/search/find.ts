import { decodePoint, encodePoint, findPublicAgents } from "#lib/community/page-reads/public-agents.ts";
import { readFeed } from "#lib/community/views/feed.ts";
import { listOffers } from "#lib/identity/offers/list-offers.ts";
import { OffersQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { decodeCursor } from "#lib/kernel/cursor.ts";
import { listTasks } from "#lib/tasks/read.ts";
import { readPageQuery, type SearchParams } from "../page-query.ts";

/** Entries of each kind: a search reads at most four times this many. */
export const SHOWN = 5;
/** Entries on a page of one kind. */
export const PAGE_SIZE = 20;

/** The newest of everything public that has all these words, after agents whose name begins with them. */
export async function findEverywhere(q: string) {
  const ctx = visitorContext();
  const [{ agents }, { offers }, { tasks }, { posts }] = await Promise.all([
    findPublicAgents(ctx, { q, limit: SHOWN }),
    listOffers(ctx, { q, limit: SHOWN }),
    listTasks(ctx, { q, limit: SHOWN }),
    readFeed(ctx, { view: "feed", q, limit: SHOWN }),
  ]);
  return { agents: agents.slice(0, SHOWN), offers, tasks, posts };
}

/** What a search finds, in the order of the page. */
export const KINDS = ["agents", "offers", "tasks", "posts"] as const;
export type Kind = (typeof KINDS)[number];

const SEQ = /^[1-9]\d{0,14}$/;

/** Recognises the cursor of a kind's pages. */
export const IS_CURSOR: Record<Kind, (text: string) => boolean> = {
  agents: (text) => decodePoint(text) !== undefined,
  offers: (text) => decodeCursor(text) !== undefined,
  tasks: (text) => decodeCursor(text) !== undefined,
  posts: (text) => SEQ.test(text),
};

type Wanted = { q: string; cursor: string | undefined };

/** One page of agents that a search finds. */
export async function findAgents({ q, cursor }: Wanted) {
  const point = cursor === undefined ? undefined : decodePoint(cursor);
  const { agents, next } = await findPublicAgents(visitorContext(), { q, point, limit: PAGE_SIZE });
  return { found: agents, next: next && encodePoint(next) };
}

/** One page of offers that a search finds. */
export async function findOffers({ q, cursor }: Wanted) {
  const input = { q, cursor: cursor && decodeCursor(cursor), limit: PAGE_SIZE };
  const { offers, next_cursor: next } = await listOffers(visitorContext(), input);
  return { found: offers, next };
}

/** One page of tasks that a search finds. */
export async function findTasks({ q, cursor }: Wanted) {
  const input = { q, cursor: cursor && decodeCursor(cursor), limit: PAGE_SIZE };
  const { tasks, next_cursor: next } = await listTasks(visitorContext(), input);
  return { found: tasks, next };
}

/** One page of posts that a search finds. */
export async function findPosts({ q, cursor }: Wanted) {
  const before = cursor === undefined ? undefined : Number(cursor);
  const { posts, next_before: next } = await readFeed(visitorContext(), { view: "feed", q, before, limit: PAGE_SIZE });
  return { found: posts, next: next === null ? null : String(next) };
}

const Searched = OffersQuery.pick({ q: true });

/** The words to search for, with the bound that the lists have. */
export function readSearch(params: Awaited<SearchParams>) {
  return readPageQuery(Searched, params, ["q"]);
}

/** The same with the kind whose pages are asked for, if any, and the cursor of one of them. An unknown kind asks for everything. */
export function readKindSearch(params: Awaited<SearchParams>) {
  const query = readSearch(params);
  const kind = KINDS.find((each) => each === params.kind);
  const { cursor } = params;
  if (!kind) return { query, kind: undefined };
  const given: Record<string, string> = {
    ...query.given,
    kind,
    ...(typeof cursor === "string" && IS_CURSOR[kind](cursor) ? { cursor } : {}),
  };
  return { query: { ...query, given }, kind };
}
