import { integer } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { gateTask } from "./actions.ts";
import { requireState, requireVisible } from "./admit.ts";
import { advance } from "./advance.ts";
import { requireGates } from "./gates.ts";
import { STEPS } from "./machine.ts";
import type { TaskRow } from "./row.ts";
import { mayClaimUnseen } from "./visibility.ts";

/** How often a provider can claim the same task. Each claim and release is kept for good in the task's history and evidence. */
const MOST_CLAIMS = 20;

/**
 * The checks before a claim, in the order in which they are reported.
 * @throws ApiError not_found, task_expired, state_conflict, gate_refused, quota_exceeded
 */
export async function admitClaim(tx: AnyTx, ctx: ServiceContext, found: TaskRow | undefined): Promise<TaskRow> {
  const now = ctx.clock.now();
  const task = found && mayClaimUnseen(found, ctx.actor, now) ? found : requireVisible(ctx, found);
  requireState(ctx, task, STEPS.claim.from);
  requireGates(ctx.actor, "claim", gateTask(task, { now }));
  await requireClaimsLeft(tx, ctx, task);
  return task;
}

/** Claims a task that was admitted. @returns the changed task */
export async function takeClaim(tx: AnyTx, ctx: ServiceContext, task: TaskRow): Promise<TaskRow> {
  const { id, name, domainStatus } = ctx.actor;
  const at = ctx.clock.now();
  const claimEndsAt = task.claimHours === null ? null : secondsAfter(at, task.claimHours * 3_600);
  const changes = await advance(tx, ctx, task, "claim", { at, set: { providerId: id, claimEndsAt } });
  return { ...task, ...changes, providerName: name, providerDomain: domainStatus };
}

const countClaims = statement(
  "task.claims",
  { claims: integer },
  "SELECT count(*)::int AS claims FROM audit_events WHERE subject_id = $1 AND action = 'claim' AND actor_id = $2",
);

async function requireClaimsLeft(tx: AnyTx, { actor }: ServiceContext, task: TaskRow): Promise<void> {
  // Every step changes this time, so a task that still has its first one was never claimed: the usual claim costs no query.
  if (task.updatedAt.getTime() === task.createdAt.getTime()) return;
  const [found] = await countClaims.on(connectionOf(tx), task.id, actor.id);
  if ((found?.claims ?? 0) < MOST_CLAIMS) return;
  throw new ApiError(
    "quota_exceeded",
    `You have claimed and released this task ${MOST_CLAIMS} times. You can't claim it again.`,
    { reason: "claims" },
  );
}
