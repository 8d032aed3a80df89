import { pool } from "#lib/db/client.ts";
import type { Connection } from "#lib/db/connection.ts";
import { connectionOf, type Tx } from "#lib/db/tx.ts";
import { type AccountFacts, accountReadiness } from "#lib/identity/payment-account.ts";
import type { HoldFacts } from "./holds.ts";

type Row = Omit<LoadedFacts, "account"> & AccountFacts & { settlementId: string; providerId: string };

/** With the hosts of both parties. */
type LoadedFacts = HoldFacts & { requesterHost: string | null; providerHost: string | null };

const isWarned = (kind: string) =>
  `EXISTS (SELECT FROM payment_warnings w WHERE w.payment_id = m.id AND w.kind = '${kind}' AND w.open AND w.released_at IS NULL)`;

const SELECT = `
  SELECT s.id AS "settlementId", s.provider_id AS "providerId", d.id IS NOT NULL AS "disputeOpen",
    t.held_at IS NOT NULL AS "taskHeld", r.host AS "requesterHost", p.host AS "providerHost",
    least(r.held_at, r.host_held_at, r.leaked_at) IS NOT NULL AS "requesterHeld",
    least(p.held_at, p.host_held_at, p.leaked_at) IS NOT NULL AS "providerHeld",
    r.state = 'suspended' AS "requesterSuspended", p.state = 'suspended' AS "providerSuspended",
    coalesce(m.refunded_pence, 0) + coalesce(o.pence, 0) AS "refundedPence", coalesce(m.disputed_pence, 0) AS "disputedPence", i.problem,
    CASE WHEN i.not_before > now() THEN i.not_before END AS "waitsUntil",
    coalesce(i.allowed_refund_pence, 0) AS "allowedRefundPence", coalesce(i.allowed_dispute_pence, 0) AS "allowedDisputePence",
    ${isWarned("early_fraud_warning")} AS "fraudWarned", ${isWarned("review")} AS "underReview",
    a.identity_id AS "identityId", a.stripe_account_id AS "stripeAccountId", a.named_identity_id AS "namedIdentityId",
    a.transfers_status AS "transfersStatus", a.payouts_status AS "payoutsStatus",
    coalesce(a.requirements_due, '{}') AS "requirementsDue", coalesce(a.closed, false) AS closed
  FROM settlements s
  JOIN tasks t ON t.id = s.task_id
  JOIN identities r ON r.id = s.requester_id
  JOIN identities p ON p.id = s.provider_id
  LEFT JOIN disputes d ON d.task_id = s.task_id AND d.state = 'open'
  LEFT JOIN payments m ON m.contract_id = s.contract_id AND m.status = 'succeeded'
  LEFT JOIN LATERAL (
    SELECT problem, not_before, allowed_refund_pence, allowed_dispute_pence FROM transfer_intents WHERE settlement_id = s.id
    ORDER BY (state = 'queued' OR state = 'sending') DESC, created_at DESC LIMIT 1
  ) i ON true
  LEFT JOIN LATERAL (
    SELECT sum(amount_pence)::int AS pence FROM money_acts
    WHERE settlement_id = s.id AND kind = 'refund' AND (state = 'queued' OR state = 'sending')
  ) o ON true
  LEFT JOIN payment_accounts a ON a.identity_id = s.provider_id
  WHERE s.id = ANY($1::text[])`;

/** The facts that may hold the transfers of these settlements, as committed or as `tx` sees them. */
export async function loadHoldFacts(settlementIds: string[], tx?: Tx): Promise<Map<string, LoadedFacts>> {
  if (settlementIds.length === 0) return new Map();
  const connection: Connection = tx ? connectionOf(tx) : pool();
  const { rows } = await connection.query<Row>({ text: SELECT, values: [settlementIds] });
  return new Map(
    rows.map((row) => [
      row.settlementId,
      { ...row, account: accountReadiness(row.providerId, row) } satisfies LoadedFacts,
    ]),
  );
}
