import type { ServiceContext } from "#lib/kernel/context.ts";
import { admit } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepTask, viewAfter } from "./change.ts";

/**
 * Sends a submitted result back to its provider with a reason.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export function requestChanges(ctx: ServiceContext, input: { task_id: string; reason: string }) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "request_changes");
    const changes = await advance(tx, ctx, task, "request_changes", {
      set: { changesReason: input.reason, reviewEndsAt: null },
      reason: input.reason,
    });
    return viewAfter(ctx, { ...task, ...changes });
  });
}
