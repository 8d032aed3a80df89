import type { ServiceContext } from "#lib/kernel/context.ts";
import { gateTask } from "./actions.ts";
import { requireState, requireVisible } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepTask, viewAfter } from "./change.ts";
import { requireGates } from "./gates.ts";
import { STEPS } from "./machine.ts";
import { mayClaimUnseen } from "./visibility.ts";

/**
 * Claims an open task. Of many simultaneous claims, one succeeds.
 * @throws ApiError not_found, task_expired, state_conflict, gate_refused
 */
export function claimTask(ctx: ServiceContext, input: { task_id: string }) {
  return stepTask(input.task_id, async (tx, found) => {
    const task = found && mayClaimUnseen(found, ctx.actor, ctx.clock.now()) ? found : requireVisible(ctx, found);
    requireState(ctx, task, STEPS.claim.from);
    requireGates(ctx.actor, "claim", gateTask(task));
    const changes = await advance(tx, ctx, task, "claim", { set: { providerId: ctx.actor.id } });
    return viewAfter(ctx, {
      ...task,
      ...changes,
      providerName: ctx.actor.name,
      providerDomain: ctx.actor.domainStatus,
    });
  });
}
