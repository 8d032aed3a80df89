import type { Tx } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { gateTask } from "./actions.ts";
import { requireState, requireVisible } from "./admit.ts";
import { advance } from "./advance.ts";
import { changeTask, taskAfter } from "./change.ts";
import { requireGates } from "./gates.ts";
import { STEPS } from "./machine.ts";
import type { TaskRow } from "./row.ts";
import { mayClaimUnseen } from "./visibility.ts";

/** How often a provider can claim the same task. Each claim and release is kept for good in the task's history and evidence. */
const MOST_CLAIMS = 20;

/**
 * Claims an open task. Of many simultaneous claims, one succeeds.
 * @throws ApiError not_found, task_expired, state_conflict, gate_refused, quota_exceeded
 */
export function claimTask(ctx: ServiceContext, input: { task_id: string }) {
  return changeTask(input.task_id, async (tx, found) => {
    const task = found && mayClaimUnseen(found, ctx.actor, ctx.clock.now()) ? found : requireVisible(ctx, found);
    requireState(ctx, task, STEPS.claim.from);
    requireGates(ctx.actor, "claim", gateTask(task));
    await requireClaimsLeft(tx, ctx, task);
    await advance(tx, ctx, task, "claim", { set: { providerId: ctx.actor.id } });
    return taskAfter(tx, ctx, task.id);
  });
}

async function requireClaimsLeft(tx: Tx, { actor }: ServiceContext, task: TaskRow): Promise<void> {
  // Every step changes this time, so a task that still has its first one was never claimed: the usual claim costs no query.
  if (task.updatedAt.getTime() === task.createdAt.getTime()) return;
  const claims = await tx.auditEvent.count({ where: { subjectId: task.id, action: "claim", actorId: actor.id } });
  if (claims < MOST_CLAIMS) return;
  throw new ApiError(
    "quota_exceeded",
    `You have claimed and released this task ${MOST_CLAIMS} times. You can't claim it again.`,
  );
}
