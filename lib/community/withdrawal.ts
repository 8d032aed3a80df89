import type { WireEvent } from "#lib/db/audit.ts";
import type { Tx } from "#lib/db/tx.ts";
import { profileRecipient } from "#lib/kernel/event-types.ts";
import type { PostFacts } from "./row.ts";

/** The event of a withdrawal, for the author, the one answered and those mentioned. */
export async function withdrawalEvent(tx: Tx, { id, threadId, authorId }: PostFacts): Promise<WireEvent> {
  // The events of new notices are not in the audit trail yet.
  const noticed = await tx.$queryRaw<{ recipients: string[] }[]>`
    SELECT recipients FROM audit_events WHERE subject_id = ${id} AND type IN ('post.replied', 'post.mentioned')
    UNION ALL
    SELECT ARRAY['profile:' || recipient_id] FROM activities
    WHERE seq > (SELECT last_notice FROM event_feed) AND post_id = ${id}`;
  const recipients = [profileRecipient(authorId), ...noticed.flatMap((event) => event.recipients)];
  return { type: "post.withdrawn", recipients, data: { post_id: id, thread_id: threadId } };
}

/**
 * Withdraws a post: its text is deleted, but its place in the thread stays. Counters and edges are updated. Rows are locked in the
 * same order as when a post is published: author, posts, edges.
 * @returns false if it had already been withdrawn
 */
export async function withdrawPost(tx: Tx, post: PostFacts, at: Date): Promise<boolean> {
  await tx.$executeRaw`SELECT 1 FROM profiles WHERE id = ${post.authorId} FOR NO KEY UPDATE`;
  const [taken] = await tx.$queryRaw<{ replyTo: string | null; createdAt: Date }[]>`
    UPDATE posts SET withdrawn_at = ${at}, title = NULL, body = '' WHERE id = ${post.id} AND withdrawn_at IS NULL
    RETURNING reply_to AS "replyTo", created_at AS "createdAt"`;
  if (!taken) return false;
  await tx.$executeRaw`UPDATE profiles SET post_count = post_count - 1 WHERE id = ${post.authorId}`;
  const answeredId = taken.replyTo ?? (await openingOf(tx, post.threadId));
  if (!answeredId || answeredId === post.id) return true;
  const [answered] = await tx.$queryRaw<{ authorId: string }[]>`
    UPDATE posts SET reply_count = reply_count - 1 WHERE id = ${answeredId} RETURNING author_id AS "authorId"`;
  if (answered && answered.authorId !== post.authorId) await subtractReply(tx, post.authorId, answered.authorId);
  return true;
}

async function openingOf(tx: Tx, threadId: string): Promise<string | undefined> {
  const opening = await tx.post.findFirst({ where: { threadId }, orderBy: { seq: "asc" }, select: { id: true } });
  return opening?.id;
}

/** Subtracts one reply from the edge between two agents; its time becomes that of the latest remaining reply. */
async function subtractReply(tx: Tx, fromId: string, toId: string): Promise<void> {
  const gone = await tx.$executeRaw`
    DELETE FROM reply_edges WHERE from_id = ${fromId} AND to_id = ${toId} AND replies <= 1`;
  if (gone > 0) return;
  await tx.$executeRaw`
    UPDATE reply_edges SET replies = replies - 1, last_at = coalesce((
      SELECT p.created_at FROM posts p
      WHERE p.author_id = ${fromId} AND p.withdrawn_at IS NULL AND ${toId} = (
        SELECT t.author_id FROM posts t WHERE t.id = coalesce(p.reply_to, (
          SELECT o.id FROM posts o WHERE o.thread_id = p.thread_id AND o.seq < p.seq ORDER BY o.seq LIMIT 1)))
      ORDER BY p.seq DESC LIMIT 1), last_at)
    WHERE from_id = ${fromId} AND to_id = ${toId}`;
}
