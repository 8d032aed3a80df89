import { prisma } from "#lib/db/client.ts";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { refreshAccount } from "../accounts/account.ts";
import { setPayoutDelay } from "../accounts/payout-delay.ts";
import { ENDED_DISPUTES } from "../chargebacks.ts";
import { readPayment, SESSION_SECONDS } from "../checkouts/checkout.ts";
import { liveGateway } from "../gateway/live.ts";
import { ProcessorError } from "../gateway/port.ts";
import { readPayouts } from "../payouts/payout.ts";
import { PAYOUT_REMEDY, payoutProblems } from "../platform/check.ts";
import { DESTINATIONS } from "../platform/destinations.ts";
import { hasBegunLive } from "../platform/read.ts";
import { storeDelivery } from "../webhooks/keep-event.ts";
import { processEvent } from "../webhooks/process.ts";
import { compareSettlement } from "./compare.ts";
import { type Finding, isWaiting, recordFindings } from "./differences.ts";
import { findHeldLong } from "./held-long.ts";
import { checkBalance, PLATFORM } from "./solvency.ts";

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/**
 * How far back it looks for payments. What follows later, such as a dispute after months, is in Stripe's list of events. What is
 * already reported is looked at until it is resolved, however old it is.
 */
const SETTLEMENT_DAYS = 180;
/** A settlement is read in every run for a day after its last step, and daily for two weeks; then it is finished. */
const FRESH_DAYS = 1;
const QUIET_DAYS = 14;
/** A bank can return a payout for a week or so. A transfer that has not been paid out for so long is left to the operator. */
const RETURN_DAYS = 14;
const PAYOUT_DAYS = 35;
const BATCH = 500;
/** What a finding is about if Stripe refuses to list the open checkouts. */
const CHECKOUTS = "checkouts";
/** The same for the platform's own payouts. */
const SCHEDULE = "payout schedule";

export type Reconciled = { checked: number; differences: Finding[]; waiting: Finding[] };

/**
 * Reads at Stripe everything of ours that can still change, records what the webhooks missed, and reports where the ledger and
 * Stripe do not agree. Where nothing was ever begun in LIVE, Stripe is not called.
 * @param limit the most settlements, and the most accounts, to read; those that were read longest ago come first
 * @param all every settlement and account that was ever paid or opened, not only those that can still change
 * @returns how many settlements were compared, what does not agree, and what waits for a person
 * @throws ProcessorError when Stripe does not answer, ApiError live_unavailable
 */
export async function reconcile(ctx: Context, limit: number = BATCH, all = false): Promise<Reconciled> {
  if (!(await hasBegunLive())) return { checked: 0, differences: [], waiting: [] };
  const startedAt = ctx.clock.now();
  const run = await prisma().reconciliation.create({ data: { startedAt } });
  await catchUpOnEvents(ctx);
  const findings = await orUnreadable({ subjectId: CHECKOUTS, settlementId: null }, () => readOpenCheckouts(ctx));
  const accounts = (await accountsToRead(startedAt, limit, all)).map(({ id }) => id);
  const settlements = (await settlementsToCompare(startedAt, limit, ENDED_LOSSES, all)).map(({ id }) => id);
  for (const id of settlements)
    findings.push(
      ...(await orUnreadable({ subjectId: id, settlementId: id }, () => readSettlement(ctx, id, startedAt))),
    );
  for (const id of accounts)
    findings.push(
      ...(await orUnreadable({ subjectId: id, settlementId: null }, () => readAccount(ctx, id, startedAt))),
    );
  findings.push(...(await orUnreadable({ subjectId: PLATFORM, settlementId: null }, () => checkBalance(ctx, run.id))));
  findings.push(...(await orUnreadable({ subjectId: SCHEDULE, settlementId: null }, readSchedule)));
  const others = [CHECKOUTS, PLATFORM, SCHEDULE];
  await recordFindings(findings, { settlements, accounts: [...accounts, ...others] }, startedAt);
  const waiting = findings.filter(isWaiting);
  const differences = findings.filter((finding) => !isWaiting(finding));
  await prisma().reconciliation.update({
    where: { id: run.id },
    data: { finishedAt: ctx.clock.now(), checked: settlements.length, differences: differences.length },
  });
  return { checked: settlements.length, differences, waiting };
}

