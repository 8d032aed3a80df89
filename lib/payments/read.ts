import { prisma } from "#lib/db/client.ts";
import type { Payment, StripeEvent } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { AgePlace } from "#lib/kernel/cursor.ts";
import { loadHoldFacts } from "#lib/settlements/hold-facts.ts";
import { type Hold, shownHolds } from "#lib/settlements/holds.ts";
import { shortfallOf } from "./reconciliation/solvency.ts";

// What pages show of LIVE. Nothing here calls Stripe: these are our records.

/** A LIVE payment, and whether its settlement is void, for the page to which a payer returns; undefined if there is none. */
export async function findPayment(paymentId: string): Promise<(Payment & { isVoid: boolean }) | undefined> {
  const payment = await prisma().payment.findUnique({
    where: { id: paymentId },
    include: { contract: { select: { settlement: { select: { state: true } } } } },
  });
  if (payment?.paymentMode !== "LIVE") return undefined;
  const { contract, ...rest } = payment;
  return { ...rest, isVoid: contract.settlement?.state === "void" };
}

export type HeldTransfer = {
  place: AgePlace;
  settlementId: string;
  title: string;
  requesterId: string;
  requesterName: string;
  providerId: string;
  providerName: string;
  netPence: number;
  queuedAt: string;
  /** Stripe has been called and has not answered yet. */
  sending: boolean;
  holds: Hold[];
};

/**
 * Transfers that are not sent yet, oldest first, each with its holds; one without holds is about to be sent.
 * @param after the place of the last transfer on the previous page
 */
export async function readOpenTransfers(limit = 200, after?: AgePlace): Promise<HeldTransfer[]> {
  const intents = await prisma().transferIntent.findMany({
    where: {
      state: { in: ["queued", "sending"] },
      ...(after ? { OR: [{ createdAt: { gt: after.at } }, { createdAt: after.at, id: { gt: after.id } }] } : {}),
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: limit,
    include: { settlement: { select: { requesterId: true, task: { select: { title: true } } } } },
  });
  const parties = intents.flatMap(({ providerId, settlement }) => [providerId, settlement.requesterId]);
  const [facts, named] = await Promise.all([
    loadHoldFacts(intents.map(({ settlementId }) => settlementId)),
    prisma().identity.findMany({ where: { id: { in: parties } }, select: { id: true, name: true } }),
  ]);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return intents.map(({ id, settlementId, settlement, providerId, amountPence, createdAt, state }) => {
    const known = facts.get(settlementId);
    return {
      place: { at: createdAt, id },
      settlementId,
      title: settlement.task.title,
      requesterId: settlement.requesterId,
      requesterName: names.get(settlement.requesterId) ?? settlement.requesterId,
      providerId,
      providerName: names.get(providerId) ?? providerId,
      netPence: amountPence,
      queuedAt: iso(createdAt),
      sending: state === "sending",
      holds: known ? shownHolds(known) : [],
    };
  });
}

/** The delivered Stripe events, newest first. `before` is the ID of the last event on the previous page. */
export async function listStripeEvents({
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

/** One delivered Stripe event; null if there is none with this ID. */
export function findStripeEvent(eventId: string): Promise<StripeEvent | null> {
  return prisma().stripeEvent.findUnique({ where: { id: eventId } });
}

/** The last runs of the reconciliation, newest first. */
export function readReconciliations(limit = 20) {
  return prisma().reconciliation.findMany({ orderBy: { id: "desc" }, take: limit });
}

export type LatestSolvency = {
  availablePence: number;
  pendingPence: number;
  owedPence: number;
  shortfallPence: number;
  at: string;
};

/** The platform's balance at Stripe and what was owed out of it, at the last reconciliation that read both. */
export async function readLatestSolvency(): Promise<LatestSolvency | undefined> {
  const run = await prisma().reconciliation.findFirst({
    where: { owedPence: { not: null } },
    orderBy: { id: "desc" },
  });
  if (!run) return undefined;
  const [availablePence, pendingPence, owedPence] = [run.availablePence, run.pendingPence, run.owedPence].map(Number);
  const figures = { availablePence: availablePence ?? 0, pendingPence: pendingPence ?? 0, owedPence: owedPence ?? 0 };
  return { ...figures, shortfallPence: shortfallOf(figures), at: iso(run.startedAt) };
}
