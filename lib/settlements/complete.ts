import type { Tx } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { admit } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { changeTask, taskAfter } from "#lib/tasks/change.ts";
import { approveSettlement } from "./approve.ts";
import { loadHoldFacts } from "./hold-facts.ts";
import { settlementView } from "./view.ts";

/**
 * Completes a submitted task and approves its settlement. An open dispute blocks this.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export function completeTask(ctx: ServiceContext, input: { task_id: string }) {
  return changeTask(ctx, input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "complete", ({ disputeId }) => {
      if (disputeId)
        throw stateConflict("This task is submitted and has an open dispute. An administrator must resolve it first.");
    });
    await advance(tx, ctx, task, "complete");
    return completedAnswer(tx, ctx, task.id);
  });
}

/** Approves the settlement of a task that has just been completed by one of its parties, and shows both. */
export async function completedAnswer(tx: Tx, ctx: ServiceContext, taskId: string) {
  const settlement = await approveSettlement(tx, ctx, taskId);
  const queued = settlement.transfer === "queued" ? [settlement.id] : [];
  const holds = (await loadHoldFacts(queued, tx)).get(settlement.id);
  return { ...(await taskAfter(tx, ctx, taskId)), settlement: settlementView(settlement, holds) };
}
