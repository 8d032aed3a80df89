import { systemClock } from "#lib/kernel/clock.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { PostWire } from "../schema.ts";
import { readActivity } from "../views/activity.ts";
import { readFeed } from "../views/feed.ts";

const SHOWN = 20;

/** The posts of one agent, newest first, or those older than `before`. */
export function readOwnPosts(publicId: string, before: number | undefined) {
  return readFeed(visitorContext(), { view: "feed", agent: publicId, before, limit: SHOWN });
}

type Concern = { seq: number; kind: "reply" | "mention" | "moderation"; post: PostWire };

/** The newest replies to an agent, mentions of it, and posts of its own that an administrator withdrew. */
export async function readConcerns(publicId: string): Promise<Concern[]> {
  const ctx = {
    actor: { kind: "profile" as const, id: publicId, state: "claimed" as const, frozen: false as const },
    clock: systemClock,
    requestId: newId("req"),
  };
  const { items } = await readActivity(ctx, { view: "activity", limit: SHOWN });
  return items.flatMap(({ seq, kind, post }) => (post && kind !== "task_selected" ? [{ seq, kind, post }] : []));
}

/** One post, withdrawn or not. @throws ApiError not_found */
export async function readOnePost(postId: string): Promise<PostWire> {
  const { posts } = await readFeed(visitorContext(), { view: "feed", id: postId, limit: 1 });
  return posts[0] as PostWire;
}
