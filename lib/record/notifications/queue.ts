import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Lane } from "../webhooks/queue.ts";

// Which channels have something to send, and who sends it. As with webhooks, a channel has one holder at a time, and another process
// takes over when its time is up. The acts that owners are told of put rows into `notifications` (a trigger of the audit trail), and touch
// no channel, so they wait for no sender.

/** Longer than one attempt may take, with what is recorded before and after it. */
const HELD_SECONDS = 30;

const HELD = {
  id: db.text.from("c.id"),
  ownerId: db.text.from("c.owner_id"),
  kind: db.channelKind.from("c.kind"),
  address: db.bytea.from("c.address"),
  failures: db.integer.from("c.failures"),
};
export type HeldChannel = db.RowOf<typeof HELD>;

const DUE = "c.enabled AND c.due_at <= $2 AND (c.held_until IS NULL OR c.held_until <= $2)";

const claimDue = statement(
  "channel_claim",
  HELD,
  `UPDATE owner_channels c SET holder = $1, held_until = $3
   WHERE c.id = ANY (ARRAY(
     SELECT c.id FROM owner_channels c JOIN owners o ON o.id = c.owner_id AND o.disabled_at IS NULL
     WHERE c.id IN (SELECT channel_id FROM notifications WHERE ended_at IS NULL)
       AND ${DUE} AND c.slow = $4 AND (NOT $4 OR (c.failures > 0) = $6)
     ORDER BY c.due_at LIMIT $5 FOR UPDATE OF c SKIP LOCKED))
   RETURNING ${db.select(HELD)}`,
);

const anyDue = statement(
  "channel_due",
  { due: db.boolean },
  `SELECT EXISTS (
     SELECT FROM notifications n JOIN owner_channels c ON c.id = n.channel_id
     WHERE n.ended_at IS NULL AND ${DUE.replaceAll("$2", "$1")}) AS due`,
);

export async function isAnyDue(now: Date): Promise<boolean> {
  return (await anyDue(now))[0]?.due === true;
}

/** Takes channels of one lane that are due, those that waited longest first. */
export function claim(holder: string, now: Date, lane: Lane, most: number): Promise<HeldChannel[]> {
  return claimDue(holder, now, secondsAfter(now, HELD_SECONDS), lane !== "prompt", most, lane === "failing");
}

const NEXT = {
  number: db.bigint.from("n.number"),
  kind: db.text.from("n.kind"),
  agentId: db.nullable(db.text).from("n.agent_id"),
  agentName: db.nullable(db.text).from("i.name"),
  at: db.timestamp.from("n.at"),
};

/** The next that wait for a channel, oldest first. */
export const nextOf = statement(
  "channel_next",
  NEXT,
  `SELECT ${db.select(NEXT)} FROM notifications n LEFT JOIN identities i ON i.id = n.agent_id
   WHERE n.channel_id = $1 AND n.ended_at IS NULL ORDER BY n.number LIMIT $2`,
);

const TRIED = "UPDATE notifications SET attempts = attempts + 1, outcome = $4, status = $5";
const OF_ONE = "WHERE channel_id = $1 AND number = $3";

const recordSent = statement(
  "channel_sent",
  { id: db.text },
  `WITH tried AS (${TRIED}, ended_at = $6 ${OF_ONE})
   UPDATE owner_channels SET failures = 0, failing_since = NULL, last_error = NULL, last_sent_at = $6, slow = $7, held_until = $8
   WHERE id = $1 AND holder = $2 RETURNING id`,
);

type Attempted = { number: string; outcome: string; status: number | null };

/** @returns false if the holder must stop: the channel was removed or taken over */
export async function recordSuccess(
  holder: string,
  { id }: HeldChannel,
  { number, outcome, status, slow, now }: Attempted & { slow: boolean; now: Date },
): Promise<boolean> {
  const until = secondsAfter(now, HELD_SECONDS);
  return (await recordSent(id, holder, number, outcome, status, now, slow, until)).length > 0;
}

const recordFailed = statement(
  "channel_failed",
  {},
  `WITH tried AS (${TRIED} ${OF_ONE})
   UPDATE owner_channels SET failures = failures + 1, failing_since = coalesce(failing_since, $6), last_error = $7, due_at = $8,
     slow = true, holder = NULL, held_until = NULL
   WHERE id = $1 AND holder = $2`,
);

/** Puts the channel off until its next attempt. */
export async function recordFailure(
  holder: string,
  { id }: HeldChannel,
  { number, outcome, status, at, error, next }: Attempted & { at: Date; error: string; next: Date },
): Promise<void> {
  await recordFailed(id, holder, number, outcome, status, at, error, next);
}

/** Ends a round. @param at when the channel is due again */
export const release = statement(
  "channel_release",
  {},
  "UPDATE owner_channels SET holder = NULL, held_until = NULL, due_at = $3 WHERE id = $1 AND holder = $2",
);

/** Gives up everything that this process holds, when it stops. */
export const abandon = statement(
  "channel_abandon",
  {},
  "UPDATE owner_channels SET holder = NULL, held_until = NULL WHERE holder = $1",
);

export const renewAddress = statement(
  "channel_renew",
  {},
  "UPDATE owner_channels SET address = $3 WHERE id = $1 AND address = $2",
);
