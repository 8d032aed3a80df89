/**
 * As SQL: each LIVE settlement that owes its requester a refund which is not under way at Stripe, with `id`, `task_id`, what the
 * ledger says is due in `pence`, and `since`. A void settlement owes the whole, a split one what was not awarded.
 */
export const REFUNDS_DUE = `SELECT s.id, s.task_id, 0 - sum(e.amount_pence)::int AS pence, min(l.at) AS since
  FROM settlements s JOIN ledger_transactions l ON l.settlement_id = s.id
    JOIN ledger_entries e ON e.transaction_id = l.id AND e.account = 'refund_due'
  WHERE s.payment_mode = 'LIVE' AND s.funding = 'confirmed' AND (s.state = 'void' OR s.awarded_pence IS NOT NULL)
    AND CASE WHEN s.state = 'void' THEN s.gross_pence ELSE s.gross_pence - s.awarded_pence END > s.refunded_pence + s.disputed_pence
  GROUP BY s.id HAVING sum(e.amount_pence) < 0`;
