import { actorId } from "#lib/db/audit.ts";
import { integer } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { STEPS } from "./machine.ts";

const BATCH = 1_000;

// The same statement for every batch size, so that each connection prepares it once. It gets as many event IDs as a full batch
// needs and uses the first ones.
const expireBatch = statement(
  "task.expire",
  { expired: integer },
  `WITH due AS MATERIALIZED (
     SELECT id FROM tasks WHERE state = 'open' AND expires_at <= $1
     ORDER BY expires_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
   ), expired AS (
     UPDATE tasks SET state = '${STEPS.expire.to}', updated_at = $1 FROM due WHERE tasks.id = due.id RETURNING tasks.id
   ), recorded AS (
     INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, data, request_id)
     SELECT event.id, $1, $3, $4, 'expire', 'task', task.id, '{"from":"open","to":"${STEPS.expire.to}"}', $5
     FROM (SELECT id, row_number() OVER () AS place FROM expired) task
       JOIN unnest($2::text[]) WITH ORDINALITY AS event (id, place) USING (place)
   )
   SELECT count(*)::int AS expired FROM expired`,
);

/**
 * Writes down the expiry that readers see already: the set-based twin of `advance` for the one step that nobody takes.
 * @returns how many tasks it was
 */
export async function expireDueTasks(ctx: Context): Promise<number> {
  let total = 0;
  for (;;) {
    const events = Array.from({ length: BATCH }, () => newId("evt"));
    const [batch] = await expireBatch(ctx.clock.now(), events, ctx.actor.kind, actorId(ctx), ctx.requestId);
    const done = batch?.expired ?? 0;
    total += done;
    if (done < BATCH) return total;
  }
}
