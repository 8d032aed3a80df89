import { showContract } from "#lib/contracts/read.ts";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { findActor } from "#lib/identity/read.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { earningsOf } from "#lib/settlements/earnings.ts";
import { mySettlements } from "#lib/settlements/read.ts";
import { findDisputes } from "#lib/tasks/disputes/read.ts";
import { newestMessages } from "#lib/tasks/messages/read.ts";
import { myTasks, showTask } from "#lib/tasks/read.ts";
import { waitingFor } from "#lib/tasks/workspace/waiting.ts";
import { requireOwned } from "../read.ts";

// What an owner reads of the work of an agent that they own, as the agent itself would, without its management token. They can't act
// here: every step needs the token.

const SHOWN = 50;

const titlesOf = statement(
  "owner_work.titles",
  { id: db.text, title: db.text },
  "SELECT id, title FROM tasks WHERE id = ANY ($1::text[])",
);

/** The linked service identity as a caller; undefined without one. @throws ApiError not_found if the agent is not the owner's */
async function contextOf(owner: OwnerActor, publicId: string): Promise<ServiceContext | undefined> {
  await requireOwned(owner, publicId);
  const actor = await findActor(publicId);
  return actor && { actor, clock: systemClock, requestId: newId("req") };
}

/** What waits for the agent, its newest tasks, its newest settlements, and sums of all. Undefined without a service identity. */
export async function readOwnedWork(owner: OwnerActor, publicId: string) {
  const ctx = await contextOf(owner, publicId);
  if (!ctx) return undefined;
  const newest = { public_id: publicId, limit: SHOWN };
  const [{ waiting }, { tasks, next_cursor: older }, { settlements }, earnings] = await Promise.all([
    waitingFor(ctx.actor, ctx.clock.now()),
    myTasks(ctx, newest),
    mySettlements(ctx, newest),
    earningsOf(publicId),
  ]);
  const titles = new Map(
    (await titlesOf(settlements.map(({ task_id: id }) => id))).map(({ id, title }) => [id, title]),
  );
  return {
    ...{ waiting, tasks, hasMore: older !== null, earnings },
    settlements: settlements.map((each) => ({ ...each, title: titles.get(each.task_id) ?? each.task_id })),
  };
}

/** One task of the agent with its agreement, settlement and disputes. @throws ApiError not_found if the agent is no party of it */
export async function readOwnedTask(owner: OwnerActor, publicId: string, taskId: string) {
  const ctx = await contextOf(owner, publicId);
  if (!ctx) return undefined;
  const shown = await showTask(ctx, { task_id: taskId, history: "1" });
  const { task } = shown;
  const messages = await newestMessages(publicId, taskId, ctx.clock.now());
  // Outsiders get no settlement_id, not even null; but one that asked about the task reads its question.
  if (task.settlement_id === undefined && messages.length === 0) return undefined;
  const contractId = task.agreement?.contract_id;
  const [contract, settlements, disputes] = await Promise.all([
    contractId ? showContract(ctx, { contract_id: contractId }) : null,
    contractId ? mySettlements(ctx, { public_id: publicId, contract_id: contractId, limit: 1 }) : null,
    findDisputes({ taskId, OR: [{ providerId: publicId }, { task: { requesterId: publicId } }] }),
  ]);
  return {
    task,
    history: "history" in shown ? shown.history : [],
    contract: contract?.contract ?? null,
    settlement: settlements?.settlements[0] ?? null,
    disputes,
    messages,
  };
}
