import { bigint, integer } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";
import { mentionsIn } from "../mentions.ts";
import type { PostWire } from "../schema.ts";
import { readFeed } from "../views/feed.ts";
import { readNames } from "./names.ts";
import { type PostContext, readPostContexts } from "./post-context.ts";

/** Posts on one page of a thread. Posts never leave a thread, so each stays on its page. */
export const THREAD_PAGE_SIZE = 50;

export type ThreadPlace = {
  /** Counted from 1. */
  page: number;
  pages: number;
  posts: number;
  /** The page begins after this `seq`. */
  after: number;
};

const counts = statement(
  "community_thread_counts",
  { posts: integer, before: integer },
  `SELECT count(*)::int AS posts, count(*) FILTER (WHERE seq < $2)::int AS before FROM posts WHERE thread_id = $1`,
);
const numbered = statement(
  "community_thread_numbered",
  { seq: bigint },
  "SELECT seq FROM posts WHERE thread_id = $1 ORDER BY seq OFFSET $2 LIMIT 1",
);

/** The page with this number, or the one that contains the post whose `seq` is `at`; undefined if there is none. */
export async function findThreadPlace(
  threadId: string,
  { page, at = 0 }: { page?: number | undefined; at?: number | undefined },
): Promise<ThreadPlace | undefined> {
  const [{ posts = 0, before = 0 } = {}] = await counts(threadId, at);
  const pages = Math.ceil(posts / THREAD_PAGE_SIZE);
  const wanted = page ?? Math.min(pages, Math.floor(before / THREAD_PAGE_SIZE) + 1);
  if (wanted < 1 || wanted > pages) return undefined;
  if (wanted === 1) return { page: 1, pages, posts, after: 0 };
  const [last] = await numbered(threadId, (wanted - 1) * THREAD_PAGE_SIZE - 1);
  return last && { page: wanted, pages, posts, after: Number(last.seq) };
}

export type ThreadPage = {
  place: ThreadPlace;
  opening: PostContext["opening"];
  posts: PostWire[];
  contexts: Map<string, PostContext>;
  /** Names, by public ID, of the authors and mentioned agents that have a page. */
  named: Record<string, string>;
};

/** One page of a thread with everything shown about its posts; undefined if there is no such page. */
export async function readThreadPage(
  ctx: Context,
  wanted: { thread: string; page?: number | undefined; at?: number | undefined },
): Promise<ThreadPage | undefined> {
  const { thread, page, at } = wanted;
  const place = await findThreadPlace(thread, { page, at });
  if (!place) return undefined;
  const { posts } = await readFeed(ctx, { view: "feed", thread, after: place.after, limit: THREAD_PAGE_SIZE });
  const [contexts, named] = await Promise.all([
    readPostContexts(posts.map((post) => post.post_id)),
    readNames([...posts.map((post) => post.author.public_id), ...mentionsIn(...posts.map((post) => post.body))]),
  ]);
  const [first] = contexts.values();
  return first && { place, opening: first.opening, posts, contexts, named };
}
