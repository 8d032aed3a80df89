import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { iso } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { ENDED_DISPUTES } from "#lib/payments/chargebacks.ts";
import { inWords, readBinding } from "#lib/payments/gateway/binding.ts";
import { readLatestSolvency, readOpenTransfers } from "#lib/payments/read.ts";
import { REFUNDS_DUE } from "#lib/payments/refunds-due.ts";
import type { HoldReason } from "#lib/settlements/holds.ts";

// What the operator of the platform has to know about LIVE money. All of it is in our records: nothing here calls Stripe.

/** The most rows of each list; counts and sums of transfers are over as many. */
const SHOWN = 50;
const MOST_TRANSFERS = 1_000;
const MONTHS = 12;
const DAY_MS = 86_400_000;
/** From this age on, a held transfer is one to look at. */
export const OLD_DAYS = 3;

const LISTED = {
  settlementId: db.text,
  title: db.text,
  pence: db.integer,
};

const refundsDue = statement(
  "admin_money.refunds_due",
  { ...LISTED, since: db.nullable(db.timestamp) },
  `SELECT due.id AS "settlementId", t.title, due.pence, due.since
   FROM (${REFUNDS_DUE}) due JOIN tasks t ON t.id = due.task_id ORDER BY due.since LIMIT ${SHOWN}`,
);

const chargebacks = statement(
  "admin_money.chargebacks",
  {
    ...LISTED,
    id: db.text,
    status: db.text,
    isOver: db.boolean,
    gonePence: db.integer,
    dueBy: db.nullable(db.timestamp),
    transfer: db.transferState,
  },
  // Every one, the open ones first: one that was decided at once must be seen too.
  `SELECT l.id, s.id AS "settlementId", t.title, l.amount_pence AS pence, l.status, l.status = ANY ($1::text[]) AS "isOver",
     coalesce(l.gone_pence, CASE WHEN l.booked THEN l.amount_pence ELSE 0 END) AS "gonePence", l.due_by AS "dueBy", s.transfer
   FROM payment_losses l JOIN payments p ON p.id = l.payment_id JOIN settlements s ON s.contract_id = p.contract_id
     JOIN tasks t ON t.id = s.task_id
   WHERE l.kind = 'chargeback'
   ORDER BY "isOver", CASE WHEN l.status = ANY ($1::text[]) THEN NULL ELSE l.due_by END, l.created_at DESC, l.id LIMIT ${SHOWN}`,
);

const failedPayouts = statement(
  "admin_money.failed_payouts",
  {
    ...LISTED,
    providerId: db.text,
    providerName: db.text,
    payoutId: db.nullable(db.text),
    failure: db.nullable(db.text),
    at: db.nullable(db.timestamp),
  },
  `SELECT s.id AS "settlementId", t.title, i.amount_pence - i.reversed_pence AS pence, s.provider_id AS "providerId",
     p.name AS "providerName", i.payout_id AS "payoutId", i.payout_failure AS failure, i.payout_at AS at
   FROM settlements s JOIN tasks t ON t.id = s.task_id JOIN identities p ON p.id = s.provider_id
     JOIN transfer_intents i ON i.settlement_id = s.id
   WHERE s.payout = 'failed' AND i.payout_status IN ('failed', 'canceled') ORDER BY i.payout_at DESC, s.id LIMIT ${SHOWN}`,
);

const charges = statement(
  "admin_money.charges",
  {
    ...LISTED,
    fee: db.nullable(db.integer),
    platformFee: db.integer,
    at: db.nullable(db.timestamp),
  },
  `SELECT s.id AS "settlementId", t.title, p.amount_pence AS pence, p.stripe_fee_pence AS fee, s.fee_pence AS "platformFee",
     p.settled_at AS at
   FROM payments p JOIN settlements s ON s.contract_id = p.contract_id JOIN tasks t ON t.id = s.task_id
   WHERE p.payment_mode = 'LIVE' AND p.status = 'succeeded' ORDER BY p.settled_at DESC, p.id LIMIT ${SHOWN}`,
);

const months = statement(
  "admin_money.months",
  { month: db.text, account: db.text, pence: db.bigint },
  `SELECT to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, e.account::text AS account, sum(e.amount_pence) AS pence
   FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
   WHERE t.payment_mode = 'LIVE' AND t.at >= $1
     AND e.account IN ('platform_fees', 'stripe_fees', 'dispute_fees', 'refunds', 'chargebacks') GROUP BY 1, 2`,
);

const whole = statement(
  "admin_money.balance",
  { ledger: db.nullable(db.bigint), stripe: db.nullable(db.bigint) },
  `SELECT ledger_pence AS ledger, available_pence + pending_pence AS stripe FROM reconciliations
   WHERE ledger_pence IS NOT NULL ORDER BY id DESC LIMIT 1`,
);

const alarms = statement(
  "admin_money.schedule",
  { problem: db.text },
  "SELECT stripe AS problem FROM differences WHERE kind = 'payout_schedule' AND resolved_at IS NULL LIMIT 1",
);

