import { prisma } from "#lib/db/client.ts";
import type { Contract } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { PublicContext, ServiceContext } from "#lib/kernel/context.ts";
import type { CriterionResultWire } from "#lib/kernel/criteria/schema.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { requireVisible } from "#lib/tasks/admit.ts";
import { lockCurrentTask } from "#lib/tasks/lapse.ts";
import { findTask, lockTask, type TaskRow } from "#lib/tasks/row.ts";
import { sightOf } from "#lib/tasks/visibility.ts";
import { contractView } from "./view.ts";

const LAPSED = { state: "lapsed" } as const;

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
  const isParty = ctx.actor.kind === "service" && isContractParty(contract, ctx.actor.id);
  // A task is read only where it matters: a proposed contract may have lapsed with its claim.
  const task = isParty && contract.state !== "proposed" ? undefined : await findTask(contract.taskId, ctx.clock.now());
  if (!isParty && (!task || sightOf(task, ctx.actor, ctx.clock.now()) === "hidden")) throw notFound();
  const seen = task && contract.state === "proposed" && task.contractId === null ? LAPSED : {};
  const results = contract.state === "accepted" && isParty ? contract.task.criteriaResults : null;
  return { contract: contractView({ ...contract, ...seen }, isParty, results as CriterionResultWire[] | null) };
}

type Locked = { contract: Contract; task: TaskRow };

/** Locks the contract's task, then reads both. */
export async function lockContract(
  tx: Tx,
  contractId: string,
  lock: (taskId: string) => Promise<TaskRow | undefined> = (taskId) => lockTask(tx, taskId),
): Promise<Locked | undefined> {
  const known = await tx.contract.findUnique({ where: { id: contractId }, select: { taskId: true } });
  if (!known) return undefined;
  const task = await lock(known.taskId);
  const contract = await tx.contract.findUniqueOrThrow({ where: { id: contractId } });
  return task && { contract, task };
}

/** The same for a step of one of its parties. @throws ApiError not_found, forbidden */
export async function requireContractParty(tx: Tx, ctx: ServiceContext, contractId: string) {
  const found = await lockContract(tx, contractId, (taskId) => lockCurrentTask(tx, ctx, taskId));
  if (!found) throw notFound();
  if (!isContractParty(found.contract, ctx.actor.id)) {
    requireVisible(ctx, found.task);
    throw new ApiError("forbidden", "Only the two parties of this contract can do this.");
  }
  return found;
}
