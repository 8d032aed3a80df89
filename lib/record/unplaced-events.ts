import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { WAITING_NOTICES } from "./notice-events.ts";

/**
 * Events that still need a position: how many, at most 10,000, and the age of the oldest in milliseconds (null if there is none).
 * Everything before the sequencer's horizon has one, so only newer events are looked at.
 */
export const readUnplacedEvents = statement(
  "record.unplaced_events",
  { waiting: db.integer, oldestMs: db.nullable(db.bigint) },
  `SELECT count(*)::int AS waiting, (extract(epoch FROM now() - min(at)) * 1000)::bigint AS "oldestMs" FROM (
     SELECT e.at FROM audit_events e
     WHERE e.type IS NOT NULL AND e.xid >= (SELECT horizon FROM event_feed)
       AND NOT EXISTS (SELECT FROM event_positions p WHERE p.seq = e.seq)
     UNION ALL SELECT a.at ${WAITING_NOTICES}
     LIMIT 10000) waiting`,
);
