import { prisma } from "#lib/db/client.ts";
import type { Payment, PaymentLoss, StripeEvent } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import { loadHoldFacts } from "./hold-facts.ts";
import { type Hold, shownHolds } from "./holds.ts";
import { type AccountStep, accountReadiness } from "./readiness.ts";

// What pages read of LIVE. Nothing here asks Stripe: it is what is on record, with the time at which it was learnt.

/** A payment, and whether its settlement is void, for the page to which a payer comes back; undefined for no LIVE payment. */
export async function findPayment(paymentId: string): Promise<(Payment & { isVoid: boolean }) | undefined> {
  const payment = await prisma().payment.findUnique({
    where: { id: paymentId },
    include: { contract: { select: { settlement: { select: { state: true } } } } },
  });
  if (payment?.paymentMode !== "LIVE") return undefined;
  const { contract, ...rest } = payment;
  return { ...rest, isVoid: contract.settlement?.state === "void" };
}

export type MoneyStage = {
  stage: "agreed" | "funded" | "transferred" | "paid_out";
  /** What has reached this stage, or will, in pence. */
  pence: number;
  at: string | null;
  /** True only once Stripe has said so. */
  reached: boolean;
  /** Why it is not, or no longer, so. */
  note: string | null;
};

export type MoneyPath = {
  settlementId: string;
  grossPence: number;
  feePence: number;
  netPence: number;
  stages: MoneyStage[];
  holds: Hold[];
  payments: {
    paymentId: string;
    status: string;
    pence: number;
    at: string;
    expiresAt: string | null;
    problem: string | null;
  }[];
  losses: { id: string; kind: string; pence: number; status: string; at: string }[];
  checkedAt: string | null;
};

/** The way of a LIVE settlement's money, for its parties and the administrator; undefined where there is none. */
export async function readMoneyPath(settlementId: string): Promise<MoneyPath | undefined> {
  const found = await prisma().settlement.findUnique({
    where: { id: settlementId },
    include: { transferIntent: true },
  });
  if (!found) return undefined;
  const payments = await prisma().payment.findMany({
    where: { contractId: found.contractId },
    orderBy: { createdAt: "asc" },
    include: { losses: { orderBy: { createdAt: "asc" } } },
  });
  const facts = found.transfer === "queued" ? (await loadHoldFacts([settlementId])).get(settlementId) : undefined;
  const holds = facts ? shownHolds(facts) : [];
  const losses = payments.flatMap((payment) => payment.losses);
  const gone = losses.filter(({ booked }) => booked).reduce((sum, { amountPence }) => sum + amountPence, 0);
  const intent = found.transferIntent;
  const live = found.paymentMode === "LIVE";
  const funded = found.funding === "confirmed";
  const sent = found.transfer === "sent" || found.transfer === "simulated";
  return {
    settlementId,
    grossPence: found.grossPence,
    feePence: found.feePence,
    netPence: found.netPence,
    stages: [
      {
        stage: "agreed",
        pence: found.grossPence,
        at: iso(found.recordedAt),
        reached: true,
        note: found.state === "void" ? "void" : null,
      },
      {
        stage: "funded",
        pence: found.grossPence,
        at: iso(found.fundedAt),
        reached: funded,
        note: funded ? (gone > 0 ? lossNote(losses) : null) : found.funding,
      },
      {
        stage: "transferred",
        pence: found.netPence,
        at: iso(found.transferredAt),
        reached: sent && (intent?.reversedPence ?? 0) < found.netPence,
        note:
          intent && intent.reversedPence > 0 ? `${intent.reversedPence} pence reversed` : sent ? null : found.transfer,
      },
      {
        stage: "paid_out",
        pence: found.netPence,
        at: iso(found.paidOutAt),
        reached: found.payout === "paid",
        note: live ? (intent?.payoutFailure ?? (found.payout === "paid" ? null : found.payout)) : "never, in TEST",
      },
    ],
    holds,
    payments: payments.map(({ id, status, amountPence, createdAt, expiresAt, problem }) => ({
      paymentId: id,
      status,
      pence: amountPence,
      at: iso(createdAt),
      expiresAt: iso(expiresAt),
      problem,
    })),
    losses: losses.map(({ id, kind, amountPence, status, createdAt }) => ({
      id,
      kind,
      pence: amountPence,
      status,
      at: iso(createdAt),
    })),
    checkedAt: iso(payments.reduce<Date | null>((latest, { checkedAt }) => later(latest, checkedAt), null)),
  };
}

const later = (one: Date | null, other: Date | null) => (one && (!other || one > other) ? one : other);

function lossNote(losses: PaymentLoss[]): string {
  const kinds = new Set(losses.flatMap(({ booked, kind }) => (booked ? [kind] : [])));
  return [...kinds]
    .map((kind) => (kind === "refund" ? "refunded, in whole or in part" : "disputed by the payer's bank"))
    .join("; ");
}

export type HeldTransfer = {
  settlementId: string;
  taskId: string;
  requesterId: string;
  providerId: string;
  netPence: number;
  queuedAt: string;
  /** Asked for, without an answer yet. */
  sending: boolean;
  holds: Hold[];
};

/**
 * Transfers that are not sent yet, oldest first, each with what holds it; without holds it is about to be sent. `after` is the
 * settlement of the last one of the page before.
 */
export async function readOpenTransfers(limit = 200, after?: string): Promise<HeldTransfer[]> {
  const intents = await prisma().transferIntent.findMany({
    where: { state: { in: ["queued", "sending"] } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    ...(after ? { cursor: { settlementId: after }, skip: 1 } : {}),
    take: limit,
    include: { settlement: true },
  });
  const facts = await loadHoldFacts(intents.map(({ settlementId }) => settlementId));
  return intents.map(({ settlementId, settlement, amountPence, createdAt, state }) => {
    const known = facts.get(settlementId);
    return {
      settlementId,
      taskId: settlement.taskId,
      requesterId: settlement.requesterId,
      providerId: settlement.providerId,
      netPence: amountPence,
      queuedAt: iso(createdAt),
      sending: state === "sending",
      holds: known ? shownHolds(known) : [],
    };
  });
}

/** The webhook inbox, newest first. `before` is the ID of the last event of the page before. */
export async function readInbox({
  state,
  before,
  limit = 50,
}: {
  state?: StripeEvent["state"];
  before?: string;
  limit?: number;
} = {}): Promise<{ events: StripeEvent[]; nextBefore: string | null }> {
  const events = await prisma().stripeEvent.findMany({
    where: state ? { state } : {},
    orderBy: [{ receivedAt: "desc" }, { id: "desc" }],
    ...(before ? { cursor: { id: before }, skip: 1 } : {}),
    take: limit + 1,
  });
  const shown = events.slice(0, limit);
  return { events: shown, nextBefore: events.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** The last runs of the reconciliation, newest first. */
export function readReconciliations(limit = 20) {
  return prisma().reconciliation.findMany({ orderBy: { id: "desc" }, take: limit });
}

/** How a provider's payment account stood when Stripe was last asked. */
export async function readAccountReadiness(
  publicId: string,
): Promise<{ readiness: AccountStep[]; refreshedAt: string | null }> {
  const account = await prisma().paymentAccount.findUnique({ where: { identityId: publicId } });
  return { readiness: accountReadiness(publicId, account), refreshedAt: iso(account?.refreshedAt ?? null) };
}
