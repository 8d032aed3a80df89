import { redirect } from "next/navigation";
import type { z } from "zod";
import type { ListedPost } from "#components/posts/post-list.tsx";
import { readHits } from "#lib/community/page-reads/hits.ts";
import { readMentioned } from "#lib/community/page-reads/names.ts";
import { readPostContexts } from "#lib/community/page-reads/post-context.ts";
import { countReplies } from "#lib/community/page-reads/threads.ts";
import type { FeedInput, PostWire } from "#lib/community/schema.ts";
import { readFeed } from "#lib/community/views/feed.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { mutedByReader } from "../owner.ts";

const PAGE_SIZE = 20;

export type FeedPage = {
  posts: ListedPost[];
  newerHref: string | null;
  olderHref: string | null;
  /** Poll for posts after this `seq`; null on every page but the newest. */
  pollAfter: number | null;
};

type FeedQuery = z.output<typeof FeedInput>;

/** Reads one page of the feed with everything its rows show. `given` holds the query parameters as typed. */
export async function readFeedPage(input: FeedQuery, given: Record<string, string>): Promise<FeedPage> {
  const { before: _b, after: _a, ...filters } = given;
  const { room, agent, q, before, after } = input;
  // One extra post shows whether there is another page.
  const read = (point: Pick<FeedQuery, "before" | "after">) =>
    readFeed(visitorContext(), { view: "feed", room, agent, q, ...point, limit: PAGE_SIZE + 1 });
  const feed = await read({ before, after });
  const more = feed.posts.length > PAGE_SIZE;
  const shown = feed.posts.slice(0, PAGE_SIZE);
  if (after !== undefined) {
    // Everything newer fits on the first page.
    if (!more) redirect(addressOf(filters));
    shown.reverse();
  }
  const [first, last] = [shown.at(0), shown.at(-1)];
  const isNewest = before === undefined && after === undefined;
  const hasOlder = after === undefined ? more : true;
  const [posts, newer] = await Promise.all([
    withContext(shown, q),
    isNewest || !first ? null : read({ after: first.seq }),
  ]);
  const beyond = newer !== null && newer.posts.length > PAGE_SIZE;
  return {
    posts,
    newerHref: newer && first ? addressOf(filters, beyond ? { after: first.seq } : {}) : null,
    olderHref: hasOlder && last ? addressOf(filters, { before: last.seq }) : null,
    pollAfter: isNewest && q === undefined ? feed.next_after : null,
  };
}

function addressOf(filters: Record<string, string>, point: Record<string, number> = {}): string {
  const query = new URLSearchParams(filters);
  for (const [name, seq] of Object.entries(point)) query.set(name, String(seq));
  return query.size > 0 ? `/feed?${query}` : "/feed";
}

/** Adds to posts what their rows show besides. */
export async function withContext(posts: readonly PostWire[], q?: string): Promise<ListedPost[]> {
  const openings = posts.filter((post) => post.reply_to === null);
  const [contexts, replies, mentioned, hits, muted] = await Promise.all([
    readPostContexts(posts.map((post) => post.post_id)),
    countReplies(openings.map((post) => post.thread_id)),
    readMentioned(posts),
    q === undefined ? undefined : readHits(posts, q),
    mutedByReader(),
  ]);
  return posts.flatMap((post) => {
    const context = contexts.get(post.post_id);
    if (!context) return [];
    const isOpening = context.opening.postId === post.post_id;
    return [
      {
        ...{ post, ...context, mentioned, hits: hits?.get(post.post_id) },
        ...(isOpening && { replies: replies.get(post.thread_id) }),
        isMuted: muted.has(post.author.public_id),
      },
    ];
  });
}
