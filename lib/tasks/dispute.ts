import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { changeStanding } from "#lib/identity/standing.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { gateTask, isDisputable } from "./actions.ts";
import { requireRole, requireState, requireVisible } from "./admit.ts";
import { requireGates } from "./gates.ts";
import { DISPUTABLE } from "./machine.ts";
import { lockTask } from "./row.ts";
import { disputeView } from "./view.ts";

/**
 * Records a dispute: a fact beside the task's state, which holds completion, or the transfer of a completed LIVE task, until
 * an administrator resolves it. It refunds nothing and expires no checkout.
 * @throws ApiError not_found, forbidden, state_conflict (no counterpart yet, ended, or one is open), gate_refused
 */
export function disputeTask(ctx: ServiceContext, input: { task_id: string; reason: string }) {
  return transaction(async (tx) => {
    // Before the task's own lock: who sends a transfer takes them in this order.
    await changeStanding(tx, input.task_id);
    const task = requireVisible(ctx, await lockTask(tx, input.task_id));
    requireRole(ctx, task, "party");
    if (!isDisputable(task, ctx.clock.now())) requireState(ctx, task, DISPUTABLE);
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
