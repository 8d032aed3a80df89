import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";

/** Of each kind of work in one sweep. */
const BATCH = 500;
/** What Stripe refused is tried again now and then; what cannot be looked into for days, an administrator looks at. */
const REFUSED_SECONDS = 600;
const EVENT_DAYS = 3;

/**
 * Plans whatever of LIVE has been begun and not ended, and is not being worked on as far as anybody can tell: what a process
 * that died left behind. A plan that exists is merely planned again, and keeps its place in the queue until it is tried. What was
 * looked at or planned longest ago comes first, so that what fails again and again keeps nobody from their turn.
 * @param graceSeconds what is younger is left to those who began it
 */
export async function sweepPayments(graceSeconds: number): Promise<void> {
  if (!env().stripe) return;
  await pool().query(
    `WITH open (job, payload, key, since, looked_at) AS (
       SELECT 'open-checkout', json_build_object('payment_id', id), 'open:' || id, created_at, checked_at FROM payments
       WHERE payment_mode = 'LIVE' AND status = 'pending' AND stripe_session_id IS NULL
         AND created_at <= now() - make_interval(secs => $1)
       UNION ALL
       SELECT 'read-payment', json_build_object('payment_id', id), 'read:' || id, expires_at, checked_at FROM payments
       WHERE payment_mode = 'LIVE' AND status = 'pending' AND expires_at <= now() AND stripe_session_id IS NOT NULL
       UNION ALL
       SELECT 'close-checkout', json_build_object('payment_id', id), 'close:' || id, settled_at, checked_at FROM payments
       WHERE payment_mode = 'LIVE' AND status = 'canceled' AND (checked_at IS NULL OR checked_at < settled_at)
         AND settled_at <= now() - make_interval(secs => $1)
       UNION ALL
       SELECT 'send-transfer', json_build_object('settlement_id', settlement_id), 'transfer:' || settlement_id, created_at, checked_at
       FROM transfer_intents WHERE (state = 'queued' OR state = 'sending')
         AND (problem IS NULL OR checked_at <= now() - make_interval(secs => ${REFUSED_SECONDS}))
         AND created_at <= now() - make_interval(secs => $1)
       UNION ALL
       SELECT 'process-event', json_build_object('event_id', id), 'event:' || id, received_at, NULL
       FROM stripe_events WHERE (state = 'received' OR state = 'failed')
         AND received_at BETWEEN now() - make_interval(days => ${EVENT_DAYS}) AND now() - make_interval(secs => $1)
     ), ranked AS (
       SELECT job, payload, key,
         row_number() OVER (PARTITION BY job ORDER BY greatest(looked_at, planned.updated_at) NULLS FIRST, since) AS place
       FROM open LEFT JOIN graphile_worker.jobs planned USING (key)
     )
     SELECT count(graphile_worker.add_job(job, payload, job_key => key, job_key_mode => 'preserve_run_at'))
     FROM ranked WHERE place <= ${BATCH}`,
    [graceSeconds],
  );
}