/** The findings about one subject. If Stripe refuses to return it, that is the finding, and the others are still read. */
async function orUnreadable(
  subject: Pick<Finding, "subjectId" | "settlementId">,
  read: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const stripe = `refused (${error.code})`;
    const remedy = "Look at it in Stripe's dashboard, and check that the service's key may still read it.";
    return [{ kind: "unreadable", ...subject, books: "not compared", stripe, remedy }];
  }
}

const isRefusal = (error: unknown): error is ProcessorError =>
  error instanceof ProcessorError && (error.kind === "refused" || error.kind === "misconfigured");

/** Processes events that were never delivered, or that could not be processed. */
async function catchUpOnEvents(ctx: Context): Promise<void> {
  const last = await prisma().reconciliation.findFirst({
    where: { finishedAt: { not: null } },
    orderBy: { id: "desc" },
  });
  const now = ctx.clock.now();
  const since = last ? secondsAfter(last.startedAt, -HOUR_SECONDS) : secondsAfter(now, -7 * DAY_SECONDS);
  const listed = await (await liveGateway()).listEvents(since, DESTINATIONS.destination_platform.events);
  const known = await prisma().stripeEvent.findMany({
    where: { id: { in: listed.map(({ id }) => id) }, state: { in: ["processed", "ignored"] } },
    select: { id: true },
  });
  const done = new Set(known.map(({ id }) => id));
  for (const event of listed) {
    if (done.has(event.id)) continue;
    await storeDelivery({ ...event, account: null }, "platform", now);
    // A refusal is recorded with its event, and must not keep the others from being processed.
    await processEvent(ctx, event.id).catch((error) => {
      if (!isRefusal(error)) throw error;
    });
  }
}

/** When the platform's own balance is paid out: automatic payouts would take what is owed to others. */
async function readSchedule(): Promise<Finding[]> {
  const schedule = await (await liveGateway()).readPayoutSchedule();
  return payoutProblems(schedule).map((problem) => ({
    kind: "payout_schedule",
    subjectId: SCHEDULE,
    settlementId: null,
    books: "payouts that leave what is owed",
    stripe: problem,
    remedy: PAYOUT_REMEDY,
  }));
}

/** Reads every payment with an open checkout that is not the recorded one of a pending payment: that checkout is closed. */
async function readOpenCheckouts(ctx: Context): Promise<[]> {
  const open = await (await liveGateway()).listOpenCheckouts(secondsAfter(ctx.clock.now(), -SESSION_SECONDS));
  const named = open.flatMap(({ paymentId }) => paymentId ?? []);
  const payments = await prisma().payment.findMany({ where: { id: { in: named }, paymentMode: "LIVE" } });
  const expected = new Set(payments.flatMap((each) => (each.status === "pending" ? (each.stripeSessionId ?? []) : [])));
  const ours = new Set(payments.map(({ id }) => id));
  const stray = open.flatMap(({ sessionId, paymentId }) =>
    paymentId && ours.has(paymentId) && !expected.has(sessionId) ? paymentId : [],
  );
  for (const id of new Set(stray)) await readPayment(ctx, id, true);
  return [];
}

// Accounts and settlements go to the end of their queue before Stripe is called about them, so one that Stripe refuses, or fails
// to answer for, does not hold up the others in the next run.

/** Transfers of an account that are not sent yet, or whose payout can still change. */
const OPEN_TRANSFER = `(i.state IN ('queued', 'sending') OR i.state = 'sent'
  AND (s.payout <> 'paid' AND i.sent_at > $1::timestamptz - interval '${PAYOUT_DAYS} days'
    OR s.paid_out_at > $1::timestamptz - interval '${RETURN_DAYS} days'))`;

/**
 * The identities of providers with an account at Stripe, those read longest ago first: in every run those with open transfers or
 * findings, the others once a day.
 */
