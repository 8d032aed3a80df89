import { integer } from "./columns.ts";
import { OBJECT_OF_KEY } from "./operations.ts";
import { statement } from "./statement.ts";

/** Few enough that a client that repeats one of these requests hardly waits. */
const BATCH = 1_000;

// The key, its digest and the object stay. A key without an answer belongs to a LIVE payment whose outcome is still unknown.
const forgetBatch = statement(
  "answers.forget",
  { forgotten: integer },
  `WITH due AS (
     SELECT actor_id, operation, key FROM idempotency_keys
     WHERE object_id IS NULL AND status IS NOT NULL AND created_at < $1
     ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
   ), gone AS (
     UPDATE idempotency_keys k SET body = '', object_id = coalesce(${OBJECT_OF_KEY}, '')
     FROM due WHERE (k.actor_id, k.operation, k.key) = (due.actor_id, due.operation, due.key) RETURNING 1
   )
   SELECT count(*)::int AS forgotten FROM gone`,
);

/** Deletes the stored answers of requests that were made before this time, in batches. Repeating one of them then names what it made. */
export async function forgetAnswers(before: Date): Promise<void> {
  for (;;) {
    const [batch] = await forgetBatch(before);
    if ((batch?.forgotten ?? 0) < BATCH) return;
  }
}
