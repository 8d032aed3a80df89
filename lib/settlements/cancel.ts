import type { ServiceContext } from "#lib/kernel/context.ts";
import { admit } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { changeTask, taskAfter } from "#lib/tasks/change.ts";
import { outOfTurn } from "#lib/tasks/out-of-turn.ts";
import { tellNotChosen } from "#lib/tasks/quotes/events.ts";
import { voidSettlement } from "./void.ts";

const PAID =
  "This task is accepted and its payment is confirmed, so you can no longer cancel it. Open a dispute if the work is not done.";

/**
 * Cancels a task before work starts, unless its payment is already confirmed. Voids the settlement and cancels its pending
 * payments.
 * @throws ApiError not_found, forbidden, state_conflict, task_expired, gate_refused
 */
export function cancelTask(ctx: ServiceContext, input: { task_id: string; reason?: string }) {
  return changeTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "cancel", (accepted) => {
      if (accepted.funding === "confirmed") throw outOfTurn(accepted, ctx.actor.id, ctx.clock.now(), PAID);
    });
    await advance(tx, ctx, task, "cancel", { reason: input.reason });
    if (task.state === "open") await tellNotChosen(tx, ctx, task, "quote.passed_over");
    await voidSettlement(tx, ctx, task.id);
    return taskAfter(tx, ctx, task.id);
  });
}
