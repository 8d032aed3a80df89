import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { fundingRemedy, needsFunding } from "./actions.ts";
import { admit } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepTask, viewAfter } from "./change.ts";

/**
 * Starts work on an accepted agreement. A paid one must be funded in its own mode.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused, funding_required
 */
export function startTask(ctx: ServiceContext, input: { task_id: string }) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "start");
    if (needsFunding(task)) {
      throw new ApiError(
        "funding_required",
        `This agreement is not funded in ${task.paymentMode} yet. ${fundingRemedy(task)}`,
      );
    }
    if (task.moneyLost) {
      throw new ApiError(
        "funding_required",
        "The payment for this agreement was refunded or is disputed by the payer's bank.",
      );
    }
    const changes = await advance(tx, ctx, task, "start");
    return viewAfter(ctx, { ...task, ...changes });
  });
}
