import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import * as db from "#lib/db/columns.ts";
import { pause, type Session } from "#lib/db/session.ts";
import { statement } from "#lib/db/statement.ts";
import { log } from "#lib/kernel/log.ts";
import { NOTICED_EVENTS, RECORD_NOTICED } from "./notice-events.ts";
import { CHANNEL } from "./tail.ts";
import { ANNOUNCE } from "./webhooks/deliver.ts";

// Gives events their positions. What must stay true: positions have no gap and never change; an effect comes after its cause; an event
// whose transaction has ended is never passed over; and only the holder of the lock writes. `record.itest.ts` and `exactly-once.itest.ts`
// hold it, with writers in parallel, killed holders and long transactions.

/** How often the holder looks for events, and the others for a free lock. */
const LOOK_MS = 200;
const TRY_MS = 250;
const RETRY_MS = 1_000;
/** The most events that are placed at once. */
const BATCH = 20_000;
/** The most notices without events that may be read again at each look. */
const MOST_READ_AGAIN = 1_000;

/*
 * Every event of a transaction before the horizon has its position, so only later transactions are looked at: those that ended
 * since the last batch, and those that were still running then.
 *
 * Events that can be seen are placed in the order of their numbers. If one event caused another, its transaction had ended before the
 * other's number was taken, so a reader that sees the effect sees the cause, with a lower number: it is in the same batch, or in an earlier one. A
 * running transaction delays nobody: its events come after those that were placed before it ended.
 *
 * All of it is one statement, and so one transaction, which writes nothing if there are no new events, unless many notices without an
 * event have come. Looking and placing apart would read every event twice, and send its number to the service and back.
 */
const placing = (name: string, upTo: string) =>
  statement(
    name,
    { placed: db.integer, told: db.nullable(db.text) },
    `WITH unplaced AS MATERIALIZED (
       SELECT e.seq, e.type, e.recipients, NULL::bigint AS notice FROM audit_events e
       WHERE e.type IS NOT NULL AND e.xid >= (SELECT horizon FROM event_feed)${upTo}
         AND (SELECT p.position FROM event_positions p WHERE p.seq = e.seq) IS NULL
       UNION ALL
       ${NOTICED_EVENTS}
     ), next AS MATERIALIZED (
       SELECT *, row_number() OVER (ORDER BY seq) AS place FROM unplaced ORDER BY seq LIMIT ${BATCH}
     ), moved AS (
       UPDATE event_feed SET last_position = last_position + count,
         horizon = CASE WHEN count < ${BATCH} THEN pg_snapshot_xmin(pg_current_snapshot()) ELSE horizon END,
         last_notice = greatest(last_notice, CASE WHEN count < ${BATCH} THEN (SELECT max(seq) FROM activities) ELSE notice END)
       FROM (SELECT count(*), max(notice) AS notice FROM next) AS found
       WHERE count > 0 OR last_notice + ${MOST_READ_AGAIN} < (SELECT max(seq) FROM activities)
       RETURNING last_position - count AS before
     ), placed AS MATERIALIZED (
       SELECT before + place AS position, next.* FROM moved, next
     ), recorded AS (${RECORD_NOTICED}
     ), kept AS (
       INSERT INTO event_positions (position, seq) SELECT position, seq FROM placed ORDER BY position
     ), addressed AS (
       INSERT INTO event_recipients (recipient, position, type)
       SELECT recipient, position, type FROM placed, unnest(recipients) AS recipient
     ), announced AS (${ANNOUNCE})
     SELECT placed, pg_notify('${CHANNEL}', last::text)::text AS told
     FROM (SELECT count(*)::int AS placed, max(position) AS last FROM placed) AS batch WHERE placed > 0`,
  );
// A range with two ends is known to the planner as a small one, so it is found through the index.
const placeNew = placing("record.place", " AND e.xid < pg_snapshot_xmax(pg_current_snapshot())");
const placeRestored = placing("record.place_restored", "");

const resetHorizon = statement(
  "record.reset_horizon",
  {},
  "UPDATE event_feed SET horizon = '0' WHERE horizon > pg_snapshot_xmax(pg_current_snapshot())",
);

/**
 * After a restore into another cluster, the horizon and the rows that await their positions may name transactions that this cluster
 * has not had yet. They are placed first, once; looking for them all the time would cost more with each restored row.
 */
async function placeAllRestored(session: Session): Promise<void> {
  await resetHorizon.on(session);
  while ((await placeRestored.on(session)).length > 0);
}

// Each connection plans a statement once, perhaps when its tables are still empty. These settings leave it only plans that stay good:
// through the indices. For the same reason the statements have a sub-select where a join could be planned as a scan of the whole index.
const planForGrowth = statement(
  "record.plan_for_growth",
  { set: db.nullable(db.text) },
  `SELECT set_config(setting, 'off', false) AS set
   FROM unnest('{enable_seqscan,enable_hashjoin,enable_mergejoin}'::text[]) AS setting`,
);

const tryLock = statement(
  "record.lock",
  { taken: db.nullable(db.boolean) },
  `SELECT pg_try_advisory_lock(${ADVISORY_LOCKS.sequence}) AS taken`,
);

/**
 * Waits for the lock, then gives positions until the session ends.
 * @param onPlaced is called after each batch, and once at the beginning
 */
export async function sequence(session: Session, signal: AbortSignal, onPlaced: () => void): Promise<void> {
  while (!signal.aborted && !(await takeLock(session))) await pause(TRY_MS, signal);
  if (signal.aborted) return;
  await planForGrowth.on(session);
  await placeAllRestored(session);
  log().debug("this process gives events their positions");
  onPlaced();
  while (!signal.aborted) {
    const wait = await placeNew.on(session).then(
      ([batch]) => {
        if (batch) onPlaced();
        return batch?.placed === BATCH ? 0 : LOOK_MS;
      },
      (error: Error) => {
        if (!signal.aborted) log().error({ err: error.message }, "events could not be placed");
        return RETRY_MS;
      },
    );
    if (wait > 0) await pause(wait, signal);
  }
}

async function takeLock(session: Session): Promise<boolean> {
  const [row] = await tryLock.on(session);
  return row?.taken === true;
}
