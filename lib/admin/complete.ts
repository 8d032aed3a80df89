import { transaction } from "#lib/db/tx.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { approveSettlement } from "#lib/settlements/approve.ts";
import { settlementView } from "#lib/settlements/view.ts";
import { advance } from "#lib/tasks/advance.ts";
import { lockTask } from "#lib/tasks/row.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";

/**
 * Completes a submitted task in the requester's place and approves its settlement. The audit trail records it as the administrator's.
 * Completing a task that an administrator has completed changes nothing.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (not submitted, or an open dispute)
 */
export function completeFor(ctx: AdminContext, { taskId, reason }: { taskId: string; reason: string }) {
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, taskId);
    const task = await lockTask(tx, taskId);
    if (!task) throw notFound();
    const earlier = await tx.auditEvent.findFirst({
      where: { subjectKind: "task", subjectId: taskId, action: "complete", actorKind: "administrator" },
    });
    if (!earlier) {
      if (task.disputeId)
        throw stateConflict(`This task has an open dispute. Resolve it with --complete instead: ${task.disputeId}.`);
      await advance(tx, ctx, task, "complete", { reason });
      await approveSettlement(tx, ctx, taskId);
    }
    const settlement = await tx.settlement.findFirstOrThrow({ where: { taskId }, orderBy: { seq: "desc" } });
    return { task_id: taskId, state: "completed" as const, settlement: settlementView(settlement) };
  });
}
