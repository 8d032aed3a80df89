import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { admit, requireReady } from "./admit.ts";
import { stepTask, taskAfter } from "./change.ts";
import { endClaim } from "./claim-end.ts";

/** Each is kept with the task, so that it cannot claim it again. */
const MOST_DISMISSED = 50;

/**
 * Dismisses the provider that claimed the task, which is open again. That provider cannot claim it again, and is no longer selected.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused, quota_exceeded
 */
export function dismissProvider(ctx: ServiceContext, input: { task_id: string; reason?: string }) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "dismiss");
    requireReady(ctx, task, "dismiss");
    if (task.dismissedIds.length >= MOST_DISMISSED)
      throw new ApiError(
        "quota_exceeded",
        `You have dismissed ${MOST_DISMISSED} providers from this task. Wait until the claim lapses, or cancel the task.`,
        { reason: "dismissals" },
      );
    const set = { selectedProviderId: null, dismissedIds: [...task.dismissedIds, task.providerId as string] };
    await endClaim(tx, ctx, task, "dismiss", { set, reason: input.reason });
    return taskAfter(tx, ctx, task.id);
  });
}
