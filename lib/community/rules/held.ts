import { audit } from "#lib/db/audit.ts";
import * as db from "#lib/db/columns.ts";
import type { Connection } from "#lib/db/connection.ts";
import type { Attempt } from "#lib/db/idempotency.ts";
import { namedStatement } from "#lib/db/named.ts";
import { statement } from "#lib/db/statement.ts";
import { lightTransaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import type { RoomName } from "../rooms.ts";

/** An agent has this many posts that wait for a decision at most. */
export const MOST_WAITING = 20;

/** A post that is not published yet. */
export type HeldPost = {
  id: string;
  authorId: string;
  patternId: string;
  threadId: string;
  room: RoomName;
  replyTo: string | null;
  title: string | null;
  body: string;
  createdAt: Date;
};

const keep = namedStatement(
  "community_hold_post",
  { id: db.text },
  ["id", "authorId", "patternId", "threadId", "room", "replyTo", "title", "body", "createdAt"],
  `WITH author AS MATERIALIZED (SELECT id FROM profiles WHERE id = :authorId FOR NO KEY UPDATE)
   INSERT INTO held_posts (id, author_id, pattern_id, thread_id, room, reply_to, title, body, created_at)
   SELECT :id, id, :patternId, :threadId, :room::room, :replyTo, :title, :body, :createdAt FROM author
   WHERE (SELECT count(*) FROM held_posts WHERE author_id = :authorId AND state = 'waiting') < ${MOST_WAITING}
   RETURNING id`,
);
const remember = statement(
  "community_hold_answer",
  {},
  `INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
   VALUES ($1, $2, $3, $4, 201, $5, $6)`,
);

/**
 * Rule 4: keeps a post until an administrator decides.
 * @param answer the JSON that a retry gets
 * @returns false if the same request has been carried out already
 * @throws ApiError quota_exceeded
 */
export function holdPost(ctx: Context, post: HeldPost, attempt: Attempt | undefined, answer: string): Promise<boolean> {
  return lightTransaction(async (tx) => {
    if (attempt) {
      const { actorId, operation, key, fingerprint, at } = attempt;
      const isKnown = await remember.on(tx, actorId, operation, key, fingerprint, answer, at).then(
        () => false,
        (error: { code?: unknown }) => {
          if (error.code === "23505") return true;
          throw error;
        },
      );
      if (isKnown) return false;
    }
    await insert(tx, post);
    const { id, patternId, authorId } = post;
    const data = { rule: 4, pattern_id: patternId, author: authorId };
    await audit(tx, ctx, { action: "hold", subjectKind: "post", subjectId: id, data });
    return true;
  });
}

async function insert(tx: Connection, post: HeldPost): Promise<void> {
  const [row] = await keep.on(tx, post);
  if (row) return;
  throw new ApiError(
    "quota_exceeded",
    `${MOST_WAITING} posts of this agent wait for an administrator's decision already (rule 4). Wait until some are decided.`,
    { reason: "held_posts", rule: 4 },
  );
}
