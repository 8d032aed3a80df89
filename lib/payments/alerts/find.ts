import { pool } from "#lib/db/client.ts";
import type { Difference } from "#lib/db/generated/client.ts";
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
  const found = [
    ...(await newFindings()),
    ...(await newChargebacks()),
    ...(await newWarnings()),
    ...(await newRefundsDue(ctx.clock.now())),
    ...(await newFailedPayouts()),
    ...(await newHeldTransfers(ctx.clock.now())),
  ];
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

/** Those with an alert of their own kind are left out. */
async function newFindings(): Promise<Alert[]> {
  const { rows } = await pool().query<
    Pick<Difference, "id" | "kind" | "books" | "stripe" | "remedy"> & { subject: string }
  >(
    `SELECT d.id, d.kind, d.subject_id AS subject, d.books, d.stripe, d.remedy FROM differences d
     WHERE d.resolved_at IS NULL AND d.kind NOT IN ('refund_due', 'chargeback') AND ${unsaid("finding", "d.id::text")}
     ORDER BY d.id LIMIT ${BATCH}`,
  );
  return rows.map(({ id, kind, subject, books, stripe, remedy }) => ({
    kind: "finding",
    subjectId: String(id),
    text: `New finding (${kind}) about ${subject}. Ledger: ${cut(books)}. Stripe: ${cut(stripe)}. ${cut(remedy)} ${page("reconciliation")}`,
  }));
}

/** Each once, whatever its status: one that the bank decides at once, or while the service is down, is first seen when it is over. */
async function newChargebacks(): Promise<Alert[]> {
  const { rows } = await pool().query<{
    id: string;
    pence: number;
    gone: number;
    status: string;
    due: Date | null;
    settlement: string;
  }>(
    `SELECT l.id, l.amount_pence AS pence, coalesce(l.gone_pence, 0) AS gone, l.status, l.due_by AS due, s.id AS settlement
     FROM payment_losses l JOIN payments p ON p.id = l.payment_id JOIN settlements s ON s.contract_id = p.contract_id
     WHERE l.kind = 'chargeback' AND ${unsaid("chargeback", "l.id")} ORDER BY l.created_at, l.id LIMIT ${BATCH}`,
  );
  return rows.map(({ id, pence, gone, status, due, settlement }) => {
    const isOver = ENDED_DISPUTES.includes(status);
    const then = isOver
      ? `: it is over, and ${formatPence(gone)} is gone`
      : due
        ? `: answer it by ${due.toISOString()}`
        : "";
    return {
      kind: "chargeback",
      subjectId: id,
      text: `Chargeback of ${formatPence(pence)} (${status.replaceAll("_", " ")})${then}. ${page(`settlements/${settlement}`)}`,
    };
  });
}

const WARNINGS: Record<string, string> = {
  early_fraud_warning:
    "The payer's bank warns that a payment may be fraudulent: refund it before it is disputed, or send its transfer nevertheless",
  review: "A payment is under review: close the review in Stripe's dashboard, or send its transfer nevertheless",
};

async function newWarnings(): Promise<Alert[]> {
  const { rows } = await pool().query<{ id: string; kind: string; pence: number; settlement: string }>(
    `SELECT w.id, w.kind, p.amount_pence AS pence, s.id AS settlement
     FROM payment_warnings w JOIN payments p ON p.id = w.payment_id JOIN settlements s ON s.contract_id = p.contract_id
     WHERE w.open AND w.released_at IS NULL AND ${unsaid("warning", "w.id")} ORDER BY w.created_at, w.id LIMIT ${BATCH}`,
  );
  return rows.map(({ id, kind, pence, settlement }) => ({
    kind: "warning",
    subjectId: id,
    text: `${WARNINGS[kind]} (send-transfer). ${formatPence(pence)}. ${page(`settlements/${settlement}`)}`,
  }));
}

/** One for each amount: if another refund becomes due later, that is news. An ordered one is on its way, for an hour. */
async function newRefundsDue(now: Date): Promise<Alert[]> {
  const { rows } = await pool().query<{ id: string; pence: number }>(
    `SELECT due.id, due.pence FROM (${REFUNDS_DUE}) due
     WHERE ${unsaid("refund_due", "due.id || ':' || due.pence")} AND NOT EXISTS (
       SELECT FROM money_acts m WHERE m.settlement_id = due.id AND m.kind = 'refund' AND m.state IN ('queued', 'sending')
         AND m.created_at > $1::timestamptz - interval '1 hour')
     ORDER BY due.since, due.id LIMIT ${BATCH}`,
    [now],
  );
  return rows.map(({ id, pence }) => ({
    kind: "refund_due",
    subjectId: `${id}:${pence}`,
    text: `Refund due: ${formatPence(pence)} is owed to a requester. ${page(`settlements/${id}`)}`,
  }));
}

/**
 * One for each payout, whatever it pays out, even if another has replaced it meanwhile. What it consists of is its own payments and those
 * of the earlier payouts that it repeats.
 */
async function newFailedPayouts(): Promise<Alert[]> {
  const { rows } = await pool().query<{ id: string; provider: string; failure: string | null; pence: number }>(
    `WITH RECURSIVE parts AS (
       SELECT id, failure, id AS part FROM stripe_payouts
       WHERE (status = 'failed' OR status = 'canceled') AND ${unsaid("payout_failed", "stripe_payouts.id")}
       UNION SELECT parts.id, parts.failure, unnest(p.returned_payouts) FROM parts JOIN stripe_payouts p ON p.id = parts.part
     )
     SELECT parts.id, i.provider_id AS provider, parts.failure, sum(i.amount_pence - i.reversed_pence)::int AS pence
     FROM parts JOIN stripe_payouts p ON p.id = parts.part
       JOIN transfer_intents i ON i.stripe_account_id = p.stripe_account_id AND i.destination_payment = ANY (p.payments)
     GROUP BY 1, 2, 3 ORDER BY 1 LIMIT ${BATCH}`,
  );
  return rows.map(({ id, provider, failure, pence }) => ({
    kind: "payout_failed",
    subjectId: id,
    text: `Payout ${id} failed, with ${formatPence(pence)} for ${provider}${failure ? `: ${cut(failure)}` : "."} ${page("money")}`,
  }));
}

async function newHeldTransfers(now: Date): Promise<Alert[]> {
  const { rows } = await pool().query<{ id: string; settlement: string; pence: number; since: Date }>(
    `SELECT i.id, i.settlement_id AS settlement, i.amount_pence AS pence, i.created_at AS since FROM transfer_intents i
     WHERE (i.state = 'queued' OR i.state = 'sending') AND greatest(i.created_at, i.not_before) < $1::timestamptz - interval '${HELD_DAYS} days'
       AND ${unsaid("transfer_held", "i.id")} ORDER BY i.created_at LIMIT ${BATCH}`,
    [now],
  );
  return rows.map(({ id, settlement, pence, since }) => ({
    kind: "transfer_held",
    subjectId: id,
    text: `Transfer of ${formatPence(pence)} held over ${HELD_DAYS} days, since ${since.toISOString()}. ${page(`settlements/${settlement}`)}`,
  }));
}
