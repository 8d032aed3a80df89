import type { Contract } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, type GateResult } from "#lib/kernel/errors.ts";
import { askOwner, countedSpending, waitsForOwner } from "#lib/owners/limits/approval.ts";
import { actorWithLockedLimits } from "#lib/owners/limits/lock.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { changeTask, reloadTask, stepUnlocked, taskAfter, viewAfter } from "#lib/tasks/change.ts";
import { admitClaim, takeClaim } from "#lib/tasks/claim.ts";
import { evaluateGates } from "#lib/tasks/gates.ts";
import { tellOfStaleTerms } from "#lib/tasks/prepare.ts";
import { tellNotChosen } from "#lib/tasks/quotes/events.ts";
import type { TaskRow } from "#lib/tasks/row.ts";
import type { PreparedRow } from "#lib/tasks/terms/schema.ts";
import { recordAcceptance } from "./accept.ts";
import { proposeTerms } from "./propose.ts";
import { contractView } from "./view.ts";

/**
 * Claims an open task. Of many simultaneous claims, one succeeds. Terms that the requester prepared are proposed in the claim's own
 * transaction, and providers whose quotes are passed over are told in it; otherwise a claim is usually one statement.
 * @throws ApiError not_found, task_expired, state_conflict, gate_refused, quota_exceeded
 */
export async function claimTask(ctx: ServiceContext, input: { task_id: string }) {
  const claimed = await stepUnlocked(ctx, input.task_id, async (connection, found) =>
    found?.prepared || found?.openTo === "quotes"
      ? undefined
      : viewAfter(ctx, await takeClaim(connection, ctx, await admitClaim(connection, ctx, found))),
  );
  if (claimed) return claimed;
  try {
    return await changeTask(ctx, input.task_id, (tx, found) => claimLocked(tx, ctx, found));
  } catch (error) {
    if (isOnlyStale(error)) await tellOfStaleTerms(ctx, input.task_id);
    throw error;
  }
}

/** Whether a claim failed because of the prepared terms alone. */
function isOnlyStale(error: unknown): boolean {
  const failed = error instanceof ApiError ? (error.details.gates ?? []).filter(({ passed }) => !passed) : [];
  return failed.length === 1 && failed[0]?.gate === "terms";
}

async function claimLocked(tx: Tx, ctx: ServiceContext, found: TaskRow | undefined) {
  const task = await admitClaim(tx, ctx, found);
  const requester = await actorWithLockedLimits(tx, task.requesterId);
  const claimed = await takeClaim(tx, ctx, task);
  await tellNotChosen(tx, ctx, task, "quote.passed_over");
  const contract = task.prepared && (await proposePrepared(tx, { ...ctx, actor: requester }, claimed, task.prepared));
  return {
    ...(await taskAfter(tx, ctx, task.id)),
    ...(contract ? { contract: contractView(contract, true) } : {}),
  };
}

/**
 * Proposes prepared terms to the provider that has just claimed the task, and accepts them if the requester said so. What stops the
 * requester does not stop the claim: an acceptance that its owner does not allow now is left out, and so is the whole proposal while an
 * administrator does not allow it.
 * @param ctx the requester's
 */
async function proposePrepared(
  tx: Tx,
  ctx: ServiceContext,
  task: TaskRow,
  { terms, accept, at, for: only, offer, rehearsal }: PreparedRow,
): Promise<Contract | undefined> {
  const { actor } = ctx;
  const ownerAside = { ...gateTask(task), deal: undefined };
  const mayPropose = (["prepare", "propose"] as const).every((action) =>
    isOpen(evaluateGates(actor, action, ownerAside)),
  );
  // The terms of a quote are for its own provider; the requester has selected another one since.
  if (!mayPropose || (only && only !== task.providerId)) return undefined;
  const { due_in_hours: hours, ...given } = terms;
  const dueAt = hours === undefined ? given.due_at : secondsAfter(ctx.clock.now(), hours * 3_600).toISOString();
  const contract = await proposeTerms(tx, ctx, task, { ...given, due_at: dueAt, offer, rehearsal }, at);
  if (!accept) return contract;
  const gates = evaluateGates(actor, "accept", gateTask(await reloadTask(tx, task.id)));
  if (waitsForOwner(gates)) await askOwner(tx, ctx, contract.id);
  const isAllowed = isOpen(gates) && (await countedSpending(tx, actor, contract));
  return isAllowed ? recordAcceptance(tx, ctx, contract, "requesterAcceptedAt", { preparedAt: at }) : contract;
}

const isOpen = (gates: readonly GateResult[]) => gates.every(({ passed }) => passed);
