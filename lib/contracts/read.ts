import { prisma } from "#lib/db/client.ts";
import type { Contract } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { PublicContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { findTask, lockTask, type TaskRow } from "#lib/tasks/row.ts";
import { sightOf } from "#lib/tasks/visibility.ts";
import { contractView } from "./view.ts";

export function isContractParty(contract: Contract, publicId: string): boolean {
  return publicId === contract.requesterId || publicId === contract.providerId;
}

/** The contract as the caller may read it. @throws ApiError not_found */
export async function showContract(ctx: PublicContext, input: { contract_id: string }) {
  const contract = await prisma().contract.findUnique({ where: { id: input.contract_id } });
  if (!contract) throw notFound();
  if (ctx.actor.kind === "service" && isContractParty(contract, ctx.actor.id))
    return { contract: contractView(contract, true) };
  const task = await findTask(contract.taskId);
  if (!task || sightOf(task, ctx.actor, ctx.clock.now()) === "hidden") throw notFound();
  return { contract: contractView(contract, false) };
}

/** Locks the contract's task and reads both as they are then. */
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
