import { audit } from "#lib/db/audit.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { moneyEvent, settlementEvent } from "./events.ts";
import { book } from "./ledger.ts";
import { enqueueTransfer } from "./schedule.ts";

/**
 * Approves the settlement of a task that has just been completed. In TEST the transfer is simulated at once: it is booked, and
 * no money moves. In LIVE it is queued in this transaction, and the worker sends it when nothing holds it.
 */
export async function approveSettlement(tx: Tx, ctx: Context, taskId: string): Promise<Settlement> {
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
    },
  });
  if (settlement.funding === "confirmed") {
    await book(tx, ctx, settlement, "approval");
    if (isTest) await book(tx, ctx, settlement, "transfer");
  }
  await audit(tx, ctx, {
    action: "approve",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { task_id: taskId },
    event: settlementEvent("settlement.approved", settlement),
  });
  return !isTest && settlement.funding === "confirmed" ? queueTransfer(tx, ctx, settlement) : settlement;
}

async function queueTransfer(tx: Tx, ctx: Context, settlement: Settlement): Promise<Settlement> {
  // Of a price of one penny, nothing is left for the provider.
  if (settlement.netPence === 0) return settlement;
  await tx.transferIntent.create({
    data: {
      id: newId("trf"),
      settlementId: settlement.id,
      providerId: settlement.providerId,
      amountPence: settlement.netPence,
      createdAt: ctx.clock.now(),
    },
  });
  await enqueueTransfer(tx, settlement.id);
  await audit(tx, ctx, {
    action: "queue_transfer",
    subjectKind: "settlement",
    subjectId: settlement.id,
    event: moneyEvent("transfer.queued", settlement, { amount_pence: settlement.netPence }),
  });
  return tx.settlement.update({ where: { id: settlement.id }, data: { transfer: "queued" } });
}