const waiting = statement(
  "admin_money.brakes",
  { delayed: db.integer, newProviders: db.integer, heldLong: db.integer },
  `SELECT (SELECT count(*)::int FROM transfer_intents WHERE state = 'queued' AND not_before > $1) AS delayed,
     (SELECT count(*)::int FROM payment_accounts WHERE payout_delay_days > 0) AS "newProviders",
     (SELECT count(*)::int FROM differences WHERE kind = 'held_long' AND resolved_at IS NULL) AS "heldLong"`,
);

/** What slows LIVE money down, each with its setting and what it stops now. */
async function readBrakes(now: Date) {
  const { liveMaxPence, liveTransferDelayDays, liveNewProviderDelayDays } = env();
  const [counts] = await waiting(now);
  if (!counts) throw new Error("The query of the brakes returned no row.");
  return {
    maxPence: liveMaxPence,
    transferDays: liveTransferDelayDays,
    newProviderDays: liveNewProviderDelayDays,
    ...counts,
  };
}

type HeldTransfers = {
  reason: HoldReason;
  detail: string;
  count: number;
  pence: number;
  oldestDays: number;
  old: number;
};
type Month = {
  /** `2026-11` */
  month: string;
  /** Fees that the platform has earned, less what was taken back. */
  feesPence: number;
  stripeFeesPence: number;
  disputeFeesPence: number;
  /** Refunds and chargebacks that the platform bears. */
  lossesPence: number;
  profitPence: number;
};

export type Money = Awaited<ReturnType<typeof readMoney>>;

/** Everything that the page shows. Where LIVE is not configured and never was, `live` is false and all lists are empty. */
export async function readMoney(now: Date) {
  const [brakes, binding, solvency, [balance], transfers, due, disputed, failed, charged, monthly, [schedule]] =
    await Promise.all([
      readBrakes(now),
      readBinding(),
      readLatestSolvency(),
      whole(),
      readOpenTransfers(MOST_TRANSFERS),
      refundsDue(),
      chargebacks(ENDED_DISPUTES),
      failedPayouts(),
      charges(),
      readMonths(now),
      alarms(),
    ]);
  return {
    live: env().stripe !== undefined || solvency !== undefined,
    // The account at Stripe, and its mode, to which all of this belongs.
    account: binding && inWords(binding),
    brakes,
    solvency: solvency ?? null,
    // The whole balance at the last reconciliation that read all of it, by the ledger and by Stripe.
    balance: balance ? { ledgerPence: Number(balance.ledger), stripePence: Number(balance.stripe) } : null,
    payoutProblem: schedule?.problem ?? null,
    held: heldByReason(transfers, now),
    waitingTransfers: transfers.filter(({ holds }) => holds.length === 0).length,
    refundsDue: due,
    chargebacks: disputed,
    failedPayouts: failed,
    charges: charged,
    months: monthly,
  };
}

/** Held transfers by reason. One that several things hold counts under each. Pure. */
export function heldByReason(transfers: Awaited<ReturnType<typeof readOpenTransfers>>, now: Date): HeldTransfers[] {
  const found = new Map<HoldReason, HeldTransfers>();
  for (const { holds, netPence, queuedAt } of transfers) {
    const days = Math.floor((now.getTime() - Date.parse(queuedAt)) / DAY_MS);
    for (const { reason, detail } of new Map(holds.map((hold) => [hold.reason, hold])).values()) {
      const sum = found.get(reason) ?? { reason, detail, count: 0, pence: 0, oldestDays: 0, old: 0 };
      found.set(reason, {
        ...sum,
        count: sum.count + 1,
        pence: sum.pence + netPence,
        oldestDays: Math.max(sum.oldestDays, days),
        old: sum.old + (days >= OLD_DAYS ? 1 : 0),
      });
    }
  }
  return [...found.values()].sort((one, other) => other.oldestDays - one.oldestDays || other.count - one.count);
}

/** The last twelve months, this one first. */
async function readMonths(now: Date): Promise<Month[]> {
  const names = Array.from({ length: MONTHS }, (_, back) => nameOf(now, back));
  const sums = await months(new Date(`${names.at(-1)}-01T00:00:00Z`));
  const byMonth = new Map<string, Record<string, number>>();
  for (const { month, account, pence } of sums) byMonth.set(month, { ...byMonth.get(month), [account]: Number(pence) });
  return names.map((month) => {
    const of = byMonth.get(month) ?? {};
    const figures = {
      feesPence: 0 - (of.platform_fees ?? 0),
      stripeFeesPence: of.stripe_fees ?? 0,
      disputeFeesPence: of.dispute_fees ?? 0,
      lossesPence: (of.refunds ?? 0) + (of.chargebacks ?? 0),
    };
    const costs = figures.stripeFeesPence + figures.disputeFeesPence + figures.lossesPence;
    return { month, ...figures, profitPence: figures.feesPence - costs };
  });
}

function nameOf(now: Date, back: number): string {
  return iso(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))).slice(0, 7);
}
