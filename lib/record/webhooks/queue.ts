import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { PROVED } from "#lib/identity/row.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";

// Which webhooks have something to deliver, and who delivers it. All processes share these rows: a webhook has one holder at a
// time, which must say so again with every event, because another process takes over when its time is up.

/** Longer than one attempt may take, with what is recorded before and after it. */
const HELD_SECONDS = 30;

/** A webhook as its holder sees it. */
const HELD = {
  identityId: db.text.from("w.identity_id"),
  url: db.text.from("w.url"),
  types: db.arrayOf(db.text).from("w.types"),
  secret: db.bytea.from("w.secret"),
  previousSecret: db.nullable(db.bytea).from("w.previous_secret"),
  previousUntil: db.nullable(db.timestamp).from("w.previous_until"),
  cursor: db.bigint.from("w.cursor"),
  version: db.integer.from("w.version"),
  signals: db.bigint.from("w.signals"),
  failures: db.integer.from("w.failures"),
  slow: db.boolean.from("w.slow"),
};
export type HeldWebhook = db.RowOf<typeof HELD>;

/** Deliveries pause while the identity is suspended or its domain is not proved. `i` stands for identities. */
const UNPAUSED = `i.state = 'active' AND ${PROVED}`;

const claimDue = statement(
  "webhook_claim",
  HELD,
  `UPDATE webhooks w SET holder = $1, held_until = $3
   WHERE w.identity_id = ANY (ARRAY(
     SELECT w.identity_id FROM webhooks w JOIN identities i ON i.id = w.identity_id
     WHERE w.enabled AND w.pending AND w.slow = $4 AND (NOT $4 OR (w.failures > 0) = $6) AND w.due_at <= $2 AND (w.held_until IS NULL OR w.held_until <= $2) AND ${UNPAUSED}
     ORDER BY w.due_at LIMIT $5 FOR UPDATE OF w SKIP LOCKED))
   RETURNING ${db.select(HELD)}`,
);

const anyDue = statement(
  "webhook_due",
  { due: db.boolean },
  `SELECT EXISTS (SELECT FROM webhooks WHERE enabled AND pending AND slow = ANY ('{false,true}') AND due_at <= $1) AS due`,
);

/** Whether any webhook may be claimed. Processes ask this every second and after each batch of events, and usually there is none. */
export async function isAnyDue(now: Date): Promise<boolean> {
  return (await anyDue(now))[0]?.due === true;
}

/** Where a receiver waits, by its last attempt: it accepted the event within a second, or later, or not at all. */
export type Lane = "prompt" | "slow" | "failing";

/** Takes webhooks of one lane that are due, those that waited longest first. */
export function claim(holder: string, now: Date, lane: Lane, most: number): Promise<HeldWebhook[]> {
  return claimDue(holder, now, secondsAfter(now, HELD_SECONDS), lane !== "prompt", most, lane === "failing");
}

const recordDelivered = statement(
  "webhook_delivered",
  { goesOn: db.boolean },
  `UPDATE webhooks w SET cursor = $4, failures = 0, failing_since = NULL, last_error = NULL, slow = $5, held_until = $6
   FROM identities i
   WHERE w.identity_id = $1 AND w.holder = $2 AND w.version = $3 AND i.id = w.identity_id RETURNING ${UNPAUSED} AS "goesOn"`,
);

/**
 * Moves the cursor to a delivered event, and holds the webhook for the next attempt.
 * @returns false if the holder must stop: the webhook was changed, paused or taken over
 */
export async function recordSuccess(
  holder: string,
  { identityId, version }: HeldWebhook,
  { position, slow, now }: { position: number; slow: boolean; now: Date },
): Promise<boolean> {
  const [row] = await recordDelivered(identityId, holder, version, position, slow, secondsAfter(now, HELD_SECONDS));
  return row?.goesOn === true;
}

const recordFailed = statement(
  "webhook_failed",
  { identityId: db.text },
  `UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, $4), last_error = $5, due_at = $6,
     slow = true, holder = NULL, held_until = NULL
   WHERE identity_id = $1 AND holder = $2 AND version = $3 RETURNING identity_id AS "identityId"`,
);

/** Puts the webhook off until its next attempt; false if it was changed or taken over meanwhile. */
export async function recordFailure(
  holder: string,
  { identityId, version }: HeldWebhook,
  failure: { at: Date; error: string; next: Date },
): Promise<boolean> {
  return (await recordFailed(identityId, holder, version, failure.at, failure.error, failure.next)).length > 0;
}

const letGo = statement(
  "webhook_release",
  {},
  `UPDATE webhooks SET holder = NULL, held_until = NULL, due_at = $3,
     cursor = CASE WHEN version = $4 THEN greatest(cursor, $5) ELSE cursor END,
     pending = NOT ($6 AND version = $4 AND signals = $7)
   WHERE identity_id = $1 AND holder = $2`,
);

/**
 * Ends the holder's round, if it is still the holder. If nothing is left behind the cursor, the webhook waits for new events, unless some were announced
 * since it was claimed.
 * @param cursor the position up to which there is nothing left to deliver
 */
export async function release(
  holder: string,
  { identityId, version, signals }: HeldWebhook,
  { now, cursor, finished }: { now: Date; cursor: number; finished: boolean },
): Promise<void> {
  await letGo(identityId, holder, now, version, cursor, finished, signals);
}

/** Gives up everything that this process holds, when it stops. */
export const abandon = statement(
  "webhook_abandon",
  {},
  `UPDATE webhooks SET holder = NULL, held_until = NULL
   WHERE identity_id = ANY (ARRAY(SELECT identity_id FROM webhooks WHERE holder = $1 FOR UPDATE SKIP LOCKED))`,
);

/** Marks webhooks that have something to deliver although nobody said so: for the start of a process. */
export const wake = statement(
  "webhook_wake",
  {},
  // Those that are being changed are left to the next time: waiting for one while others wait for this could never end.
  `UPDATE webhooks SET pending = true, signals = signals + 1
   WHERE identity_id = ANY (ARRAY(
     SELECT w.identity_id FROM webhooks w
     WHERE w.enabled AND NOT w.pending AND EXISTS (
       SELECT FROM event_recipients r WHERE r.recipient IN (w.identity_id, 'profile:' || w.identity_id) AND r.position > w.cursor)
     ORDER BY w.identity_id FOR UPDATE OF w SKIP LOCKED))`,
);

/**
 * Part of the statement that gives events their positions (`placed`): marks the webhooks that they may be for. Neither can get lost
 * without the other. The cost follows the number of new events, not of webhooks.
 */
export const ANNOUNCE = `
  UPDATE webhooks w SET pending = true, signals = w.signals + 1
  WHERE w.identity_id IN (SELECT replace(recipient, 'profile:', '') FROM placed, unnest(placed.recipients) AS recipient)`;
