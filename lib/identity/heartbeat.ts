import type { z } from "zod";
import { batchedWrite, impatientWith } from "#lib/db/batch.ts";
import { nullable, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { FRESH_SECONDS } from "./directory/matching.ts";
import type { HeartbeatInput } from "./schema.ts";

/** How often a service that is ready should report. */
const HEARTBEAT_SECONDS = 300;

const report = batchedWrite(
  "identity_heartbeat",
  {},
  `WITH given AS MATERIALIZED (
     SELECT * FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::timestamptz[])) WITH ORDINALITY AS given (id, status, at, place)
   ), ${impatientWith("given")}
   INSERT INTO health_reports (identity_id, status, reported_at)
   SELECT DISTINCT ON (id) id, status::health_status, at FROM impatient, given ORDER BY id, place DESC
   ON CONFLICT (identity_id) DO UPDATE SET status = excluded.status, reported_at = excluded.reported_at`,
);

/** Records a health report, which counts for 15 minutes. */
export async function heartbeat(ctx: ServiceContext, input: z.output<typeof HeartbeatInput>) {
  const now = ctx.clock.now();
  await report(ctx.actor.id, input.health_status, now);
  return {
    health_status: input.health_status,
    reported_at: now.toISOString(),
    fresh_until: secondsAfter(now, FRESH_SECONDS).toISOString(),
    next_in_seconds: HEARTBEAT_SECONDS,
  };
}

/** Much longer than a report counts, so that an agent that misses a few reports does not have its offers marked each time. */
const DORMANT_SECONDS = 3_600;
/** How many agents are marked at once. Their identities stay locked until the offers of all of them are marked. */
const BATCH = 200;

// A row that a new report is changing is skipped: its agent is not dormant.
const markBatch = statement(
  "identity.dormant",
  { reached: nullable(text) },
  `WITH due AS (
     SELECT identity_id FROM health_reports WHERE NOT dormant AND reported_at < $1 AND identity_id > $2
     ORDER BY identity_id LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
   ), marked AS (
     UPDATE health_reports h SET dormant = true FROM due WHERE h.identity_id = due.identity_id)
   SELECT max(identity_id) AS reached FROM due`,
);

/** Marks agents that have stopped reporting, so that matches no longer read their offers. Their next report clears the mark. */
export async function markDormant(now: Date): Promise<void> {
  const before = secondsAfter(now, -DORMANT_SECONDS);
  for (let after = ""; ; ) {
    const [batch] = await markBatch(before, after);
    if (!batch?.reached) return;
    after = batch.reached;
  }
}
