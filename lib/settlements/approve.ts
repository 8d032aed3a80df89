import { audit } from "#lib/db/audit.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { queueTransfer } from "#lib/payments/queue-transfer.ts";
import { simulated } from "#lib/payments/simulated.ts";
import { book } from "./ledger.ts";

/**
 * Approves the settlement of a task that has just been completed. In TEST the transfer is simulated in the same moment:
 * booked, and called simulated everywhere. In LIVE it is queued, and sent by the worker when nothing holds it.
 */
export async function approveSettlement(tx: Tx, ctx: Context, taskId: string): Promise<Settlement> {
  const now = ctx.clock.now();
  const recorded = await tx.settlement.findFirst({ where: { taskId, state: "recorded" } });
  if (!recorded) throw stateConflict("This task has no settlement to approve.");
  const transfer =
    recorded.paymentMode === "TEST"
      ? await simulated.sendTransfer({
          transferId: recorded.id,
          attempt: 1,
          settlementId: recorded.id,
          contractId: recorded.contractId,
          providerId: recorded.providerId,
          amountPence: recorded.netPence,
          accountId: null,
          chargeId: null,
        })
      : undefined;
  const settlement = await tx.settlement.update({
    where: { id: recorded.id, state: "recorded" },
    data: {
      state: "approved",
      approvedAt: now,
      ...(transfer?.simulated ? { transfer: "simulated", transferredAt: now } : {}),
    },
  });
  if (settlement.funding === "confirmed") {
    await book(tx, ctx, settlement, "approval");
    if (transfer?.simulated) await book(tx, ctx, settlement, "transfer");
  }
  await audit(tx, ctx, {
    action: "approve",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { task_id: taskId },
  });
  return settlement.paymentMode === "LIVE" && settlement.funding === "confirmed"
    ? queueTransfer(tx, ctx, settlement)
    : settlement;
}
