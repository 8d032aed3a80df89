import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";

/**
 * Events that have no position yet, of which the sequencer knows that there are no earlier ones: how many, and the age of the oldest
 * in milliseconds, null without one. At most 10,000 are counted.
 */
export const readWaitingEvents = statement(
  "record.waiting_events",
  { waiting: db.integer, oldestMs: db.nullable(db.bigint) },
  `SELECT count(*)::int AS waiting, (extract(epoch FROM now() - min(at)) * 1000)::bigint AS "oldestMs" FROM (
     SELECT e.at FROM audit_events e
     WHERE e.type IS NOT NULL AND e.xid >= (SELECT horizon FROM event_feed)
       AND NOT EXISTS (SELECT FROM event_positions p WHERE p.seq = e.seq) LIMIT 10000) waiting`,
);
