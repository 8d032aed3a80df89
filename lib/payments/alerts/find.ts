import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import { enqueue } from "#lib/jobs/enqueue.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { ENDED_DISPUTES } from "../chargebacks.ts";
import { REFUNDS_DUE } from "../refunds-due.ts";

/** From this age on, a transfer that is still waiting is reported. */
const HELD_DAYS = 3;
/** The most of each kind in one run; the rest follows a minute later. */
const BATCH = 100;
/** What a finding or Stripe says is cut to so many characters. */
const MOST_CHARACTERS = 300;

type Alert = { kind: string; subjectId: string; text: string };

/**
 * Writes an alert for everything that needs the operator and was not reported before, and plans their sending.
 * @returns how many are new
 */
export async function findAlerts(ctx: Context): Promise<number> {
  const { stripe, alertWebhookUrl } = env();
  if (!stripe || !alertWebhookUrl) return 0;
  const found: Alert[] = [];
  for (const read of SOURCES) found.push(...(await read(ctx.clock.now())));
  if (found.length === 0) return 0;
  return transaction(async (tx) => {
    const data = found.map((alert) => ({ ...alert, createdAt: ctx.clock.now() }));
    const { count } = await tx.alert.createMany({ data, skipDuplicates: true });
    if (count > 0) await enqueue(tx, { name: "send-alerts", payload: {}, key: "send-alerts", queue: "alerts" });
    return count;
  });
}

const page = (path: string) => `${env().baseUrl}/admin/${path}`;
const cut = (text: string) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text);
const unsaid = (kind: string, subject: string) =>
  `NOT EXISTS (SELECT FROM alerts a WHERE a.kind = '${kind}' AND a.subject_id = ${subject})`;

/**
 * What needs the operator, of one kind: each row is an alert.
 * @param kind of the alerts, under which they are reported once each
 * @param sql may use the time as `$1` if `usesTime`
 * @param alertOf what a row is about, under which it is reported once, and the message
 */
function source<const C extends db.Columns>(
  kind: string,
  columns: C,
  sql: string,
  alertOf: (row: db.RowOf<C>) => [subjectId: string, text: string],
  { usesTime = false } = {},
) {
  const read = statement(`alerts.${kind}`, columns, `${sql} LIMIT ${BATCH}`);
  return async (now: Date): Promise<Alert[]> =>
    (await read(...(usesTime ? [now] : []))).map((row) => {
      const [subjectId, text] = alertOf(row);
      return { kind, subjectId, text };
    });
}

/** Those with an alert of their own kind are left out. */
const findings = source(
  "finding",
  { id: db.bigint, kind: db.text, subject: db.text, books: db.text, stripe: db.text, remedy: db.text },
  `SELECT d.id, d.kind, d.subject_id AS subject, d.books, d.stripe, d.remedy FROM differences d
   WHERE d.resolved_at IS NULL AND d.kind NOT IN ('refund_due', 'chargeback') AND ${unsaid("finding", "d.id::text")} ORDER BY d.id`,
  ({ id, kind, subject, books, stripe, remedy }) => [
    id,
    `New finding (${kind}) about ${subject}. Ledger: ${cut(books)}. Stripe: ${cut(stripe)}. ${cut(remedy)} ${page("reconciliation")}`,
  ],
);

/** Each once, whatever its status: one that the bank decides at once, or while the service is down, is first seen when it is over. */
const chargebacks = source(
  "chargeback",
  {
    id: db.text,
    pence: db.integer,
    gone: db.integer,
    status: db.text,
    due: db.nullable(db.timestamp),
    settlement: db.text,
  },
  `SELECT l.id, l.amount_pence AS pence, coalesce(l.gone_pence, 0) AS gone, l.status, l.due_by AS due, s.id AS settlement
   FROM payment_losses l JOIN payments p ON p.id = l.payment_id JOIN settlements s ON s.contract_id = p.contract_id
   WHERE l.kind = 'chargeback' AND ${unsaid("chargeback", "l.id")} ORDER BY l.created_at, l.id`,
  ({ id, pence, gone, status, due, settlement }) => {
    const isOver = ENDED_DISPUTES.includes(status);
    const answer = due ? `: answer it by ${due.toISOString()}` : "";
    const then = isOver ? `: it is over, and ${formatPence(gone)} is gone` : answer;
    return [
      id,
      `Chargeback of ${formatPence(pence)} (${status.replaceAll("_", " ")})${then}. ${page(`settlements/${settlement}`)}`,
    ];
  },
);

