import type { ServiceContext } from "#lib/kernel/context.ts";
import { admit } from "./admit.ts";
import { stepTask, viewAfter } from "./change.ts";
import { endClaim } from "./claim-end.ts";
import { enqueueFinish, leftInWords } from "./order/finish-job.ts";

/**
 * Releases a claimed task. It is open again, to its selected provider or to anyone.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export function releaseTask(ctx: ServiceContext, input: { task_id: string; reason?: string }) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "release");
    const after = await endClaim(tx, ctx, task, "release", { reason: input.reason });
    const left = leftInWords("released the task", input.reason);
    if (task.rehearsal) await enqueueFinish(tx, task.clientRequestId, { left });
    return viewAfter(ctx, after);
  });
}
