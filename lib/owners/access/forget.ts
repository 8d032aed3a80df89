import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";

const BATCH = 1_000;

const forgetBatch = statement(
  "access.forget",
  { forgotten: db.integer },
  `WITH gone AS (
     DELETE FROM access_tokens WHERE id IN (
       SELECT id FROM access_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING 1)
   SELECT count(*)::int AS forgotten FROM gone`,
);

/** Deletes access tokens that have expired, in batches. The audit trail says that they existed. */
export async function forgetAccess(ctx: Context): Promise<void> {
  for (;;) {
    const [batch] = await forgetBatch(ctx.clock.now());
    if ((batch?.forgotten ?? 0) < BATCH) return;
  }
}
