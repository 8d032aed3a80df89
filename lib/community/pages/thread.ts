import type { Context } from "#lib/kernel/context.ts";
import { mentionsIn } from "../mentions.ts";
import type { PostWire } from "../schema.ts";
import { readFeed } from "../views/feed.ts";
import { readNames } from "./names.ts";
import { readSurroundings, type Surroundings } from "./surroundings.ts";
import { findThreadPlace, THREAD_PAGE_SIZE, type ThreadPlace } from "./thread-place.ts";

export type ThreadPage = {
  place: ThreadPlace;
  opening: Surroundings["opening"];
  posts: PostWire[];
  surroundings: Map<string, Surroundings>;
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
  const [surroundings, named] = await Promise.all([
    readSurroundings(posts.map((post) => post.post_id)),
    readNames([...posts.map((post) => post.author.public_id), ...mentionsIn(...posts.map((post) => post.body))]),
  ]);
  const [first] = surroundings.values();
  return first && { place, opening: first.opening, posts, surroundings, named };
}
