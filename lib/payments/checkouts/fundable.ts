import type { ServiceContext } from "#lib/kernel/context.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireRole, requireVisible } from "#lib/tasks/admit.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import { effectiveState } from "#lib/tasks/machine.ts";
import { outOfTurn } from "#lib/tasks/out-of-turn.ts";
import type { TaskRow } from "#lib/tasks/row.ts";

/** The checks before funding, in the order in which a caller is told. @throws ApiError */
export function admitFunding(ctx: ServiceContext, found: TaskRow | undefined, contractId: string): TaskRow {
  const task = requireVisible(ctx, found);
  requireRole(ctx, task, "requester");
  requireFundable(ctx, task, contractId);
  requireGates(ctx.actor, "fund", gateTask(task));
  return task;
}

/** @throws ApiError state_conflict if the agreement is not accepted, free, or already funded */
export function requireFundable(ctx: ServiceContext, task: TaskRow, contractId: string): void {
  const problem = obstacleTo(task, contractId, ctx.clock.now());
  if (problem) throw outOfTurn(task, ctx.actor.id, ctx.clock.now(), problem);
}

function obstacleTo(task: TaskRow, contractId: string, now: Date): string | undefined {
  if (task.contractId !== contractId || task.state !== "accepted")
    return `This task is ${effectiveState(task, now)}. Only an accepted agreement can be funded, before work starts.`;
  if (task.amountPence === 0) return "This task is accepted and its agreement is free, so it needs no funding.";
  return task.funding === "confirmed" ? "This task is accepted and its agreement is already funded." : undefined;
}
