import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import type { TransferIntent } from "#lib/db/generated/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { liveGateway } from "../gateway/live.ts";
import type { Payout } from "../gateway/port.ts";

/** A bank can return a payout for days after it counted as paid, so `failed` comes after `paid`. */
const RANK: Record<Payout["status"], number> = { pending: 1, in_transit: 2, paid: 3, failed: 4, canceled: 4 };
const WIRE = { pending: "pending", in_transit: "pending", paid: "paid", failed: "failed", canceled: "failed" } as const;

/**
 * Reads a payout of a connected account and records it for the transfers that it pays out. A payout that includes an earlier,
 * returned payout counts for that one's transfers too.
 * @returns whether it pays out any of our transfers
 * @throws ProcessorError
 */
export async function readPayout(ctx: Context, accountId: string, payoutId: string): Promise<boolean> {
  const account = await prisma().paymentAccount.findUnique({ where: { stripeAccountId: accountId } });
  if (!account) return false;
  const gateway = await liveGateway();
  const payout = await gateway.readPayout(accountId, payoutId);
  if (!payout) return false;
  const contents = await gateway.readPayoutContents(accountId, payoutId);
  const concerned = await prisma().transferIntent.findMany({
    where: {
      stripeAccountId: accountId,
      OR: [
        { destinationPayment: { in: contents.payments } },
        { payoutId: { in: [payoutId, ...contents.returnedPayouts] } },
      ],
    },
    select: { id: true },
  });
  for (const { id } of concerned) await recordPayout(ctx, id, payout);
  if (concerned.length > 0 && WIRE[payout.status] === "failed") await readSuccessor(ctx, accountId, payout);
  return concerned.length > 0;
}

/** A payout that includes this returned one may have been read before it, when it seemed to be none of ours. */
async function readSuccessor(ctx: Context, accountId: string, { payoutId, createdAt }: Payout): Promise<void> {
  const gateway = await liveGateway();
  for (const later of await gateway.listPayouts(accountId, createdAt)) {
    if (later.payoutId === payoutId || later.createdAt < createdAt) continue;
    const { returnedPayouts } = await gateway.readPayoutContents(accountId, later.payoutId);
    if (returnedPayouts.includes(payoutId)) await readPayout(ctx, accountId, later.payoutId);
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
    await tx.settlement.update({
      where: { id: settlement.id },
      data: { payout: WIRE[payout.status], paidOutAt: payout.status === "paid" ? now : null },
    });
    await audit(tx, ctx, {
      action: `payout_${WIRE[payout.status]}`,
      subjectKind: "settlement",
      subjectId: settlement.id,
      reason: payout.failure,
      data: { stripe_payout: payout.payoutId, status: payout.status },
    });
  });
}
