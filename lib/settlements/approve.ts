import { audit } from "#lib/db/audit.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { moneyEvent, settlementEvent } from "./events.ts";
import { balancesOf, book, dealOf, readLedger } from "./ledger.ts";
import { enqueueTransfer } from "./schedule.ts";

/**
 * Approves the settlement of a task that has just been completed. In TEST the transfer is simulated at once: it is booked, and
 * no money moves. In LIVE it is queued in this transaction, and the worker sends it when nothing holds it.
 * @param awardedPence what a split awards the provider of the gross; undefined if the whole is divided
 */
export async function approveSettlement(
  tx: Tx,
  ctx: Context,
  taskId: string,
  awardedPence?: number,
): Promise<Settlement> {
  const now = ctx.clock.now();
  const recorded = await tx.settlement.findFirst({ where: { taskId, state: "recorded" } });
  if (!recorded) throw stateConflict("This task has no settlement to approve.");
  const isTest = recorded.paymentMode === "TEST";
  const settlement = await tx.settlement.update({
    where: { id: recorded.id, state: "recorded" },
    data: {
      state: "approved",
      approvedAt: now,
      ...(isTest ? { transfer: "simulated", transferredAt: now } : {}),
      ...(awardedPence === undefined ? {} : { awardedPence }),
    },
  });
  if (settlement.funding === "confirmed") {
    await book(tx, ctx, settlement, "approval");
    if (isTest) await book(tx, ctx, settlement, "transfer", { pence: await payableOf(tx, settlement) });
  }
  await audit(tx, ctx, {
    action: "approve",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { task_id: taskId },
    event: settlementEvent("settlement.approved", settlement),
  });
  if (isTest || settlement.funding !== "confirmed") return settlement;
  return awardedPence === undefined
    ? queueTransfer(tx, ctx, settlement, { pence: settlement.netPence, notBefore: afterDelay(now) })
    : queueTransfer(tx, ctx, settlement, {
        notBefore: afterDelay(now),
        pence: await payableOf(tx, settlement),
        // The rest is refunded by the same decision.
        allowedRefundPence: settlement.grossPence - awardedPence,
      });
}

/** What the ledger says is payable to the provider, in pence. */
async function payableOf(tx: Tx, settlement: Settlement): Promise<number> {
  const { moved } = await readLedger(tx, settlement.id);
  return 0 - balancesOf(dealOf(settlement), moved).provider_payable;
}

/** A stolen card or a bad provider shows within days, and after a transfer it is too late. Undefined without a delay. */
function afterDelay(now: Date): Date | undefined {
  const { liveTransferDelayDays: days } = env();
  return days > 0 ? secondsAfter(now, days * 86_400) : undefined;
}

type Order = { pence: number; notBefore?: Date | undefined; allowedRefundPence?: number; allowedDisputePence?: number };

/** Queues a transfer to the provider, in the transaction that decides on it. Nothing is queued if there is nothing to send. */
export async function queueTransfer(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  { pence, ...allowed }: Order,
): Promise<Settlement> {
  // Of a price of one penny, nothing is left for the provider.
  if (pence === 0) return settlement;
  await tx.transferIntent.create({
    data: {
      id: newId("trf"),
      settlementId: settlement.id,
      providerId: settlement.providerId,
      amountPence: pence,
      createdAt: ctx.clock.now(),
      ...allowed,
    },
  });
  await enqueueTransfer(tx, settlement.id);
  await audit(tx, ctx, {
    action: "queue_transfer",
    subjectKind: "settlement",
    subjectId: settlement.id,
    event: moneyEvent("transfer.queued", settlement, { amount_pence: pence }),
  });
  return tx.settlement.update({ where: { id: settlement.id }, data: { transfer: "queued" } });
}
