import { integer } from "#lib/db/columns.ts";
import type { Connection } from "#lib/db/connection.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { gateTask } from "./actions.ts";
import { requireState, requireVisible } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepUnlocked, viewAfter } from "./change.ts";
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
  return stepUnlocked(input.task_id, async (connection, found) => {
    const task = found && mayClaimUnseen(found, ctx.actor, ctx.clock.now()) ? found : requireVisible(ctx, found);
    requireState(ctx, task, STEPS.claim.from);
    requireGates(ctx.actor, "claim", gateTask(task));
    await requireClaimsLeft(connection, ctx, task);
    const changes = await advance(connection, ctx, task, "claim", { set: { providerId: ctx.actor.id } });
    return viewAfter(ctx, {
      ...task,
      ...changes,
      providerName: ctx.actor.name,
      providerDomain: ctx.actor.domainStatus,
    });
  });
}

const countClaims = statement(
  "task.claims",
  { claims: integer },
  "SELECT count(*)::int AS claims FROM audit_events WHERE subject_id = $1 AND action = 'claim' AND actor_id = $2",
);

async function requireClaimsLeft(connection: Connection, { actor }: ServiceContext, task: TaskRow): Promise<void> {
  // Every step changes this time, so a task that still has its first one was never claimed: the usual claim costs no query.
  if (task.updatedAt.getTime() === task.createdAt.getTime()) return;
  const [found] = await countClaims.on(connection, task.id, actor.id);
  if ((found?.claims ?? 0) < MOST_CLAIMS) return;
  throw new ApiError(
    "quota_exceeded",
    `You have claimed and released this task ${MOST_CLAIMS} times. You can't claim it again.`,
    { reason: "claims" },
  );
}
