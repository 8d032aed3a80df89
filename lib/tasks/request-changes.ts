import type { ServiceContext } from "#lib/kernel/context.ts";
import { admit } from "./admit.ts";
import { advance } from "./advance.ts";
import { changeTask, taskAfter } from "./change.ts";

/**
 * Sends a submitted result back to its provider with a reason.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export function requestChanges(ctx: ServiceContext, input: { task_id: string; reason: string }) {
  return changeTask(input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "request_changes");
    await advance(tx, ctx, task, "request_changes", {
      set: { changesReason: input.reason, reviewEndsAt: null },
      reason: input.reason,
    });
    return taskAfter(tx, ctx, task.id);
  });
}
