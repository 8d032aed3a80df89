import * as db from "#lib/db/columns.ts";
import { forgetting } from "#lib/db/forgetting.ts";
import { statement } from "#lib/db/statement.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { Numbered } from "../delivery/round.ts";
import type { Outcome } from "./schema.ts";
import type { DeliverableEvent } from "./signing.ts";

/** What is kept of a webhook's attempts: the newest, for at most 30 days. */
const MOST_KEPT = 200;
const KEPT_DAYS = 30;
/** What `agents/webhook.php` shows. */
const SHOWN = 50;

/** An attempt as its identity sees it. */
export function viewDelivery(
  event: Pick<DeliverableEvent, "event_id" | "position">,
  made: Omit<Numbered, "error" | "retryAfterSeconds" | "text">,
) {
  const { attempt, at, status, ms, outcome } = made;
  return { event_id: event.event_id, position: event.position, attempt, at: iso(at), status, ms, outcome };
}

const note = statement(
  "webhook_note",
  {},
  `WITH counted AS (UPDATE webhooks SET delivered = delivered + 1 WHERE identity_id = $1 RETURNING delivered),
   outdated AS (DELETE FROM webhook_deliveries WHERE identity_id = $1 AND number <= (SELECT delivered FROM counted) - ${MOST_KEPT})
   INSERT INTO webhook_deliveries (identity_id, number, event_id, position, attempt, at, status, ms, outcome)
   SELECT $1, delivered, $2, $3, $4, $5, $6, $7, $8 FROM counted`,
);

/** Records an attempt, and drops the oldest if there are too many. */
export async function noteDelivery(identityId: string, event: DeliverableEvent, made: Numbered): Promise<void> {
  const { attempt, at, status, ms, outcome } = made;
  await note(identityId, event.event_id, event.position, attempt, at, status, ms, outcome);
}

const DELIVERY = {
  eventId: db.text.from("event_id"),
  position: db.bigint.from("position"),
  attempt: db.integer.from("attempt"),
  at: db.timestamp.from("at"),
  status: db.nullable(db.integer).from("status"),
  ms: db.integer.from("ms"),
  outcome: db.oneOf<Outcome>().from("outcome"),
};

const newest = statement(
  "webhook_deliveries",
  DELIVERY,
  `SELECT ${db.select(DELIVERY)} FROM webhook_deliveries WHERE identity_id = $1 ORDER BY number DESC LIMIT ${SHOWN}`,
);

/** The newest attempts, newest first. */
export async function readDeliveries(identityId: string) {
  const rows = await newest(identityId);
  return rows.map((row) => viewDelivery({ event_id: row.eventId, position: Number(row.position) }, row));
}

/** Deletes attempts that are too old, in batches. */
export const forgetDeliveries = forgetting("webhook_forget", {
  table: "webhook_deliveries",
  key: "identity_id, number",
  where: `at < $1::timestamptz - interval '${KEPT_DAYS} days'`,
  oldestBy: "at",
});
