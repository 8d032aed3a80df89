import { bigint, boolean } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Delivery, Destination } from "./verify.ts";

// One statement stores the event and enqueues its job. A repeated delivery is only counted.
const insert = statement(
  "stripe_event.keep",
  { fresh: boolean, jobs: bigint },
  `WITH kept AS (
     INSERT INTO stripe_events (id, endpoint, type, livemode, account, object_id, created_at, received_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (id) DO UPDATE SET deliveries = stripe_events.deliveries + 1
     RETURNING id, deliveries = 1 AS fresh
   ), planned AS (
     SELECT graphile_worker.add_job('process-event', json_build_object('event_id', id), job_key => 'event:' || id)
     FROM kept WHERE fresh
   )
   SELECT fresh, (SELECT count(*) FROM planned) AS jobs FROM kept`,
);

/** Stores a delivered event once, and enqueues its processing. @returns whether it was new */
export async function storeDelivery(delivery: Delivery, destination: Destination, now: Date): Promise<boolean> {
  const { id, type, livemode, account, objectId, createdAt } = delivery;
  const [kept] = await insert(id, destination, type, livemode, account, objectId, createdAt, now);
  return kept?.fresh === true;
}
