import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireRole, requireVisible } from "#lib/tasks/admit.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import type { TaskRow } from "#lib/tasks/row.ts";

/** The checks before funding, in the order in which a caller is told. @throws ApiError */
export function admitFunding(ctx: ServiceContext, found: TaskRow | undefined, contractId: string): TaskRow {
  const task = requireVisible(ctx, found);
  requireRole(ctx, task, "requester");
  requireFundable(task, contractId);
  requireGates(ctx.actor, "fund", gateTask(task));
  return task;
}

/** @throws ApiError state_conflict if the agreement is not accepted, free, or already funded */
export function requireFundable(task: TaskRow, contractId: string): void {
  if (task.contractId !== contractId || task.state !== "accepted") {
    throw stateConflict("Only an accepted agreement can be funded, before work starts.");
  }
  if (task.amountPence === 0) throw stateConflict("This agreement is free, so it needs no funding.");
  if (task.funding === "confirmed") throw new ApiError("state_conflict", "This agreement is already funded.");
}
