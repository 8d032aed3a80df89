import type { z } from "zod";
import { batchedWrite, impatientWith } from "#lib/db/batch.ts";
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
