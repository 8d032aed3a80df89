import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { moneyEvent } from "#lib/settlements/events.ts";
import { settlementView } from "#lib/settlements/view.ts";
import { lockTask } from "#lib/tasks/row.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";

/** What `TransferIntent.problem` says of a transfer that an administrator has cancelled. */
const CANCELLED = "cancelled";

/**
 * Ends a queued transfer that will never be sent: the settlement's transfer becomes `failed`. No money moves, and what the ledger
 * says is payable stays. Cancelling it again changes nothing.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (not queued, or being sent)
 */
export function cancelTransfer(ctx: AdminContext, { settlementId, reason }: { settlementId: string; reason: string }) {
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, settlementId);
    const known = await tx.settlement.findUnique({ where: { id: settlementId }, select: { taskId: true } });
    if (!known) throw notFound();
    await lockTask(tx, known.taskId);
    const where = { id: settlementId };
    const settlement = await tx.settlement.findUniqueOrThrow({ where, include: { transferIntent: true } });
    const { transferIntent: intent, transfer } = settlement;
    if (transfer === "failed") return { settlement: settlementView(settlement) };
    if (!intent || transfer !== "queued")
      throw stateConflict(`The transfer of this settlement is ${transfer}; only a queued one can be cancelled.`);
    if (intent.state !== "queued")
      throw stateConflict("The transfer is being sent and Stripe has not answered yet. Try again in a few minutes.");
    await tx.transferIntent.update({ where: { id: intent.id }, data: { state: "failed", problem: CANCELLED } });
    const ended = await tx.settlement.update({ where, data: { transfer: "failed" } });
    await audit(tx, ctx, {
      action: "cancel_transfer",
      subjectKind: "settlement",
      subjectId: settlementId,
      reason,
      data: { amount_pence: intent.amountPence },
      event: moneyEvent("transfer.failed", ended, { amount_pence: intent.amountPence }),
    });
    return { settlement: settlementView(ended) };
  });
}
