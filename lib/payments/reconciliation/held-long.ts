import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import { formatPence } from "#lib/kernel/money.ts";
import type { Finding } from "./differences.ts";

/** With manual payouts Stripe holds funds for at most so long, outside the United States and Thailand. */
const MOST_DAYS = 90;
/** From this age on, somebody has to do something about it. */
const HELD_LONG_DAYS = 75;
const DAY_SECONDS = 86_400;

const heldFor = statement(
  "reconciliation.held_for",
  { funded: db.timestamp, pence: db.integer },
  `SELECT max(s.funded_at) AS funded, 0 - sum(e.amount_pence)::int AS pence
   FROM settlements s JOIN ledger_transactions t ON t.settlement_id = s.id JOIN ledger_entries e ON e.transaction_id = t.id
   WHERE s.id = $1 AND s.payment_mode = 'LIVE' AND s.funded_at <= $2
     AND e.account IN ('held', 'provider_payable', 'refund_due')
   GROUP BY s.id HAVING sum(e.amount_pence) < 0`,
);

/** Money of a settlement that was paid long ago, and is neither with the provider nor with the requester. */
export async function findHeldLong(settlementId: string, now: Date): Promise<Finding[]> {
  return (await heldFor(settlementId, secondsAfter(now, -HELD_LONG_DAYS * DAY_SECONDS))).map(({ funded, pence }) => ({
    kind: "held_long",
    subjectId: settlementId,
    settlementId,
    books: `${formatPence(pence)} held since ${funded.toISOString()}`,
    stripe: `holds funds for at most ${MOST_DAYS} days`,
    remedy:
      "Complete the task, resolve its dispute, lift what holds its transfer, or refund it, before Stripe pays the money out to your bank.",
    dueBy: secondsAfter(funded, MOST_DAYS * DAY_SECONDS),
  }));
}
