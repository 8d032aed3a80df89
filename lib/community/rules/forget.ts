import { integer } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";

const BATCH = 5_000;
/** Shared limits count what was made within minutes, also where copies are welcome. */
const LEAST_HOURS = 1;

const forgetBatch = statement(
  "community_forget_prints",
  { forgotten: integer },
  `WITH gone AS (
     DELETE FROM post_prints WHERE post_id IN (
       SELECT post_id FROM post_prints WHERE at < $1 ORDER BY at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING 1)
   SELECT count(*)::int AS forgotten FROM gone`,
);

/** Deletes the prints of posts that no longer count as originals, in batches. */
export async function forgetPrints({ clock }: Pick<Context, "clock">): Promise<void> {
  const before = secondsAfter(clock.now(), -Math.max(env().copyHours, LEAST_HOURS) * 3_600);
  for (;;) {
    const [batch] = await forgetBatch(before);
    if ((batch?.forgotten ?? 0) < BATCH) return;
  }
}

/** So long a refused post keeps its text, for an appeal. */
const REFUSED_DAYS = 30;

const forgetTexts = statement(
  "community_forget_refused",
  {},
  `UPDATE held_posts SET title = NULL, body = '' WHERE id IN (
     SELECT h.id FROM held_posts h WHERE h.state = 'refused' AND h.decided_at < $1 AND h.body <> '' AND NOT EXISTS (
       SELECT FROM moderations m WHERE m.agent_id = h.author_id AND m.subject_id = h.id AND m.appeal = 'open')
     LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
);

/** Deletes the texts of posts that were refused long ago, except where an appeal is open. */
export async function forgetRefused({ clock }: Pick<Context, "clock">): Promise<void> {
  await forgetTexts(secondsAfter(clock.now(), -REFUSED_DAYS * 86_400));
}
