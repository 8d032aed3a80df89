import type { ServiceContext } from "#lib/kernel/context.ts";
import { admit, requireReady, requireUnstopped } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { changeTask, taskAfter } from "#lib/tasks/change.ts";
import { enqueueFinish, leftInWords } from "#lib/tasks/order/finish-job.ts";
import { voidAndReturn } from "./void.ts";

type Input = { task_id: string; reason?: string };

/**
 * Ends agreed work that is overdue, for the requester.
 * @throws ApiError not_found, forbidden, state_conflict (with `not_before` if it is too early), gate_refused
 */
export const leaveTask = (ctx: ServiceContext, input: Input) => endWork(ctx, input, "leave");

/**
 * Ends agreed work that the provider will not finish.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export const giveUpTask = (ctx: ServiceContext, input: Input) => endWork(ctx, input, "give_up");

/** Ends work before its submission: the task is cancelled, its settlement void, and what was paid is refunded. */
function endWork(ctx: ServiceContext, input: Input, step: "leave" | "give_up") {
  return changeTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, step, (agreed) => requireReady(ctx, agreed, step));
    requireUnstopped(task, step);
    await advance(tx, ctx, task, step, { reason: input.reason });
    await voidAndReturn(tx, ctx, task.id);
    const left = leftInWords("gave the task up", input.reason);
    if (task.rehearsal && step === "give_up") await enqueueFinish(tx, task.clientRequestId, { left });
    return taskAfter(tx, ctx, task.id);
  });
}
