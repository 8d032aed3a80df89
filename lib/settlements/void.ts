import { audit } from "#lib/db/audit.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { enqueueClosing } from "#lib/payments/schedule.ts";
import { book } from "./ledger.ts";

/**
 * Voids the settlement of a cancelled task, if it has one, and its pending payments. Money that was taken is not sent back
 * by this: the books show it as due to the requester.
 */
export async function voidSettlement(tx: Tx, ctx: Context, taskId: string): Promise<void> {
  const now = ctx.clock.now();
  const recorded = await tx.settlement.findFirst({ where: { taskId, state: "recorded" } });
  if (!recorded) return;
  const settlement = await tx.settlement.update({
    where: { id: recorded.id, state: "recorded" },
    data: { state: "void", voidedAt: now },
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
  });
}
