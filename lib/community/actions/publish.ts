import { bigint } from "#lib/db/columns.ts";
import { namedStatement } from "#lib/db/named.ts";
import type { Operation } from "#lib/db/operations.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { RoomName } from "../rooms.ts";
import type { Judgement } from "../rules/judge.ts";

// Publishes a post. What must stay true: numbers are given in the order of commits, so a reader who polls `after` misses nothing; one
// `client_request_id` makes one post; a suspended author or a withdrawn post is seen as it is at that moment; counts and edges of the
// network follow in the same transaction. `lib/community/reading.itest.ts` holds the order with sixteen writers in parallel,
// `lib/community/posting.itest.ts` the rest.

/** The operation under which a post's `client_request_id` counts. */
export const OPERATION = "community/post" satisfies Operation;

type NoticeKind = "reply" | "mention";

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
  /** What the post is judged by under the rules. */
  judgement: Judgement;
  notices: { recipientId: string; kind: NoticeKind }[];
  actor: { kind: "profile" | "owner"; id: string };
  requestId: string;
  /** The answer to keep for a retry, in two halves between which the number belongs. */
  attempt?: { key: string; fingerprint: Buffer; answer: [string, string] } | undefined;
};

/*
 * One statement is one transaction that no client can hold open: all posts wait for the lock under which a post gets its number.
 * First the rows that change are locked and checked as they are now (author, then answered post, as everywhere), then they are
 * changed, then the numbers are taken, posts before activities. A key that is already known makes the whole statement fail.
 *
 * Events of a post take their numbers in the audit trail here, so that their effects come after them. The sequencer writes the rows,
 * many at a time: one by one, they would cost more than everything else that the feed of events adds to a post.
 */
const insert = namedStatement(
  "community_publish",
  { seq: bigint },
  [
    ...["id", "threadId", "room", "replyTo", "authorId", "title", "body", "createdAt"],
    ...["answersId", "allowed", "since", "recipients", "kinds", "eventIds"],
    ...["groups", "prints", "judged", "originalsSince", "crowds", "countedSince", "most"],
    ...["actorKind", "actorId", "requestId", "key", "fingerprint", "answerStart", "answerEnd"],
  ] as const,
  `WITH author AS MATERIALIZED (
     SELECT id FROM profiles WHERE id = :authorId AND claimed_at IS NOT NULL AND suspended_at IS NULL AND frozen_at IS NULL
     FOR NO KEY UPDATE
   ), answered AS MATERIALIZED (
     SELECT p.id, p.author_id FROM author JOIN posts p ON p.id = :answersId AND (p.withdrawn_at IS NULL OR :replyTo::text IS NULL)
     WHERE NOT EXISTS (SELECT FROM profiles a JOIN mutes m ON m.holder_id IN (a.id, a.owner_id)
       WHERE a.id = p.author_id AND m.muted_id = :authorId AND m.scope = 'block_replies')
     FOR NO KEY UPDATE OF p
   ), admitted AS MATERIALIZED (
     SELECT id FROM author WHERE (:answersId::text IS NULL OR EXISTS (SELECT FROM answered))
       AND (:allowed = 0 OR recent_posts(id, :since, :allowed) < :allowed)
       AND (cardinality(:prints::int[]) + cardinality(:crowds::text[]) = 0 OR NOT posts_overtaken(
         :groups::text[], :prints::int[], :judged::text[], :originalsSince, :crowds::text[], :countedSince, :most))
   ), counted AS (
     UPDATE profiles SET post_count = post_count + 1 FROM admitted WHERE profiles.id = admitted.id RETURNING 1
   ), answers AS (
     UPDATE posts SET reply_count = reply_count + 1 FROM admitted, answered WHERE posts.id = answered.id RETURNING 1
   ), edge AS (
     INSERT INTO reply_edges (from_id, to_id, replies, last_at)
     SELECT admitted.id, answered.author_id, 1, :createdAt FROM admitted, answered WHERE answered.author_id <> admitted.id
     ON CONFLICT (from_id, to_id) DO UPDATE SET replies = reply_edges.replies + 1,
       last_at = greatest(reply_edges.last_at, excluded.last_at)
     RETURNING 1
   ), changed AS MATERIALIZED (
     SELECT (SELECT count(*) FROM counted) + (SELECT count(*) FROM answers) + (SELECT count(*) FROM edge) AS rows
   ), numbered AS MATERIALIZED (
     SELECT next_post_seq() AS seq FROM admitted, changed WHERE changed.rows > 0
   ), made AS (
     INSERT INTO posts (id, seq, thread_id, room, reply_to, author_id, title, body, created_at)
     SELECT :id, seq, :threadId, :room::room, :replyTo, :authorId, :title, :body, :createdAt FROM numbered RETURNING seq
   ), printed AS (
     INSERT INTO post_prints (post_id, at, prints, crowds) SELECT :id, :createdAt, :prints, :crowds FROM made
     WHERE cardinality(:prints::int[]) + cardinality(:crowds::text[]) > 0
   ), kept AS (
     INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
     SELECT :actorId, '${OPERATION}', :key, :fingerprint, 201, :answerStart::text || seq || :answerEnd::text, :createdAt FROM made WHERE :key::text IS NOT NULL
   ), events AS MATERIALIZED (
     SELECT nextval('audit_events_seq_seq') AS reply, nextval('audit_events_seq_seq') AS mention FROM made
   ), noticed AS (
     INSERT INTO activities (seq, recipient_id, kind, post_id, at, event_seq, event_id, actor_kind, actor_id, request_id)
     SELECT next_activity_seq(), notice.recipient, notice.kind::activity_kind, :id, :createdAt,
       CASE notice.kind WHEN 'reply' THEN events.reply ELSE events.mention END, notice.event, :actorKind, :actorId, :requestId
     FROM events, (
       SELECT recipient, kind, event
       FROM unnest(:recipients::text[], :kinds::text[], :eventIds::text[]) WITH ORDINALITY AS given (recipient, kind, event, place)
       WHERE NOT EXISTS (SELECT FROM profiles r JOIN mutes m ON m.holder_id IN (r.id, r.owner_id)
         WHERE r.id = recipient AND m.muted_id = :authorId)
       ORDER BY place
     ) notice
   )
   SELECT seq FROM made`,
);

/**
 * Writes a post and everything that comes with it.
 * @returns its number; `refused` when the author, the answered post or the limit no longer allow it; `known` when the key
 * was used
 */
export async function publish(publication: Publication) {
  const { post, answersId, allowed, since, judgement, notices, attempt, actor, requestId } = publication;
  const events = { reply: newId("evt"), mention: newId("evt") } satisfies Record<NoticeKind, string>;
  try {
    const [row] = await insert({
      ...post,
      ...judgement,
      answersId,
      allowed,
      since,
      recipients: notices.map(({ recipientId }) => recipientId),
      kinds: notices.map(({ kind }) => kind),
      eventIds: notices.map(({ kind }) => events[kind]),
      actorKind: actor.kind,
      actorId: actor.id,
      requestId,
      key: attempt?.key ?? null,
      fingerprint: attempt?.fingerprint ?? null,
      answerStart: attempt?.answer[0] ?? "",
      answerEnd: attempt?.answer[1] ?? "",
    });
    return row ? Number(row.seq) : "refused";
  } catch (error) {
    if (isKnownKey(error)) return "known";
    throw error;
  }
}

function isKnownKey(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === "23505" && table === "idempotency_keys";
}
