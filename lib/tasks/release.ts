import type { ServiceContext } from "#lib/kernel/context.ts";
import { admit } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepTask, viewAfter } from "./change.ts";

/**
 * Releases a claimed task. It is open again, to its selected provider or to anyone.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export function releaseTask(ctx: ServiceContext, input: { task_id: string; reason?: string }) {
  return stepTask(input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "release");
    const changes = await advance(tx, ctx, task, "release", { set: { providerId: null }, reason: input.reason });
    return viewAfter(ctx, { ...task, ...changes, providerName: null, providerDomain: null });
  });
}
