import { audit } from "#lib/db/audit.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { gateTask } from "./actions.ts";
import { requireRole, requireState, requireVisible } from "./admit.ts";
import { changeTask } from "./change.ts";
import { requireGates } from "./gates.ts";
import { DISPUTABLE } from "./machine.ts";
import { disputeView } from "./view.ts";

/**
 * Records a dispute: a fact beside the task's state, which holds completion until an administrator resolves it. It refunds
 * nothing and expires no checkout.
 * @throws ApiError not_found, forbidden, state_conflict (no counterpart yet, ended, or one is open), gate_refused
 */
export function disputeTask(ctx: ServiceContext, input: { task_id: string; reason: string }) {
  return changeTask(input.task_id, async (tx, found) => {
    const task = requireVisible(ctx, found);
    requireRole(ctx, task, "party");
    requireState(ctx, task, DISPUTABLE);
    if (task.disputeId) throw stateConflict(`A dispute about this task is open already: ${task.disputeId}.`);
    requireGates(ctx.actor, "dispute", gateTask(task));
    const dispute = await tx.dispute.create({
      data: {
        id: newId("dsp"),
        taskId: task.id,
        openedBy: ctx.actor.id,
        reason: input.reason,
        createdAt: ctx.clock.now(),
      },
    });
    await audit(tx, ctx, {
      action: "dispute",
      subjectKind: "task",
      subjectId: task.id,
      reason: input.reason,
      data: { dispute_id: dispute.id },
    });
    return { dispute: disputeView(dispute) };
  });
}
