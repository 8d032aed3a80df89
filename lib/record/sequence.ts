import { pause, type Session } from "#lib/db/session.ts";
import { log } from "#lib/kernel/log.ts";
import { CHANNEL } from "./tail.ts";

/** The positions of one batch, both inclusive. */
export type Batch = { first: number; last: number };
type Hook = (session: Session, batch: Batch) => Promise<void>;

/** Any number, as long as every process uses the same one. */
const LOCK = 7_203_114_120;
/** How often the holder looks for events, and the others for a free lock. */
const LOOK_MS = 200;
const TRY_MS = 250;
const RETRY_MS = 1_000;
/** The most events in one transaction. */
const BATCH = 5_000;

const hooks: Hook[] = [];

/** Does further work in the transaction that gives a batch its positions, after it has given them. */
export function onBatch(hook: Hook): void {
  hooks.push(hook);
}

/*
 * Every event of a transaction before the horizon has its position, so only later transactions are looked at: those that ended
 * since the last batch, and those that were still running then.
 *
 * All events that can be seen are placed, in the order of their numbers. If one event caused another, its transaction had ended
 * before the other's number was taken, so whoever sees the effect sees the cause, with a lower number. A running transaction
 * delays nobody: its events come after those that were placed before it ended.
 */
const toPlaceOf = (upTo: string) => `
  WITH recent AS MATERIALIZED (
    SELECT e.seq, e.type, e.recipients FROM audit_events e
    WHERE e.type IS NOT NULL AND e.xid >= (SELECT horizon FROM event_feed)${upTo}
  )
  SELECT * FROM recent WHERE NOT EXISTS (SELECT FROM event_positions p WHERE p.seq = recent.seq)`;
// A range with two ends is known to the planner as a small one, so it is found through the index.
const TO_PLACE = toPlaceOf(" AND e.xid < pg_snapshot_xmax(pg_current_snapshot())");
const RESTORED = toPlaceOf("");

const isDue = (toPlace: string) => `SELECT EXISTS (${toPlace}) AS due`;

const place = (toPlace: string) => `
  WITH feed AS MATERIALIZED (SELECT last_position FROM event_feed FOR UPDATE),
  due AS MATERIALIZED (SELECT * FROM (${toPlace}) e ORDER BY seq LIMIT ${BATCH}),
  placed AS MATERIALIZED (
    SELECT due.*, feed.last_position + row_number() OVER (ORDER BY due.seq) AS position FROM due, feed
  ), kept AS (
    INSERT INTO event_positions (position, seq) SELECT position, seq FROM placed
  ), addressed AS (
    INSERT INTO event_recipients (recipient, position, type)
    SELECT recipient, position, type FROM placed, unnest(recipients) AS recipient
  ), moved AS (
    UPDATE event_feed SET last_position = (SELECT max(position) FROM placed),
      horizon = CASE WHEN (SELECT count(*) FROM placed) < ${BATCH} THEN pg_snapshot_xmin(pg_current_snapshot()) ELSE horizon END
    WHERE EXISTS (SELECT FROM placed)
  )
  SELECT min(position)::text AS first, max(position)::text AS last FROM placed`;

/**
 * Gives events their positions: new ones, or with `restored` also those whose transactions this cluster has not had yet.
 * @returns the batch, or undefined if there was nothing to place
 */
async function placeEvents(session: Session, restored = false): Promise<Batch | undefined> {
  const toPlace = restored ? RESTORED : TO_PLACE;
  const [look] = await session.query<{ due: boolean }>(isDue(toPlace));
  if (!look?.due) return undefined;
  return session.transaction(async () => {
    const [row] = await session.query<{ first: string | null; last: string | null }>(place(toPlace));
    if (!row?.first || !row.last) return undefined;
    const batch = { first: Number(row.first), last: Number(row.last) };
    for (const hook of hooks) await hook(session, batch);
    await session.query("SELECT pg_notify($1, $2)", [CHANNEL, row.last]);
    return batch;
  });
}

/**
 * After a restore into another cluster, the horizon and the rows that await their positions may name transactions that this cluster
 * has not had yet. They are placed first, once; looking for them all the time would cost more with each restored row.
 */
async function placeRestored(session: Session): Promise<void> {
  await session.query("UPDATE event_feed SET horizon = '0' WHERE horizon > pg_snapshot_xmax(pg_current_snapshot())");
  while (await placeEvents(session, true));
}

/** Waits for the lock, then gives positions until the session ends. */
export async function sequence(session: Session, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await takeLock(session))) await pause(TRY_MS, signal);
  if (signal.aborted) return;
  await placeRestored(session);
  log().debug("this process gives events their positions");
  while (!signal.aborted) {
    const wait = await placeEvents(session).then(
      (batch) => (batch ? 0 : LOOK_MS),
      (error: Error) => {
        if (!signal.aborted) log().error({ err: error.message }, "events could not be placed");
        return RETRY_MS;
      },
    );
    if (wait > 0) await pause(wait, signal);
  }
}

async function takeLock(session: Session): Promise<boolean> {
  const [row] = await session.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [LOCK]);
  return row?.taken === true;
}
