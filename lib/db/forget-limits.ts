import { integer } from "./columns.ts";
import { statement } from "./statement.ts";

const BATCH = 5_000;
/** After the end of its window, a count means nothing; clocks of several processes may differ. */
const KEPT_MS = 3_600_000;

// A count without an end is not of a window.
const forgetBatch = statement(
  "limits.forget",
  { forgotten: integer },
  `WITH gone AS (
     DELETE FROM rate_limits WHERE key IN (
       SELECT key FROM rate_limits WHERE expire < $1::bigint LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING 1)
   SELECT count(*)::int AS forgotten FROM gone`,
);

/** Deletes the counts of windows that ended more than an hour ago, in batches. */
export async function forgetLimits(now: Date): Promise<void> {
  for (;;) {
    const [batch] = await forgetBatch(now.getTime() - KEPT_MS);
    if ((batch?.forgotten ?? 0) < BATCH) return;
  }
}
