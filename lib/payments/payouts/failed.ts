import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { iso } from "#lib/kernel/clock.ts";

/** A payout that the bank returned, as its provider reads it. */
export type FailedPayout = {
  payout_id: string;
  amount_pence: number;
  failure: string | null;
  failed_at: string;
  remedy: string;
};

const REMEDY =
  "The money is still in your account at Stripe. Open its dashboard (payments/dashboard.php), correct your bank details, and Stripe pays it out again.";

const failed = statement(
  "payout.failed_of",
  { id: db.text, pence: db.integer, failure: db.nullable(db.text), at: db.timestamp },
  `SELECT max(i.payout_id) AS id, sum(i.amount_pence - i.reversed_pence)::int AS pence, max(i.payout_failure) AS failure, max(i.payout_at) AS at
   FROM transfer_intents i JOIN settlements s ON s.id = i.settlement_id
   WHERE i.provider_id = $1 AND i.state = 'sent' AND s.payout = 'failed' AND i.payout_id IS NOT NULL AND i.payout_at IS NOT NULL
   GROUP BY i.payout_id ORDER BY max(i.payout_at) DESC LIMIT 20`,
);

/** The provider's payouts that failed and were not replaced by a later one, newest first. */
export async function readFailedPayouts(providerId: string): Promise<FailedPayout[]> {
  return (await failed(providerId)).map(({ id, pence, failure, at }) => ({
    payout_id: id,
    amount_pence: pence,
    failure,
    failed_at: iso(at),
    remedy: REMEDY,
  }));
}
