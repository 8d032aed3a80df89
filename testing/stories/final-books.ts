import { pool } from "#lib/db/client.ts";
import type { Live } from "#testing/live.ts";
import type { Planted } from "./plant.ts";

/** What both sides have to agree on about one settlement. */
export type FinalBooks = {
  chargedPence: number;
  refundedPence: number;
  disputedPence: number;
  /** What chargebacks have taken: by the ledger, and by the movements of the disputes. */
  gonePence: number;
  sentPence: number;
  reversedPence: number;
  transfers: number;
  payout: string;
};

/** What Guildhall alone knows, which must not depend on the order of events either. */
export type OwnBooks = FinalBooks & {
  state: string;
  funding: string;
  transfer: string;
  payments: string[];
  /** Pence by ledger account, as debits less credits, without accounts that are even: whether they ever were not depends on the order. */
  ledger: Record<string, number>;
};

const BOOKS = `
  SELECT s.id, s.state, s.funding, s.transfer, s.payout,
    coalesce((SELECT array_agg(p.status::text ORDER BY p.created_at, p.id) FROM payments p WHERE p.contract_id = s.contract_id), '{}') AS payments,
    coalesce((SELECT sum(p.amount_pence) FROM payments p WHERE p.contract_id = s.contract_id AND p.status = 'succeeded'), 0)::int AS charged,
    coalesce((SELECT sum(p.refunded_pence) FROM payments p WHERE p.contract_id = s.contract_id), 0)::int AS refunded,
    coalesce((SELECT sum(p.disputed_pence) FROM payments p WHERE p.contract_id = s.contract_id), 0)::int AS disputed,
    coalesce((SELECT -sum(e.amount_pence) FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
      WHERE t.settlement_id = s.id AND t.kind IN ('chargeback', 'chargeback_won') AND e.account = 'cash'), 0)::int AS gone,
    i.sent, i.reversed, i.transfers,
    coalesce((SELECT jsonb_object_agg(account, pence) FROM (
      SELECT e.account, sum(e.amount_pence)::int AS pence FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
      WHERE t.settlement_id = s.id GROUP BY e.account HAVING sum(e.amount_pence) <> 0) sums), '{}') AS ledger
  FROM settlements s, LATERAL (
    SELECT count(*)::int AS transfers, coalesce(sum(amount_pence), 0)::int AS sent, coalesce(sum(reversed_pence), 0)::int AS reversed
    FROM transfer_intents WHERE settlement_id = s.id AND state = 'sent' AND stripe_transfer_id IS NOT NULL
  ) i WHERE s.id = ANY ($1)`;

/** Guildhall's books of these settlements. */
export async function ownBooks(settlementIds: string[]): Promise<Map<string, OwnBooks>> {
  const { rows } = await pool().query(BOOKS, [settlementIds]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        chargedPence: row.charged,
        refundedPence: row.refunded,
        disputedPence: row.disputed,
        gonePence: row.gone,
        sentPence: row.sent,
        reversedPence: row.reversed,
        transfers: row.transfers,
        // Of several transfers it shows the newest one's payout, which has not come yet.
        payout: row.transfers > 1 ? "" : row.payout,
        state: row.state,
        funding: row.funding,
        transfer: row.transfer,
        payments: row.payments,
        ledger: row.ledger,
      },
    ]),
  );
}

const PAYOUTS: Record<string, string> = { in_transit: "pending", paid: "paid", failed: "failed" };

/** Stripe's books of the same. */
export function stripeBooks(live: Live, planted: readonly Planted[]): Map<string, FinalBooks> {
  const { intents, transfers } = live.stripe.books();
  const payouts = [...live.stripe.world.payouts.values()];
  return new Map(
    planted.map(({ settlementId, account }) => {
      const paid = intents.filter(({ transferGroup }) => transferGroup === settlementId);
      const sent = transfers.filter(({ transferGroup }) => transferGroup === settlementId);
      const last = payouts.filter((payout) => payout.account === account).at(-1);
      return [
        settlementId,
        {
          chargedPence: sum(paid.map(({ chargedPence }) => chargedPence)),
          refundedPence: sum(paid.map(({ refundedPence }) => refundedPence)),
          disputedPence: sum(paid.map(({ disputedPence }) => disputedPence)),
          gonePence: sum(paid.map(({ paymentIntent }) => goneOf(live, paymentIntent))),
          sentPence: sum(sent.map(({ sentPence }) => sentPence)),
          reversedPence: sum(sent.map(({ reversedPence }) => reversedPence)),
          transfers: sent.length,
          payout: sent.length > 1 ? "" : last ? (PAYOUTS[last.status] ?? last.status) : "unknown",
        },
      ];
    }),
  );
}

/** What the disputes of a payment have taken, as the movements of the balance say. */
function goneOf(live: Live, intent: string): number {
  const disputes = [...live.stripe.world.disputes.values()].filter(({ payment_intent }) => payment_intent === intent);
  const ids = new Set(disputes.map(({ id }) => id));
  const lines = [...live.stripe.world.lines.values()].filter(({ source }) => ids.has(String(source)));
  return sum(lines.map(({ type, amount }) => (type === "adjustment" ? 0 - amount : 0)));
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
