import { audit } from "#lib/db/audit.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { returnPayment } from "./acts/return-payment.ts";
import { settlementEvent } from "./events.ts";
import { book } from "./ledger.ts";
import { enqueueClosing } from "./schedule.ts";
import { endTransfer } from "./transfers.ts";

/**
 * Voids the settlement of a cancelled task, if it has one, and cancels its pending payments. This refunds nothing: money that was
 * taken is booked as due to the requester.
 * @param returnsPayment whether a payment that arrives too late is refunded without a decision
 */
export async function voidSettlement(
  tx: Tx,
  ctx: Context,
  taskId: string,
  returnsPayment = false,
): Promise<Settlement | undefined> {
  const now = ctx.clock.now();
  const recorded = await tx.settlement.findFirst({ where: { taskId, state: "recorded" } });
  if (!recorded) return undefined;
  const settlement = await tx.settlement.update({
    where: { id: recorded.id, state: "recorded" },
    data: {
      state: "void",
      voidedAt: now,
      returnsPayment,
      ...(recorded.funding === "pending" ? { funding: "required" } : {}),
    },
  });
  const pending = { contractId: settlement.contractId, status: "pending" } as const;
  const isLive = settlement.paymentMode === "LIVE";
  const checkouts = isLive ? await tx.payment.findMany({ where: pending, select: { id: true } }) : [];
  await tx.payment.updateMany({ where: pending, data: { status: "canceled", settledAt: now } });
  for (const { id } of checkouts) await enqueueClosing(tx, id);
  if (settlement.funding === "confirmed") await book(tx, ctx, settlement, "void");
  await audit(tx, ctx, {
    action: "void",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { task_id: taskId },
    event: settlementEvent("settlement.void", settlement),
  });
  return settlement;
}

/**
 * The same for a task that a party left or gave up after the agreement: what was paid is refunded in full, and so is a payment that
 * arrives too late.
 */
export async function voidAndReturn(tx: Tx, ctx: Context, taskId: string): Promise<void> {
  const settlement = await voidSettlement(tx, ctx, taskId, true);
  if (settlement) await returnPayment(tx, ctx, settlement);
}

/**
 * Voids the approved settlement of a completed LIVE task whose transfer is still queued: nothing will be transferred, and the
 * money is booked as due to the requester. The caller holds the task's lock.
 * @throws ApiError state_conflict while it is unknown whether the transfer was sent
 */
export async function voidQueued(tx: Tx, ctx: Context, taskId: string): Promise<void> {
  const now = ctx.clock.now();
  const queued = { taskId, state: "approved", transfer: "queued" } as const;
  const settlement = await tx.settlement.findFirst({ where: queued });
  if (!settlement) return;
  await endTransfer(tx, ctx, settlement, { problem: "void", action: "end_transfer" });
  const voided = await tx.settlement.update({
    where: { id: settlement.id },
    data: { state: "void", transfer: "none", voidedAt: now },
  });
  await book(tx, ctx, voided, "void");
  await audit(tx, ctx, {
    action: "void",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { task_id: taskId },
    event: settlementEvent("settlement.void", voided),
  });
}
