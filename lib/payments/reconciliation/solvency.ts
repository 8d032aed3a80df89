import { prisma } from "#lib/db/client.ts";
import { bigint, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { bookOpening, bookUnassigned, ledgerCash } from "../balance/book-unassigned.ts";
import { readBalanceTransactions } from "../balance/read-transactions.ts";
import { readPayment } from "../checkouts/checkout.ts";
import { liveGateway } from "../gateway/live.ts";
import type { Finding } from "./differences.ts";

/** What a finding about the platform's own balance is about. */
export const PLATFORM = "platform";
/** The most charges that are read in one run because they have come in. */
const BATCH = 500;

/** In pence: the platform's balance at Stripe, and what is owed out of it. */
type Solvency = {
  availablePence: number;
  pendingPence: number;
  /** Held for tasks, payable to providers, and due to requesters, less refunds that are under way, for charges that it contains. */
  owedPence: number;
  /** Of that, the fee which the platform has not earned yet. Stripe's own fees come out of it. */
  unearnedPence: number;
};

/**
 * As a condition on payments `p`: charges that have not reached Stripe's balance. With asynchronous capture that takes up to an hour,
 * during which our ledger has the money and Stripe's balance does not: both comparisons leave them out. One that takes longer is
 * reported with its settlement (`charge_pending`).
 */
const NOT_IN_BALANCE = `p.payment_mode = 'LIVE' AND p.status = 'succeeded' AND p.stripe_fee_pence IS NULL AND NOT p.forgotten
  AND NOT EXISTS (SELECT FROM balance_transactions b WHERE b.source = p.stripe_charge_id)`;

const readNotInBalance = statement(
  "solvency.not_in_balance",
  { pence: bigint },
  `SELECT coalesce(sum(p.amount_pence), 0)::bigint AS pence FROM payments p WHERE ${NOT_IN_BALANCE}`,
);

const readOwed = statement(
  "solvency.owed",
  { owed: bigint, unearned: bigint },
  `WITH open AS (
     SELECT t.settlement_id,
       -sum(e.amount_pence) FILTER (WHERE e.account IN ('held', 'provider_payable', 'refund_due', 'refunds_pending')) AS owed
     FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     WHERE t.payment_mode = 'LIVE' GROUP BY 1
   )
   SELECT coalesce(sum(owed), 0)::bigint AS owed,
     coalesce(sum(s.fee_pence) FILTER (WHERE s.state <> 'approved'), 0)::bigint AS unearned
   FROM open JOIN settlements s ON s.id = open.settlement_id
   WHERE owed > 0 AND NOT EXISTS (SELECT FROM payments p WHERE p.contract_id = s.contract_id AND ${NOT_IN_BALANCE})`,
);

/** Reads the platform's balance at Stripe, and what the ledger says is owed. @throws ProcessorError */
async function readSolvency(): Promise<Solvency> {
  const { availablePence, pendingPence } = await (await liveGateway()).readBalance();
  const [row] = await readOwed();
  return {
    availablePence,
    pendingPence,
    owedPence: Number(row?.owed ?? 0),
    unearnedPence: Number(row?.unearned ?? 0),
  };
}

/** How much of what is owed Stripe does not have, in pence. Pure. */
export function shortfallOf({
  availablePence,
  pendingPence,
  owedPence,
}: Pick<Solvency, "availablePence" | "pendingPence" | "owedPence">): number {
  return Math.max(0, owedPence - availablePence - pendingPence);
}

/**
 * Compares the platform's balance with what is owed, and keeps both with the run. A shortfall that the fee not yet earned covers is
 * shown but no finding: Stripe takes its own fees at once.
 * @throws ProcessorError
 */
async function checkSolvency(runId: bigint): Promise<Finding[]> {
  const isShort = (each: Solvency) => shortfallOf(each) > each.unearnedPence;
  const first = await readSolvency();
  // Money may have moved between the two readings: only what is found twice is a finding.
  const found = isShort(first) ? await readSolvency() : first;
  const { availablePence, pendingPence, owedPence } = found;
  await prisma().reconciliation.update({ where: { id: runId }, data: { availablePence, pendingPence, owedPence } });
  if (owedPence === 0 || !isShort(found)) return [];
  return [
    {
      kind: "shortfall",
      subjectId: PLATFORM,
      settlementId: null,
      books: `${formatPence(owedPence)} owed`,
      stripe: `${formatPence(availablePence)} available and ${formatPence(pendingPence)} pending`,
      remedy: `Add ${formatPence(shortfallOf(found))} to the platform's balance at Stripe, and set its payouts to manual.`,
    },
  ];
}

/**
 * Compares the whole balance: Stripe's, available and pending, with the ledger's cash.
 * @throws ProcessorError
 */
async function checkCash(ctx: Context, runId: bigint): Promise<Finding[]> {
  const first = await compareCash(ctx);
  // Money may have moved meanwhile: only what is found twice is a finding.
  const found = first && first.ledgerPence !== first.stripePence ? await compareCash(ctx) : first;
  if (!found) return [];
  const { ledgerPence, stripePence } = found;
  await prisma().reconciliation.update({ where: { id: runId }, data: { ledgerPence } });
  if (ledgerPence === stripePence) return [];
  return [
    {
      kind: "balance",
      subjectId: PLATFORM,
      settlementId: null,
      books: formatPence(ledgerPence),
      stripe: formatPence(stripePence),
      remedy:
        "Look at the other differences first: each of them is part of this one. If there are none, compare the CSV files of the ledger and of Stripe's balance under /admin/money.",
    },
  ];
}

/** The ledger's cash and Stripe's balance; undefined while Stripe's movements have not all been read. */
async function compareCash(ctx: Context): Promise<{ ledgerPence: number; stripePence: number } | undefined> {
  const { isCurrent, openingPence } = await readMovements(ctx);
  if (!isCurrent) return undefined;
  const stripePence = await totalBalance();
  if (openingPence === null) {
    // The opening balance is booked once, so nothing may move while it is computed.
    await readMovements(ctx);
    if ((await totalBalance()) !== stripePence) return undefined;
    await bookOpening(ctx, stripePence);
  }
  const [row] = await readNotInBalance();
  return { ledgerPence: (await ledgerCash()) - Number(row?.pence ?? 0), stripePence };
}

const withoutFee = statement(
  "solvency.without_fee",
  { id: text },
  `SELECT p.id FROM payments p WHERE p.payment_mode = 'LIVE' AND p.status = 'succeeded' AND p.stripe_fee_pence IS NULL AND NOT p.forgotten
     AND EXISTS (SELECT FROM balance_transactions b WHERE b.source = p.stripe_charge_id) ORDER BY p.settled_at LIMIT ${BATCH}`,
);

/** Reads Stripe's new movements, and books what they say: what belongs to no settlement, and the fees of charges that came in. */
async function readMovements(ctx: Context) {
  const reading = await readBalanceTransactions(ctx);
  await bookUnassigned(ctx);
  const rows = await withoutFee();
  for (const { id } of rows) await readPayment(ctx, id);
  return rows.length === BATCH ? { ...reading, isCurrent: false } : reading;
}

async function totalBalance(): Promise<number> {
  const { availablePence, pendingPence } = await (await liveGateway()).readBalance();
  return availablePence + pendingPence;
}

/** What Stripe has of the platform's money, against what is owed and against the ledger. @throws ProcessorError */
export async function checkBalance(ctx: Context, runId: bigint): Promise<Finding[]> {
  // The movements are read first: they say which charges have come in.
  const cash = await checkCash(ctx, runId);
  return [...(await checkSolvency(runId)), ...cash];
}
