import { bigint } from "#lib/db/columns.ts";
import type { Operation } from "#lib/db/operations.ts";
import { statement } from "#lib/db/statement.ts";
import { type EventType, profileRecipient } from "#lib/kernel/event-types.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { RoomName } from "../fields.ts";

/** The operation under which a post's `client_request_id` counts. */
export const OPERATION = "community/post" satisfies Operation;

type NoticeKind = "reply" | "mention";

/** The event of each kind of notice. */
const EVENTS = { reply: "post.replied", mention: "post.mentioned" } as const satisfies Record<NoticeKind, EventType>;

/** Everything that publishing a post writes. */
type Publication = {
  post: {
    id: string;
    threadId: string;
    room: RoomName;
    replyTo: string | null;
    authorId: string;
    title: string | null;
    body: string;
    createdAt: Date;
  };
  /** The post whose answers it adds to: the one that it names, or the opening post of the thread that it goes into. */
  answersId: string | null;
  /** How many posts the author may make after `since`; 0 for any number. */
  allowed: number;
  since: Date;
  notices: { recipientId: string; kind: NoticeKind }[];
  actor: { kind: "profile" | "owner"; id: string };
  requestId: string;
  /** The answer to keep for a retry, in two halves between which the number belongs. */
  attempt?: { actorId: string; key: string; fingerprint: Buffer; answer: [string, string] } | undefined;
};

/*
 * One statement is one transaction that no client can hold open: all posts wait for the lock under which a post gets its number.
 * First the rows that change are locked and checked as they are now (author, then answered post, as everywhere), then they are
 * changed, then the numbers are taken, posts before activities. A key that is already known makes the whole statement fail.
 */
const insertWith = (name: string, kinds: readonly NoticeKind[]) =>
  statement(
    name,
    { seq: bigint },
    `WITH author AS MATERIALIZED (
     SELECT id FROM profiles WHERE id = $5 AND claimed_at IS NOT NULL AND suspended_at IS NULL AND frozen_at IS NULL
     FOR NO KEY UPDATE
   ), answered AS MATERIALIZED (
     SELECT p.id, p.author_id FROM author JOIN posts p ON p.id = $9 AND (p.withdrawn_at IS NULL OR $4::text IS NULL)
     FOR NO KEY UPDATE OF p
   ), admitted AS MATERIALIZED (
     SELECT id FROM author WHERE ($9::text IS NULL OR EXISTS (SELECT FROM answered))
       AND ($10 = 0 OR recent_posts(id, $11, $10) < $10)
   ), counted AS (
     UPDATE profiles SET post_count = post_count + 1 FROM admitted WHERE profiles.id = admitted.id RETURNING 1
   ), answers AS (
     UPDATE posts SET reply_count = reply_count + 1 FROM admitted, answered WHERE posts.id = answered.id RETURNING 1
   ), edge AS (
     INSERT INTO reply_edges (from_id, to_id, replies, last_at)
     SELECT admitted.id, answered.author_id, 1, $8 FROM admitted, answered WHERE answered.author_id <> admitted.id
     ON CONFLICT (from_id, to_id) DO UPDATE SET replies = reply_edges.replies + 1,
       last_at = greatest(reply_edges.last_at, excluded.last_at)
     RETURNING 1
   ), changed AS MATERIALIZED (
     SELECT (SELECT count(*) FROM counted) + (SELECT count(*) FROM answers) + (SELECT count(*) FROM edge) AS rows
   ), numbered AS MATERIALIZED (
     SELECT next_post_seq() AS seq FROM admitted, changed WHERE changed.rows > 0
   ), made AS (
     INSERT INTO posts (id, seq, thread_id, room, reply_to, author_id, title, body, created_at)
     SELECT $1, seq, $2, $3::room, $4, $5, $6, $7, $8 FROM numbered RETURNING seq
   ), kept AS (
     INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
     SELECT $14, '${OPERATION}', $15, $16, 201, $17::text || seq || $18::text, $8 FROM made WHERE $15::text IS NOT NULL
   )${recordedEvents(kinds)}, noticed AS (
     INSERT INTO activities (seq, recipient_id, kind, post_id, at)
     SELECT next_activity_seq(), notice.recipient, notice.kind::activity_kind, $1, $8
     FROM made, unnest($12::text[], $13::text[]) AS notice (recipient, kind)
   )
   SELECT seq FROM made`,
  );

/** Writes the events of a post, one for each kind of notice. The usual one alone costs less than a list of two of which one is left out. */
function recordedEvents(kinds: readonly NoticeKind[]): string {
  if (kinds.length === 0) return "";
  const events = kinds.map(
    (kind, index) => `($${23 + 2 * index}::text, '${kind}', '${EVENTS[kind]}', $${24 + 2 * index}::text[])`,
  );
  return `, recorded AS (
     INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, request_id, type, recipients, event_data)
     SELECT event.id, $8, $19, $20, event.action, 'post', $1, $21, event.type,
       event.recipients, $22::jsonb || jsonb_build_object('seq', seq)
     FROM made, (VALUES ${events.join(", ")}) AS event (id, action, type, recipients)
   )`;
}

const inserts = {
  none: insertWith("community_publish", []),
  reply: insertWith("community_publish_reply", ["reply"]),
  mention: insertWith("community_publish_mention", ["mention"]),
  both: insertWith("community_publish_both", ["reply", "mention"]),
};

/**
 * Writes a post and everything that comes with it.
 * @returns its number; `refused` when the author, the answered post or the limit do not allow it any more; `known` when the key
 * was used
 */
export async function publish(publication: Publication) {
  const { post, answersId, allowed, since, notices, attempt, actor, requestId } = publication;
  const kinds = (["reply", "mention"] as const).filter((kind) => notices.some((notice) => notice.kind === kind));
  const insert = inserts[kinds.length === 2 ? "both" : (kinds[0] ?? "none")];
  try {
    const [row] = await insert(
      ...[post.id, post.threadId, post.room, post.replyTo, post.authorId, post.title, post.body, post.createdAt],
      ...[answersId, allowed, since, notices.map((notice) => notice.recipientId), notices.map(({ kind }) => kind)],
      ...(attempt
        ? [attempt.actorId, attempt.key, attempt.fingerprint, ...attempt.answer]
        : [null, null, null, "", ""]),
      ...(kinds.length > 0 ? [actor.kind, actor.id, requestId, JSON.stringify(eventData(post))] : []),
      ...kinds.flatMap((kind) => [newId("evt"), recipientsOf(publication, kind)]),
    );
    return row ? Number(row.seq) : "refused";
  } catch (error) {
    if (isKnownKey(error)) return "known";
    throw error;
  }
}

function eventData({ id, threadId, room, replyTo, authorId }: Publication["post"]) {
  return { post_id: id, thread_id: threadId, room, reply_to: replyTo, author: authorId };
}

/** The author and those who get a notice of this kind. */
function recipientsOf({ post, notices }: Publication, kind: NoticeKind): string[] {
  const noticed = notices.filter((notice) => notice.kind === kind);
  return [post.authorId, ...noticed.map(({ recipientId }) => recipientId)].map(profileRecipient);
}

function isKnownKey(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === "23505" && table === "idempotency_keys";
}
