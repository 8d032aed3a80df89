import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Job } from "#lib/jobs/job.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { notificationJobs } from "./notifications/jobs.ts";
import { forgetDeliveries } from "./webhooks/deliveries.ts";

const DAY_SECONDS = 86_400;
/** The most events in one transaction: the sequencer waits for it. */
const BATCH = 1_000;

// Positions rise with the time at which they were given, so the oldest ones are first. The audit trail and the positions stay.
const forgetBatch = statement(
  "events.forget",
  { forgotten: db.integer },
  `WITH feed AS MATERIALIZED (SELECT oldest FROM event_feed FOR UPDATE),
   due AS MATERIALIZED (
     SELECT p.position, p.seq FROM feed, LATERAL (
       SELECT position, seq, at FROM event_positions WHERE position > feed.oldest ORDER BY position LIMIT ${BATCH}
     ) p WHERE p.at < $1
   ), gone AS (
     DELETE FROM event_recipients r USING due JOIN audit_events e USING (seq), unnest(e.recipients) AS who (id)
     WHERE r.recipient = who.id AND r.position = due.position
   ), moved AS (
     UPDATE event_feed SET oldest = (SELECT max(position) FROM due) WHERE EXISTS (SELECT FROM due)
   )
   SELECT count(*)::int AS forgotten FROM due`,
);

/** Removes events from the feed that are older than EVENT_RETENTION_DAYS. */
export async function forgetEvents(ctx: Context): Promise<void> {
  const before = secondsAfter(ctx.clock.now(), -env().eventRetentionDays * DAY_SECONDS);
  for (;;) {
    const [batch] = await forgetBatch(before);
    if ((batch?.forgotten ?? 0) < BATCH) return;
  }
}

export const recordJobs: Job[] = [
  { name: "forget-events", schedule: "17 * * * *", run: forgetEvents },
  { name: "prune-deliveries", schedule: "17 3 * * *", run: (ctx) => forgetDeliveries(ctx.clock.now()) },
  ...notificationJobs,
];