const accountsToRead = statement(
  "reconciliation.accounts",
  { id: db.text },
  `SELECT identity_id AS id FROM payment_accounts a
   WHERE stripe_account_id IS NOT NULL AND ($3 OR looked_at IS NULL OR looked_at < $1::timestamptz - interval '${FRESH_DAYS} days'
     OR EXISTS (SELECT FROM differences d WHERE d.subject_id = a.identity_id AND d.resolved_at IS NULL)
     OR EXISTS (SELECT FROM transfer_intents i JOIN settlements s ON s.id = i.settlement_id
       WHERE i.provider_id = a.identity_id AND ${OPEN_TRANSFER}))
   ORDER BY looked_at NULLS FIRST LIMIT $2`,
);

/** Reads an account, and those of its payouts that can still change. An account has nothing that could disagree. */
async function readAccount(ctx: Context, identityId: string, now: Date): Promise<[]> {
  await prisma().paymentAccount.update({ where: { identityId }, data: { lookedAt: now } });
  const account = await refreshAccount(ctx, identityId);
  if (account) await setPayoutDelay(ctx, account);
  if (account?.stripeAccountId && !account.closed) await readRecentPayouts(ctx, account.stripeAccountId, now);
  return [];
}

const openSince = statement(
  "reconciliation.payouts_since",
  { since: db.timestamp },
  `SELECT greatest(min(i.sent_at), $1::timestamptz - interval '${PAYOUT_DAYS} days') AS since
   FROM transfer_intents i JOIN settlements s ON s.id = i.settlement_id
   WHERE i.stripe_account_id = $2 AND i.state = 'sent' AND ${OPEN_TRANSFER} HAVING count(*) > 0`,
);

async function readRecentPayouts(ctx: Context, account: string, now: Date): Promise<void> {
  const [open] = await openSince(now, account);
  if (open) await readPayouts(ctx, account, open.since);
}

/** Stripe's statuses of refunds and disputes that have ended. */
const ENDED_LOSSES = ["succeeded", "failed", "canceled", ...ENDED_DISPUTES];

/** The settlements that are not finished, those read longest ago first. */
const settlementsToCompare = statement(
  "reconciliation.settlements",
  { id: db.text },
  `WITH known AS (
       SELECT s.id, s.looked_at, bool_or(p.status = 'pending' OR EXISTS (
           SELECT FROM payment_losses l WHERE l.payment_id = p.id AND l.status <> ALL ($3::text[]))) AS pending,
         greatest(max(p.created_at), max(p.settled_at), s.funded_at, s.approved_at, s.voided_at, s.transferred_at) AS changed_at,
         s.funding = 'confirmed' AND (s.state = 'recorded' OR s.transfer = 'queued'
           OR s.state = 'void' AND s.refunded_pence + s.disputed_pence < s.gross_pence
           OR s.awarded_pence + s.refunded_pence + s.disputed_pence < s.gross_pence) AS holds_money,
         EXISTS (SELECT FROM differences d WHERE d.settlement_id = s.id AND d.resolved_at IS NULL) AS reported
       FROM payments p JOIN settlements s ON s.contract_id = p.contract_id
       WHERE p.payment_mode = 'LIVE' AND NOT p.forgotten AND ($4 OR p.created_at > $1::timestamptz - interval '${SETTLEMENT_DAYS} days'
         OR s.id IN (SELECT settlement_id FROM differences WHERE resolved_at IS NULL))
       GROUP BY s.id
     )
     SELECT id FROM known
     WHERE $4 OR looked_at IS NULL OR pending OR reported OR changed_at > $1::timestamptz - interval '${FRESH_DAYS} days'
       OR looked_at < $1::timestamptz - interval '${FRESH_DAYS} days'
         AND (holds_money OR looked_at < changed_at + interval '${QUIET_DAYS} days')
     ORDER BY looked_at NULLS FIRST LIMIT $2`,
);

async function readSettlement(ctx: Context, id: string, now: Date): Promise<Finding[]> {
  await prisma().settlement.update({ where: { id }, data: { lookedAt: now } });
  return [...(await compareSettlement(ctx, id)), ...(await findHeldLong(id, now))];
}
