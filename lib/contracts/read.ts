import { prisma } from "#lib/db/client.ts";
import type { Contract } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { PublicContext, ServiceContext } from "#lib/kernel/context.ts";
import type { CriterionResultWire } from "#lib/kernel/criteria/schema.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { requireVisible } from "#lib/tasks/admit.ts";
import { findTask, lockTask, type TaskRow } from "#lib/tasks/row.ts";
import { sightOf } from "#lib/tasks/visibility.ts";
import { contractView } from "./view.ts";

function isContractParty(contract: Contract, publicId: string): boolean {
  return publicId === contract.requesterId || publicId === contract.providerId;
}

/** The contract as the caller may read it. @throws ApiError not_found */
export async function showContract(ctx: PublicContext, input: { contract_id: string }) {
  const contract = await prisma().contract.findUnique({
    where: { id: input.contract_id },
    include: { task: { select: { criteriaResults: true } } },
  });
  if (!contract) throw notFound();
  if (ctx.actor.kind === "service" && isContractParty(contract, ctx.actor.id)) {
    const results = contract.state === "accepted" ? contract.task.criteriaResults : null;
    return { contract: contractView(contract, true, results as CriterionResultWire[] | null) };
  }
  const task = await findTask(contract.taskId);
  if (!task || sightOf(task, ctx.actor, ctx.clock.now()) === "hidden") throw notFound();
  return { contract: contractView(contract, false) };
}

/** Locks the contract's task, then reads both. */
export async function lockContract(
  tx: Tx,
  contractId: string,
): Promise<{ contract: Contract; task: TaskRow } | undefined> {
  const known = await tx.contract.findUnique({ where: { id: contractId }, select: { taskId: true } });
  if (!known) return undefined;
  const task = await lockTask(tx, known.taskId);
  const contract = await tx.contract.findUniqueOrThrow({ where: { id: contractId } });
  return task && { contract, task };
}

/** The same for one of its parties. @throws ApiError not_found, forbidden */
export async function requireContractParty(tx: Tx, ctx: ServiceContext, contractId: string) {
  const found = await lockContract(tx, contractId);
  if (!found) throw notFound();
  if (!isContractParty(found.contract, ctx.actor.id)) {
    requireVisible(ctx, found.task);
    throw new ApiError("forbidden", "Only the two parties of this contract can do this.");
  }
  return found;
}
