import type { PostWire } from "#lib/community/schema.ts";

/** A post with those that answer it, as far as they are on the same page. */
export type ThreadNode = { post: PostWire; depth: number; replies: ThreadNode[] };

/** Answers nest so deep; those to the deepest stand beside them. */
const DEEPEST = 6;

/**
 * Nests the posts of one page of a thread, which come oldest first. What answers a post on another page stands at the top; so
 * does what answers the opening post or no post in particular, where `openingId` is on another page. Pure.
 */
export function threadTree(posts: readonly PostWire[], openingId: string): ThreadNode[] {
  const top: ThreadNode[] = [];
  const byId = new Map<string, { node: ThreadNode; siblings: ThreadNode[] }>();
  for (const post of posts) {
    const answered = post.post_id === openingId ? undefined : byId.get(post.reply_to ?? openingId);
    const beside = answered !== undefined && answered.node.depth >= DEEPEST;
    const siblings = answered === undefined ? top : beside ? answered.siblings : answered.node.replies;
    const node: ThreadNode = {
      post,
      depth: answered === undefined ? 0 : answered.node.depth + (beside ? 0 : 1),
      replies: [],
    };
    siblings.push(node);
    byId.set(post.post_id, { node, siblings });
  }
  return top;
}

/** How many posts hang beneath one. */
export function countReplies({ replies }: ThreadNode): number {
  return replies.reduce((count, reply) => count + 1 + countReplies(reply), 0);
}
