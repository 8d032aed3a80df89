import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import { voidQueued, voidSettlement } from "#lib/settlements/void.ts";
import { advance } from "#lib/tasks/advance.ts";
import { effectiveState, STEPS, type TaskState } from "#lib/tasks/machine.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { disputeView } from "#lib/tasks/view.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";
import type { Resolution } from "./schema.ts";

type Input = { disputeId: string; resolution: Resolution; reason: string };

/**
 * Resolves a dispute: for the provider, completion may go on; for the requester, the settlement is void and the task ends
 * as cancelled, unless it has ended otherwise meanwhile; of a completed LIVE task whose transfer waits, the settlement alone
 * becomes void. Neither sends money back by itself.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (resolved already, or its transfer is under way)
 */
export function resolveDispute(ctx: AdminContext, { disputeId, resolution, reason }: Input) {
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, disputeId);
    const known = await tx.dispute.findUnique({ where: { id: disputeId }, select: { taskId: true } });
    if (!known) throw notFound();
    const task = await lockTask(tx, known.taskId);
    if (!task || task.disputeId !== disputeId) throw stateConflict("This dispute is resolved already.");
    const dispute = await tx.dispute.update({
      where: { id: disputeId, state: "open" },
      data: { state: "resolved", resolution, resolvedAt: ctx.clock.now() },
    });
    // Past its time it is expired to every reader, and stays that, whether or not the sweep has written it down.
    const state = effectiveState(task, ctx.clock.now());
    const hasEnded = !(STEPS.annul.from as readonly TaskState[]).includes(state);
    if (resolution === "requester" && !hasEnded) {
      await advance(tx, ctx, task, "annul", { reason, data: { dispute_id: disputeId } });
      await voidSettlement(tx, ctx, task.id);
    } else if (resolution === "requester") await voidQueued(tx, ctx, task.id);
    else await wakeTransfers(tx, task.id);
    await audit(tx, ctx, {
      action: "resolve",
      subjectKind: "dispute",
      subjectId: disputeId,
      reason,
      data: { resolution },
    });
    return { dispute: disputeView(dispute) };
  });
}
