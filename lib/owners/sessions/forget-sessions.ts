import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";

/** How long an ended session is kept, for the owner who looks at where they were signed in. */
const KEPT_SECONDS = 30 * 86_400;
const BATCH = 1_000;

// Its challenges go with it.
const forgetBatch = statement(
  "sessions.forget",
  { forgotten: db.integer },
  `WITH gone AS (
     DELETE FROM owner_sessions WHERE id_digest IN (
       SELECT id_digest FROM owner_sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING 1)
   SELECT count(*)::int AS forgotten FROM gone`,
);

/** Deletes sessions that expired more than 30 days ago, in batches. */
export async function forgetSessions(ctx: Context): Promise<void> {
  const before = secondsAfter(ctx.clock.now(), -KEPT_SECONDS);
  for (;;) {
    const [batch] = await forgetBatch(before);
    if ((batch?.forgotten ?? 0) < BATCH) return;
  }
}
