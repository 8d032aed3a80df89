import type { Session } from "#lib/db/session.ts";
import type { Batch } from "../sequence.ts";

const ANNOUNCE = `
  UPDATE webhooks w SET pending = true, signals = w.signals + 1
  WHERE w.identity_id IN (
    SELECT DISTINCT replace(recipient, 'profile:', '')
    FROM event_positions p JOIN audit_events e USING (seq), unnest(e.recipients) AS recipient
    WHERE p.position BETWEEN $1 AND $2)`;

/**
 * Marks the webhooks that a batch of new events may be for, in the transaction that makes the events visible: neither can get lost
 * without the other. The cost follows the number of new events, not of webhooks.
 */
export async function announceEvents(session: Session, { first, last }: Batch): Promise<void> {
  await session.query(ANNOUNCE, [first, last]);
}
