import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { lockStatus } from "#lib/identity/status-lock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { gateTask, isDisputable } from "../actions.ts";
import { requireRole, requireState, requireVisible } from "../admit.ts";
import { sharedReason, taskEvent } from "../events.ts";
import { requireGates } from "../gates.ts";
import { lockCurrentTask } from "../lapse.ts";
import { DISPUTABLE } from "../machine.ts";
import { outOfTurn } from "../out-of-turn.ts";
import { disputeView } from "../view.ts";

/**
 * Opens a dispute. The task keeps its state, but it cannot be completed, or its transfer sent if it is a completed LIVE task,
 * until an administrator resolves the dispute. A dispute refunds nothing and expires no checkout.
 * @throws ApiError not_found, forbidden, state_conflict (no provider yet, ended, or already disputed), gate_refused
 */
export function disputeTask(ctx: ServiceContext, input: { task_id: string; reason: string }) {
  return transaction(async (tx) => {
    // Before the task's own lock, because sending a transfer takes the two in this order.
    await lockStatus(tx, input.task_id);
    const task = requireVisible(ctx, await lockCurrentTask(tx, ctx, input.task_id));
    requireRole(ctx, task, "party");
    if (task.rehearsal)
      throw stateConflict("A rehearsal cannot be disputed: it ends within 15 minutes, and counts nowhere.");
    if (!isDisputable(task, ctx.clock.now())) requireState(ctx, task, DISPUTABLE);
    if (task.disputeId) {
      const problem = `This task is ${task.state} and already has an open dispute: ${task.disputeId}.`;
      throw outOfTurn(task, ctx.actor.id, ctx.clock.now(), problem);
    }
    requireGates(ctx.actor, "dispute", gateTask(task));
    const dispute = await tx.dispute.create({
      data: {
        id: newId("dsp"),
        taskId: task.id,
        openedBy: ctx.actor.id,
        providerId: task.providerId,
        reason: input.reason,
        createdAt: ctx.clock.now(),
      },
      include: { statements: true },
    });
    await audit(tx, ctx, {
      action: "dispute",
      subjectKind: "task",
      subjectId: task.id,
      reason: input.reason,
      data: { dispute_id: dispute.id },
      event: taskEvent(
        "dispute.opened",
        task,
        {
          dispute_id: dispute.id,
          opened_by: ctx.actor.id,
          ...sharedReason(task, input.reason),
        },
        { facts: { dispute_id: dispute.id, resolution: null } },
      ),
    });
    return { dispute: disputeView(dispute) };
  });
}
