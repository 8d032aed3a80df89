import * as db from "#lib/db/columns.ts";
import { pause, type Session } from "#lib/db/session.ts";
import { type PreparedStatement, statement } from "#lib/db/statement.ts";
import { log } from "#lib/kernel/log.ts";
import { CHANNEL } from "./tail.ts";
import { ANNOUNCE } from "./webhooks/announce.ts";

/** Any number, as long as every process uses the same one. */
const LOCK = 7_203_114_120;
/** How often the holder looks for events, and the others for a free lock. */
const LOOK_MS = 200;
const TRY_MS = 250;
const RETRY_MS = 1_000;
/** The most events that are found at once, and of these the most that are placed in one transaction. */
const LOOK = 50_000;
const BATCH = 5_000;

/*
 * Every event of a transaction before the horizon has its position, so only later transactions are looked at: those that ended
 * since the last batch, and those that were still running then.
 *
 * All events that can be seen are placed, in the order of their numbers. If one event caused another, its transaction had ended
 * before the other's number was taken, so whoever sees the effect sees the cause, with a lower number. A running transaction
 * delays nobody: its events come after those that were placed before it ended. So what one look finds may be placed in several
 * transactions, as long as nothing else comes in between.
 */
const lookFor = (name: string, upTo: string) =>
  statement(
    name,
    { seq: db.bigint, horizon: db.text },
    `WITH recent AS MATERIALIZED (
       SELECT e.seq FROM audit_events e WHERE e.type IS NOT NULL AND e.xid >= (SELECT horizon FROM event_feed)${upTo}
     )
     SELECT seq, pg_snapshot_xmin(pg_current_snapshot())::text AS horizon FROM recent
     WHERE (SELECT p.position FROM event_positions p WHERE p.seq = recent.seq) IS NULL ORDER BY seq LIMIT ${LOOK}`,
  );
// A range with two ends is known to the planner as a small one, so it is found through the index.
const lookForNew = lookFor("record.look", " AND e.xid < pg_snapshot_xmax(pg_current_snapshot())");
const lookForRestored = lookFor("record.look_restored", "");

// Everything that belongs to a batch is one statement, and so one transaction.
const place = statement(
  "record.place",
  { last: db.nullable(db.bigint), told: db.nullable(db.text) },
  `WITH feed AS MATERIALIZED (SELECT last_position FROM event_feed FOR UPDATE),
   placed AS MATERIALIZED (
     SELECT feed.last_position + given.place AS position, e.seq, e.type, e.recipients
     FROM feed, unnest($1::bigint[]) WITH ORDINALITY AS given (seq, place),
       LATERAL (SELECT seq, type, recipients FROM audit_events WHERE seq = given.seq OFFSET 0) AS e
   ), kept AS (
     INSERT INTO event_positions (position, seq) SELECT position, seq FROM placed ORDER BY position
   ), addressed AS (
     INSERT INTO event_recipients (recipient, position, type)
     SELECT recipient, position, type FROM placed, unnest(recipients) AS recipient
   ), moved AS (
     UPDATE event_feed SET last_position = last_position + cardinality($1), horizon = coalesce($2::text::xid8, horizon)
   ), announced AS (${ANNOUNCE})
   SELECT last, pg_notify('${CHANNEL}', last::text)::text AS told FROM (SELECT max(position) AS last FROM placed) AS batch`,
);

/**
 * Gives events their positions: as many as one look finds.
 * @returns how many
 */
async function placeEvents(session: Session, look: PreparedStatement<{ seq: string; horizon: string }>) {
  const found = await look.on(session);
  for (let at = 0; at < found.length; at += BATCH) {
    const isLast = found.length < LOOK && at + BATCH >= found.length;
    const batch = found.slice(at, at + BATCH).map(({ seq }) => seq);
    await place.on(session, batch, isLast ? found[0]?.horizon : null);
  }
  return found.length;
}

const resetHorizon = statement(
  "record.reset_horizon",
  {},
  "UPDATE event_feed SET horizon = '0' WHERE horizon > pg_snapshot_xmax(pg_current_snapshot())",
);

/**
 * After a restore into another cluster, the horizon and the rows that await their positions may name transactions that this cluster
 * has not had yet. They are placed first, once; looking for them all the time would cost more with each restored row.
 */
async function placeRestored(session: Session): Promise<void> {
  await resetHorizon.on(session);
  while ((await placeEvents(session, lookForRestored)) > 0);
}

// Each connection plans a statement once, perhaps when its tables are still empty. These settings leave it only plans that stay good:
// through the indices. For the same reason the statements have sub-selects and LATERAL with OFFSET 0 where a join could be planned as
// a scan of the whole index.
const planForGrowth = statement(
  "record.plan_for_growth",
  { set: db.nullable(db.text) },
  `SELECT set_config(setting, 'off', false) AS set
   FROM unnest('{enable_seqscan,enable_hashjoin,enable_mergejoin}'::text[]) AS setting`,
);

const tryLock = statement(
  "record.lock",
  { taken: db.nullable(db.boolean) },
  "SELECT pg_try_advisory_lock($1) AS taken",
);

/**
 * Waits for the lock, then gives positions until the session ends.
 * @param onPlaced is called after each batch, and once at the beginning
 */
export async function sequence(session: Session, signal: AbortSignal, onPlaced: () => void): Promise<void> {
  while (!signal.aborted && !(await takeLock(session))) await pause(TRY_MS, signal);
  if (signal.aborted) return;
  await planForGrowth.on(session);
  await placeRestored(session);
  log().debug("this process gives events their positions");
  onPlaced();
  while (!signal.aborted) {
    const wait = await placeEvents(session, lookForNew).then(
      (count) => {
        if (count > 0) onPlaced();
        return count < LOOK ? LOOK_MS : 0;
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
  const [row] = await tryLock.on(session, LOCK);
  return row?.taken === true;
}