const WARNINGS: Record<string, string> = {
  early_fraud_warning:
    "The payer's bank warns that a payment may be fraudulent: refund it before it is disputed, or send its transfer nevertheless",
  review: "A payment is under review: close the review in Stripe's dashboard, or send its transfer nevertheless",
};

const warnings = source(
  "warning",
  { id: db.text, kind: db.text, pence: db.integer, settlement: db.text },
  `SELECT w.id, w.kind, p.amount_pence AS pence, s.id AS settlement
   FROM payment_warnings w JOIN payments p ON p.id = w.payment_id JOIN settlements s ON s.contract_id = p.contract_id
   WHERE w.open AND w.released_at IS NULL AND ${unsaid("warning", "w.id")} ORDER BY w.created_at, w.id`,
  ({ id, kind, pence, settlement }) => [
    id,
    `${WARNINGS[kind]} (send-transfer). ${formatPence(pence)}. ${page(`settlements/${settlement}`)}`,
  ],
);

/** One for each amount: if another refund becomes due later, that is news. An ordered one is on its way, for an hour. */
const refundsDue = source(
  "refund_due",
  { id: db.text, pence: db.integer },
  `SELECT due.id, due.pence FROM (${REFUNDS_DUE}) due
   WHERE ${unsaid("refund_due", "due.id || ':' || due.pence")} AND NOT EXISTS (
     SELECT FROM money_acts m WHERE m.settlement_id = due.id AND m.kind = 'refund' AND m.state IN ('queued', 'sending')
       AND m.created_at > $1::timestamptz - interval '1 hour')
   ORDER BY due.since, due.id`,
  ({ id, pence }) => [
    `${id}:${pence}`,
    `Refund due: ${formatPence(pence)} is owed to a requester. ${page(`settlements/${id}`)}`,
  ],
  { usesTime: true },
);

/**
 * One for each payout, whatever it pays out, even if another has replaced it meanwhile. What it consists of is its own payments and those
 * of the earlier payouts that it repeats.
 */
const failedPayouts = source(
  "payout_failed",
  { id: db.text, provider: db.text, failure: db.nullable(db.text), pence: db.integer },
  `WITH RECURSIVE parts AS (
     SELECT id, failure, id AS part FROM stripe_payouts
     WHERE (status = 'failed' OR status = 'canceled') AND ${unsaid("payout_failed", "stripe_payouts.id")}
     UNION SELECT parts.id, parts.failure, unnest(p.returned_payouts) FROM parts JOIN stripe_payouts p ON p.id = parts.part
   )
   SELECT parts.id, i.provider_id AS provider, parts.failure, sum(i.amount_pence - i.reversed_pence)::int AS pence
   FROM parts JOIN stripe_payouts p ON p.id = parts.part
     JOIN transfer_intents i ON i.stripe_account_id = p.stripe_account_id AND i.destination_payment = ANY (p.payments)
   GROUP BY 1, 2, 3 ORDER BY 1`,
  ({ id, provider, failure, pence }) => [
    id,
    `Payout ${id} failed, with ${formatPence(pence)} for ${provider}${failure ? `: ${cut(failure)}` : "."} ${page("money")}`,
  ],
);

const heldTransfers = source(
  "transfer_held",
  { id: db.text, settlement: db.text, pence: db.integer, since: db.timestamp },
  `SELECT i.id, i.settlement_id AS settlement, i.amount_pence AS pence, i.created_at AS since FROM transfer_intents i
   WHERE (i.state = 'queued' OR i.state = 'sending') AND greatest(i.created_at, i.not_before) < $1::timestamptz - interval '${HELD_DAYS} days'
     AND ${unsaid("transfer_held", "i.id")} ORDER BY i.created_at`,
  ({ id, settlement, pence, since }) => [
    id,
    `Transfer of ${formatPence(pence)} held over ${HELD_DAYS} days, since ${since.toISOString()}. ${page(`settlements/${settlement}`)}`,
  ],
  { usesTime: true },
);

const SOURCES = [findings, chargebacks, warnings, refundsDue, failedPayouts, heldTransfers];
