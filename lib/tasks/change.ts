import type { Connection } from "#lib/db/connection.ts";
import { type AnyTx, lightTransaction, type Tx, transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import type { TaskRow } from "./row.ts";
import { loadTask, lockTask } from "./row.ts";
import type { TaskWire } from "./schema.ts";
import { taskView } from "./view.ts";

/** Runs `work` in one transaction with the task locked and then read; undefined if there is no such task. */
export function changeTask<Result>(
  taskId: string,
  work: (tx: Tx, task: TaskRow | undefined) => Promise<Result>,
): Promise<Result> {
  return transaction(async (tx) => work(tx, await lockTask(tx, taskId)));
}

/** The same in a transaction that is enough for prepared statements. */
export function stepTask<Result>(
  taskId: string,
  work: (tx: Connection, task: TaskRow | undefined) => Promise<Result>,
): Promise<Result> {
  return lightTransaction(async (tx) => work(tx, await lockTask(tx, taskId)));
}

/** The task after the change, as the caller may read it. */
export async function taskAfter(tx: AnyTx, ctx: ServiceContext, taskId: string): Promise<{ task: TaskWire }> {
  const task = await loadTask(tx, taskId);
  if (!task) throw new Error(`task ${taskId} disappeared within its own transaction`);
  return viewAfter(ctx, task);
}

/** The changed task, as the caller may read it. */
export function viewAfter(ctx: ServiceContext, task: TaskRow): { task: TaskWire } {
  return { task: taskView(task, ctx.actor, ctx.clock.now()) };
}
