import { prisma } from "#lib/db/client.ts";
import { bigint } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { bookOpening, bookUnassigned, ledgerCash } from "../balance/book-unassigned.ts";
import { readBalanceTransactions } from "../balance/read-transactions.ts";
import { liveGateway } from "../gateway/live.ts";
import type { Finding } from "./differences.ts";

/** What a finding about the platform's own balance is about. */
export const PLATFORM = "platform";

/** In pence: the platform's balance at Stripe, and what is owed out of it. */
type Solvency = {
  availablePence: number;
  pendingPence: number;
  /** Held for tasks, payable to providers, and due to requesters, less refunds that are under way. */
  owedPence: number;
  /** Of that, the fee which the platform has not earned yet. Stripe's own fees come out of it. */
  unearnedPence: number;
};

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
   FROM open JOIN settlements s ON s.id = open.settlement_id WHERE owed > 0`,
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
  const { isCurrent, openingPence } = await readBalanceTransactions(ctx);
  await bookUnassigned(ctx);
  if (!isCurrent) return undefined;
  const stripePence = await totalBalance();
  if (openingPence === null) {
    // The opening balance is booked once, so nothing may move while it is computed.
    await readBalanceTransactions(ctx);
    if ((await totalBalance()) !== stripePence) return undefined;
    await bookUnassigned(ctx);
    await bookOpening(ctx, stripePence);
  }
  return { ledgerPence: await ledgerCash(), stripePence };
}

async function totalBalance(): Promise<number> {
  const { availablePence, pendingPence } = await (await liveGateway()).readBalance();
  return availablePence + pendingPence;
}

/** What Stripe has of the platform's money, against what is owed and against the ledger. @throws ProcessorError */
export async function checkBalance(ctx: Context, runId: bigint): Promise<Finding[]> {
  return [...(await checkSolvency(runId)), ...(await checkCash(ctx, runId))];
}
