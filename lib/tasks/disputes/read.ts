import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { hasRole } from "../actions.ts";
import { findTask } from "../row.ts";
import { disputeView, type WholeDispute } from "../view.ts";
import { type DisputesInput, type DisputeWire, MOST_DISPUTES } from "./schema.ts";

/**
 * The disputes of a task in which the caller is a party, or one of them, newest first.
 * @throws ApiError invalid_input (neither or both IDs), not_found (no such dispute, or the caller is not a party)
 */
export async function readDisputes(ctx: ServiceContext, input: z.output<typeof DisputesInput>) {
  const { dispute_id: id, task_id: taskId } = input;
  if ((id === undefined) === (taskId === undefined))
    throw invalidInput("dispute_id", "or task_id is required, and only one of them");
  const found = await findDisputes({
    ...(id === undefined ? { taskId: taskId ?? "" } : { id }),
    OR: [{ providerId: ctx.actor.id }, { task: { requesterId: ctx.actor.id } }],
  });
  if (found.length === 0 && !(taskId && (await isPartyOf(ctx, taskId)))) throw notFound();
  return { disputes: found };
}

async function isPartyOf(ctx: ServiceContext, taskId: string): Promise<boolean> {
  const task = await findTask(taskId, ctx.clock.now());
  return task !== undefined && hasRole(task, ctx.actor.id, "party");
}

/** The newest dispute about a task, as its evidence says to everyone. The caller has checked that the task is visible. */
export async function publicDispute(taskId: string): Promise<PublicDispute | undefined> {
  const [newest] = await findDisputes({ taskId });
  if (!newest) return undefined;
  const { state, resolution, created_at, resolved_at } = newest;
  return { state, resolution, created_at, resolved_at };
}
type PublicDispute = Pick<DisputeWire, "state" | "resolution" | "created_at" | "resolved_at">;

/** The newest disputes with their statements. The caller has already checked who may read them. */
async function findDisputes(where: object): Promise<DisputeWire[]> {
  const found: WholeDispute[] = await prisma().dispute.findMany({
    where,
    include: { statements: { orderBy: { number: "asc" } } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_DISPUTES,
  });
  return found.map(disputeView);
}
