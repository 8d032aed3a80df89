import type { ServiceContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireReady, requireRole, requireState, requireUnstopped, requireVisible } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { changeTask } from "#lib/tasks/change.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import { STEPS } from "#lib/tasks/machine.ts";
import { completedAnswer } from "./complete.ts";

/**
 * Completes a task that the requester has left unreviewed for a long time. What stops the end of a review period stops this too.
 * @throws ApiError not_found, forbidden, state_conflict (with `not_before` if it is too early), gate_refused
 */
export function concludeTask(ctx: ServiceContext, input: { task_id: string }) {
  return changeTask(ctx, input.task_id, async (tx, found) => {
    const task = requireVisible(ctx, found);
    requireRole(ctx, task, STEPS.conclude.by);
    requireState(ctx, task, STEPS.conclude.from);
    if (task.reviewEndsAt)
      throw stateConflict(
        `This task has a review period. The service completes it at ${task.reviewEndsAt.toISOString()}, unless the requester acts before.`,
      );
    requireReady(ctx, task, "conclude");
    requireGates(ctx.actor, "conclude", gateTask(task));
    requireUnstopped(task, "conclude");
    await advance(tx, ctx, task, "conclude");
    return completedAnswer(tx, ctx, task.id);
  });
}
