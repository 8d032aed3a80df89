import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { gateTask, hasRole, stopOf, waitsFor } from "./actions.ts";
import { notBefore } from "./clocks.ts";
import { requireGates } from "./gates.ts";
import { effectiveState, STEPS, type StepName, type StepRole, type TaskState } from "./machine.ts";
import { outOfTurn } from "./out-of-turn.ts";
import type { TaskRow } from "./row.ts";
import { sightOf } from "./visibility.ts";

// The checks before a step, in the order in which they are reported: existence, role, state, gates.

type ServiceStep = Exclude<StepName, "annul" | "split" | "expire" | "lapse" | "auto_complete" | "end_rehearsal">;

const ONLY: Record<StepRole, string> = {
  requester: "Only the requester can do this.",
  provider: "Only the provider that claimed the task can do this.",
  party: "Only the requester and the provider that claimed the task can do this.",
  candidate: "Any identity can do this.",
  administrator: "Only an administrator can do this.",
  system: "Only the service itself does this.",
};

/** @throws ApiError not_found if there is no such task, or it is hidden from this caller: both get the same answer */
export function requireVisible(ctx: ServiceContext, task: TaskRow | undefined): TaskRow {
  if (!task || sightOf(task, ctx.actor, ctx.clock.now()) === "hidden") throw notFound();
  return task;
}

/** @throws ApiError forbidden */
export function requireRole(ctx: ServiceContext, task: TaskRow, role: StepRole): void {
  if (!hasRole(task, ctx.actor.id, role)) throw new ApiError("forbidden", ONLY[role]);
}

/** @throws ApiError task_expired, state_conflict */
export function requireState(ctx: ServiceContext, task: TaskRow, from: readonly TaskState[]): void {
  const state = effectiveState(task, ctx.clock.now());
  if (from.includes(state)) return;
  if (state === "expired") throw new ApiError("task_expired", `This task expired at ${task.expiresAt.toISOString()}.`);
  const problem = `This task is ${state}. This step needs a task that is ${from.join(" or ")}.`;
  throw outOfTurn(task, ctx.actor.id, ctx.clock.now(), problem);
}

/** @throws ApiError state_conflict if the contract is no longer proposed */
export function requireProposed(ctx: ServiceContext, task: TaskRow, contractState: string): void {
  if (contractState === "proposed") return;
  const now = ctx.clock.now();
  // A provider that has left the task since is told nothing of its state.
  const isParty = hasRole(task, ctx.actor.id, "party");
  const problem = `This contract is ${contractState}${isParty ? `, and its task is ${effectiveState(task, now)}` : ""}.`;
  throw outOfTurn(task, ctx.actor.id, now, problem);
}

/**
 * What a step that ends a task in the other party's place has to wait for. `available_actions` shows the same.
 * @throws ApiError state_conflict, with `not_before` if the step is possible later
 */
export function requireReady(ctx: ServiceContext, task: TaskRow, step: ServiceStep): void {
  const [obstacle] = waitsFor(task, step, ctx.clock.now());
  if (!obstacle) return;
  const at = notBefore(task, step);
  const isEarly = at !== undefined && at > ctx.clock.now();
  throw new ApiError(
    "state_conflict",
    `This task is ${task.state}. ${obstacle.remedy}`,
    isEarly ? { notBefore: at } : {},
  );
}

/**
 * The same for what stops the other party. What stops the caller is refused by its gates, which come before.
 * @throws ApiError state_conflict
 */
export function requireUnstopped(task: TaskRow, step: ServiceStep): void {
  const stop = stopOf(task, step);
  if (stop) throw stateConflict(`This task is ${task.state}. ${stop.remedy}`);
}

/** All four checks of an ordinary step. @param check what the step itself needs of the task, before the caller's gates */
export function admit(
  ctx: ServiceContext,
  found: TaskRow | undefined,
  step: ServiceStep,
  check?: (task: TaskRow) => void,
): TaskRow {
  const task = requireVisible(ctx, found);
  requireRole(ctx, task, STEPS[step].by);
  requireState(ctx, task, STEPS[step].from);
  check?.(task);
  requireGates(ctx.actor, step, gateTask(task));
  return task;
}
