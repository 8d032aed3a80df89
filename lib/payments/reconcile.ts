import { pool, prisma } from "#lib/db/client.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { refreshAccount } from "./account.ts";
import { compareSettlement } from "./compare.ts";
import { type Finding, keepFindings } from "./differences.ts";
import { liveGateway } from "./gateway.ts";
import { readPayout } from "./payout.ts";
import { keepDelivery } from "./webhook/inbox.ts";
import { processEvent } from "./webhook/process.ts";

const DAY_SECONDS = 86_400;
/** Refunds and disputes can follow for months, returned payouts for a week or so. */
const SETTLEMENT_DAYS = 180;
const PAYOUT_DAYS = 14;
const BATCH = 500;

export type Reconciled = { checked: number; differences: Finding[]; waiting: Finding[] };

/**
 * Finds what the webhooks missed, by reading at Stripe whatever of ours can still change, and says where the books and Stripe
 * do not agree. Where nothing was ever begun in LIVE, Stripe is not asked.
 * @param limit settlements at most, those that were looked at longest ago first
 * @throws ProcessorError when Stripe does not answer, ApiError live_unavailable
 */
export async function reconcile(ctx: Context, limit: number = BATCH): Promise<Reconciled> {
  const anything = (await prisma().payment.count({ where: { paymentMode: "LIVE" }, take: 1 })) > 0;
  if (!anything && (await prisma().paymentAccount.count({ take: 1 })) === 0)
    return { checked: 0, differences: [], waiting: [] };
  const startedAt = ctx.clock.now();
  const run = await prisma().reconciliation.create({ data: { startedAt } });
  await catchUpOnEvents(ctx);
  await refreshAccounts(ctx);
  const subjects = await settlementsToCompare(startedAt, limit);
  const findings: Finding[] = [];
  for (const id of subjects) findings.push(...(await compareSettlement(ctx, id)));
  await readPayouts(ctx, startedAt);
  await keepFindings(findings, await relatedTo(subjects, findings), startedAt);
  const waiting = findings.filter(({ kind }) => kind === "refund_due");
  const differences = findings.filter(({ kind }) => kind !== "refund_due");
  await prisma().reconciliation.update({
    where: { id: run.id },
    data: { finishedAt: ctx.clock.now(), checked: subjects.length, differences: differences.length },
  });
  return { checked: subjects.length, differences, waiting };
}

/** Events that were never delivered, or that nobody could look into. */
async function catchUpOnEvents(ctx: Context): Promise<void> {
  const last = await prisma().reconciliation.findFirst({
    where: { finishedAt: { not: null } },
    orderBy: { id: "desc" },
  });
  const now = ctx.clock.now();
  const since = last ? secondsAfter(last.startedAt, -3600) : secondsAfter(now, -7 * DAY_SECONDS);
  const listed = await (await liveGateway()).listEvents(since);
  const known = await prisma().stripeEvent.findMany({
    where: { id: { in: listed.map(({ id }) => id) }, state: { in: ["processed", "ignored"] } },
    select: { id: true },
  });
  const done = new Set(known.map(({ id }) => id));
  for (const event of listed) {
    if (done.has(event.id)) continue;
    await keepDelivery({ ...event, account: null }, "platform", now);
    await processEvent(ctx, event.id);
  }
}

async function refreshAccounts(ctx: Context): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT identity_id AS id FROM payment_accounts WHERE stripe_account_id IS NOT NULL
     ORDER BY refreshed_at NULLS FIRST LIMIT ${BATCH}`,
  );
  for (const { id } of rows) await refreshAccount(ctx, id);
}

async function settlementsToCompare(now: Date, limit: number): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT s.id FROM payments p JOIN settlements s ON s.contract_id = p.contract_id
     WHERE p.payment_mode = 'LIVE' AND p.created_at > $1
     GROUP BY s.id ORDER BY min(coalesce(p.checked_at, 'epoch')) LIMIT $2`,
    [secondsAfter(now, -SETTLEMENT_DAYS * DAY_SECONDS), limit],
  );
  return rows.map(({ id }) => id);
}

async function readPayouts(ctx: Context, now: Date): Promise<void> {
  const gateway = await liveGateway();
  const { rows } = await pool().query<{ account: string; since: Date }>(
    `SELECT i.stripe_account_id AS account, min(i.sent_at) AS since
     FROM transfer_intents i JOIN settlements s ON s.id = i.settlement_id
     WHERE i.state = 'sent' AND (s.payout <> 'paid' OR s.paid_out_at > $1) GROUP BY 1 LIMIT ${BATCH}`,
    [secondsAfter(now, -PAYOUT_DAYS * DAY_SECONDS)],
  );
  for (const { account, since } of rows) {
    const payouts = await gateway.listPayouts(account, since);
    for (const { payoutId } of payouts.reverse()) await readPayout(ctx, account, payoutId);
  }
}

/** Everything that a finding about one of these settlements can be about. */
async function relatedTo(settlementIds: string[], findings: Finding[]): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT p.id FROM payments p JOIN settlements s ON s.contract_id = p.contract_id WHERE s.id = ANY($1::text[])
     UNION ALL SELECT subject_id FROM differences
       WHERE resolved_at IS NULL AND kind = 'unknown_transfer' AND split_part(stripe, ' settlement ', 2) = ANY($1::text[])`,
    [settlementIds],
  );
  return [...settlementIds, ...rows.map(({ id }) => id), ...findings.map(({ subjectId }) => subjectId)];
}
