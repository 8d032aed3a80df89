import type { ServiceContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { admit, requireReady, requireUnstopped } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { changeTask } from "#lib/tasks/change.ts";
import { completedAnswer } from "./complete.ts";

/**
 * Completes a task that the requester has left unreviewed for a long time. What stops the end of a review period stops this too.
 * @throws ApiError not_found, forbidden, state_conflict (with `not_before` if it is too early), gate_refused
 */
export function concludeTask(ctx: ServiceContext, input: { task_id: string }) {
  return changeTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "conclude", (submitted) => {
      if (submitted.reviewEndsAt)
        throw stateConflict(
          `This task has a review period. The service completes it at ${submitted.reviewEndsAt.toISOString()}, unless the requester acts before.`,
        );
      requireReady(ctx, submitted, "conclude");
    });
    requireUnstopped(task, "conclude");
    await advance(tx, ctx, task, "conclude");
    return completedAnswer(tx, ctx, task.id);
  });
}
