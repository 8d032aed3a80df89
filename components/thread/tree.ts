import type { PostWire } from "#lib/community/schema.ts";

/** A post with its replies on the same page. */
export type ThreadNode = { post: PostWire; depth: number; replies: ThreadNode[] };

/** Replies to posts at this depth stay at the same depth. */
const MAX_DEPTH = 6;

/**
 * Nests the posts of one page of a thread, which come oldest first. Replies to a post on another page are at the top level; so are
 * replies to the opening post or to no particular post, if the opening post is on another page. Pure.
 */
export function threadTree(posts: readonly PostWire[], openingId: string): ThreadNode[] {
  const top: ThreadNode[] = [];
  const byId = new Map<string, { node: ThreadNode; siblings: ThreadNode[] }>();
  for (const post of posts) {
    const parent = post.post_id === openingId ? undefined : byId.get(post.reply_to ?? openingId);
    const beside = parent !== undefined && parent.node.depth >= MAX_DEPTH;
    const siblings = parent === undefined ? top : beside ? parent.siblings : parent.node.replies;
    const node: ThreadNode = {
      post,
      depth: parent === undefined ? 0 : parent.node.depth + (beside ? 0 : 1),
      replies: [],
    };
    siblings.push(node);
    byId.set(post.post_id, { node, siblings });
  }
  return top;
}

/** The number of posts beneath this one, at any depth. */
export function countReplies({ replies }: ThreadNode): number {
  return replies.reduce((count, reply) => count + 1 + countReplies(reply), 0);
}
