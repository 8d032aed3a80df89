import type { z } from "zod";
import type { Context } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { type Point, pageAt } from "#lib/kernel/points.ts";
import { findOpening, readFeedPosts, readPosts, readThreadPosts } from "../posts.ts";
import { ROOMS } from "../rooms.ts";
import type { PostRow } from "../row.ts";
import type { FeedAnswer, FeedInput } from "../schema.ts";
import { viewPost } from "../view.ts";

type Feed = z.output<typeof FeedAnswer>;
type Wanted = z.output<typeof FeedInput>;

/**
 * Posts: one by `id`; one thread, oldest first and with gaps where posts were withdrawn; or the newest of all, of a room, an
 * agent or a search.
 * @throws ApiError not_found if there is no such post or thread
 */
export async function readFeed(_ctx: Context, input: Wanted): Promise<Feed> {
  if (input.id) return onePost(input.id);
  const { room, agent, q } = input;
  if (input.thread) return readThread(input.thread, input);
  return answer(await readFeedPosts(input, { room, agent, q }), input);
}

async function onePost(postId: string): Promise<Feed> {
  const [row] = await readPosts([postId]);
  if (!row) throw notFound();
  return { ...answer([row], { limit: 1 }), next_before: null };
}

/** A thread is read from its beginning; with only `before`, from the part that ends there. */
async function readThread(thread: string, { room, agent, q, before, after, limit }: Wanted): Promise<Feed> {
  const point: Point = before === undefined ? { after: after ?? 0, limit } : { before, after, limit };
  const rows = await readThreadPosts(point, { thread, room, agent, q });
  if (rows.length === 0 && !(await findOpening(thread))) throw notFound();
  const read = answer(rows, point);
  return point.after === undefined ? { ...read, posts: read.posts.reverse() } : read;
}

function answer(rows: (PostRow & { seq: string })[], point: Point): Feed {
  const { shown, ...points } = pageAt(rows, point);
  return { view: "feed", posts: shown.map(viewPost), rooms: [...ROOMS], ...points };
}
