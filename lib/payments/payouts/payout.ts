import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import type { StripePayout, TransferIntent } from "#lib/db/generated/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { moneyEvent } from "#lib/settlements/events.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { liveGateway } from "../gateway/live.ts";
import type { Payout } from "../gateway/port.ts";

/** A bank can return a payout for days after it counted as paid, so `failed` comes after `paid`. */
const RANK: Record<Payout["status"], number> = { pending: 1, in_transit: 2, paid: 3, failed: 4, canceled: 4 };
const WIRE = { pending: "pending", in_transit: "pending", paid: "paid", failed: "failed", canceled: "failed" } as const;

/** Only what Stripe says is recorded. `since` is when it was asked. */
type Read = { account: string; payout: Payout; since: Date };

/**
 * Reads a payout of a connected account and records it for the transfers that it pays out. A payout that includes an earlier,
 * returned payout counts for that one's transfers too.
 * @param news when we heard that it has changed; a payout that was read later is not read again
 * @returns whether it pays out any of our transfers
 * @throws ProcessorError
 */
export async function readPayout(ctx: Context, accountId: string, payoutId: string, news?: Date): Promise<boolean> {
  const account = await prisma().paymentAccount.findUnique({ where: { stripeAccountId: accountId } });
  if (!account) return false;
  const known = await prisma().stripePayout.findUnique({ where: { id: payoutId } });
  if (known && news && known.readAt > news) return (await concernedBy(known)).length > 0;
  const since = ctx.clock.now();
  const payout = await (await liveGateway()).readPayout(accountId, payoutId);
  return payout ? recordRead(ctx, { account: accountId, payout, since }) : false;
}

/**
 * Reads the payouts of a connected account since `from`, oldest first.
 * @throws ProcessorError
 */
export async function readPayouts(ctx: Context, account: string, from: Date): Promise<void> {
  const since = ctx.clock.now();
  const listed = await (await liveGateway()).listPayouts(account, from);
  for (const payout of listed.reverse()) await recordRead(ctx, { account, payout, since });
}

async function recordRead(ctx: Context, read: Read): Promise<boolean> {
  const { account, payout } = read;
  const kept = await keep(read);
  if (!payout.attributable && WIRE[payout.status] !== "failed") await noteUnattributed(account, payout);
  const concerned = await concernedBy(kept);
  for (const { id } of concerned) await recordPayout(ctx, id, payout);
  if (concerned.length > 0 && WIRE[payout.status] === "failed") await readSuccessor(ctx, account, payout);
  return concerned.length > 0;
}

/** Stripe's times are whole seconds, and its clock and ours may differ. */
const CLOCK_SECONDS = 60;
const NOTHING_KNOWN = { payments: [], returnedPayouts: [] };

/** Any of the transfers before this payout may have been paid out by it: Stripe does not say which. */
async function noteUnattributed(stripeAccountId: string, { createdAt }: Payout): Promise<void> {
  await prisma().settlement.updateMany({
    where: {
      payout: "unknown",
      payoutUnattributed: false,
      transferIntents: {
        some: { stripeAccountId, sentAt: { lte: secondsAfter(createdAt, CLOCK_SECONDS) }, payoutId: null },
      },
    },
    data: { payoutUnattributed: true },
  });
}

/** Records a payout with what it consists of, which is read only until Stripe has put it together. */
async function keep({ account, payout, since }: Read): Promise<StripePayout> {
  const { payoutId: id, status, createdAt } = payout;
  const known = await prisma().stripePayout.findUnique({ where: { id } });
  const { payments, returnedPayouts } = known?.complete
    ? known
    : payout.attributable
      ? await (await liveGateway()).readPayoutContents(account, id)
      : NOTHING_KNOWN;
  const complete = known?.complete || payout.complete;
  const data = {
    stripeAccountId: account,
    status,
    failure: payout.failure,
    payments,
    returnedPayouts,
    complete,
    createdAt,
    readAt: since,
  };
  return prisma().stripePayout.upsert({ where: { id }, create: { id, ...data }, update: data });
}

/** The transfers that a payout pays out. */
function concernedBy(payout: StripePayout): Promise<{ id: string }[]> {
  return prisma().transferIntent.findMany({
    where: {
      stripeAccountId: payout.stripeAccountId,
      OR: [
        { destinationPayment: { in: payout.payments } },
        { payoutId: { in: [payout.id, ...payout.returnedPayouts] } },
      ],
    },
    select: { id: true },
  });
}

/** A payout that includes this returned one may have been read before it, when it seemed to be none of ours. */
async function readSuccessor(ctx: Context, account: string, { payoutId, createdAt }: Payout): Promise<void> {
  const since = ctx.clock.now();
  for (const payout of await (await liveGateway()).listPayouts(account, createdAt)) {
    if (payout.payoutId === payoutId || payout.createdAt < createdAt) continue;
    const { returnedPayouts } = await keep({ account, payout, since });
    if (returnedPayouts.includes(payoutId)) await recordRead(ctx, { account, payout, since });
  }
}

function isNews(intent: TransferIntent, payout: Payout): boolean {
  if (!intent.payoutId || !intent.payoutAt) return true;
  const rank = RANK[intent.payoutStatus as Payout["status"]];
  if (intent.payoutId === payout.payoutId) return RANK[payout.status] > rank;
  return payout.createdAt > intent.payoutAt || (rank === RANK.failed && payout.createdAt >= intent.payoutAt);
}

function recordPayout(ctx: Context, intentId: string, payout: Payout): Promise<void> {
  return transaction(async (tx) => {
    const where = { id: intentId };
    const { settlement } = await tx.transferIntent.findUniqueOrThrow({ where, include: { settlement: true } });
    await lockTask(tx, settlement.taskId);
    const intent = await tx.transferIntent.findUniqueOrThrow({ where });
    const now = ctx.clock.now();
    await tx.transferIntent.update({ where, data: { checkedAt: now } });
    if (!isNews(intent, payout)) return;
    await tx.transferIntent.update({
      where,
      data: {
        payoutId: payout.payoutId,
        payoutStatus: payout.status,
        payoutFailure: payout.failure,
        payoutAt: payout.createdAt,
      },
    });
    const newer = { settlementId: settlement.id, sentAt: { gt: intent.sentAt ?? now } };
    // The settlement shows the payout of its newest transfer.
    if ((await tx.transferIntent.count({ where: newer })) > 0) return;
    await tx.settlement.update({
      where: { id: settlement.id },
      data: {
        payout: WIRE[payout.status],
        payoutUnattributed: false,
        paidOutAt: payout.status === "paid" ? now : null,
      },
    });
    const state = WIRE[payout.status];
    const amount = { amount_pence: intent.amountPence - intent.reversedPence };
    await audit(tx, ctx, {
      action: `payout_${state}`,
      subjectKind: "settlement",
      subjectId: settlement.id,
      reason: payout.failure,
      data: { stripe_payout: payout.payoutId, status: payout.status },
      event:
        state === "pending"
          ? undefined
          : moneyEvent(
              `payout.${state}`,
              settlement,
              { ...amount, ...(payout.failure ? { reason: payout.failure } : {}) },
              amount,
            ),
    });
  });
}
