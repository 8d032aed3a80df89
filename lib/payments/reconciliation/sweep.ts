import { bigint } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { env } from "#lib/kernel/env.ts";
import { BALANCE_INSUFFICIENT } from "#lib/settlements/holds.ts";
import { TRANSFER_PRIORITY } from "#lib/settlements/schedule.ts";

/** The most jobs of each kind in one sweep. */
const BATCH = 500;
/**
 * A transfer that Stripe refused is tried again after ten minutes, and then after twice as long each time, up to a day: every try
 * needs a new key, and what is wrong is seldom put right by itself. A change of the account or a decision tries it at once. Whether the
 * platform's balance suffices is only read.
 */
const REFUSED_WAIT = `CASE WHEN problem = '${BALANCE_INSUFFICIENT}' THEN interval '10 minutes'
  ELSE least(interval '1 day', interval '10 minutes' * power(2, least(attempt, 10) - 2)) END`;
/** For this long, a checkout whose opening failed may still appear at Stripe beside the one that was opened instead. */
const LATE_SECONDS = 3_600;
/** An event that could not be processed for this long is left to an administrator. */
const EVENT_DAYS = 3;

const enqueueOpen = statement(
  "payments.sweep",
  { enqueued: bigint },
  `WITH open (job, payload, key, since, looked_at) AS (
     SELECT 'open-checkout', json_build_object('payment_id', id), 'open:' || id, created_at, checked_at FROM payments
     WHERE payment_mode = 'LIVE' AND status = 'pending' AND stripe_session_id IS NULL
       AND created_at <= now() - make_interval(secs => $1)
     UNION ALL
     SELECT 'read-payment', json_build_object('payment_id', id), 'read:' || id, expires_at, checked_at FROM payments
     WHERE payment_mode = 'LIVE' AND status = 'pending' AND stripe_session_id IS NOT NULL AND (expires_at <= now() OR $1 = 0
       OR attempt > 1 AND created_at > now() - make_interval(secs => ${LATE_SECONDS}))
     UNION ALL
     SELECT 'close-checkout', json_build_object('payment_id', id), 'close:' || id, settled_at, checked_at FROM payments
     WHERE payment_mode = 'LIVE' AND status = 'canceled' AND (checked_at IS NULL OR checked_at < settled_at)
       AND settled_at <= now() - make_interval(secs => $1)
     UNION ALL
     SELECT 'send-transfer', json_build_object('settlement_id', settlement_id), 'transfer:' || settlement_id, created_at, checked_at
     FROM transfer_intents WHERE (state = 'queued' OR state = 'sending')
       AND (not_before IS NULL OR not_before <= now()) AND (problem IS NULL OR checked_at <= now() - ${REFUSED_WAIT})
       AND created_at <= now() - make_interval(secs => $1)
     UNION ALL
     SELECT 'perform-act', json_build_object('id', id), 'act:' || id, created_at, checked_at
     FROM money_acts WHERE (state = 'queued' OR state = 'sending') AND created_at <= now() - make_interval(secs => $1)
     UNION ALL
     SELECT 'process-event', json_build_object('event_id', id), 'event:' || id, received_at, NULL
     FROM stripe_events WHERE (state = 'received' OR state = 'failed')
       AND received_at BETWEEN now() - make_interval(days => ${EVENT_DAYS}) AND now() - make_interval(secs => $1)
   ), ranked AS (
     SELECT job, payload, key,
       row_number() OVER (PARTITION BY job ORDER BY greatest(looked_at, planned.updated_at) NULLS FIRST, since) AS place
     FROM open LEFT JOIN graphile_worker.jobs planned USING (key)
   )
   SELECT count(graphile_worker.add_job(job, payload, job_key => key, job_key_mode => 'preserve_run_at',
     priority => CASE WHEN job IN ('send-transfer', 'perform-act') THEN ${TRANSFER_PRIORITY} ELSE 0 END)) AS enqueued
   FROM ranked WHERE place <= ${BATCH}`,
);

/**
 * Enqueues LIVE work that was started and not finished, such as what a stopped process left behind. Work that is already enqueued
 * keeps its time in the queue. Work that was tried or enqueued longest ago comes first, so that repeated failures do not block the
 * rest.
 * @param graceSeconds younger work is left to the process that started it; 0 at a start, when open checkouts are read too, because
 *   they may have been paid while nothing ran
 */
export async function sweepPayments(graceSeconds: number): Promise<void> {
  if (env().stripe) await enqueueOpen(graceSeconds);
}
