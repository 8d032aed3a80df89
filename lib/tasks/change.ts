import { pool } from "#lib/db/client.ts";
import type { Connection } from "#lib/db/connection.ts";
import { type AnyTx, lightTransaction, type Tx, transaction } from "#lib/db/tx.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import { isOvertaken } from "./advance.ts";
import { isLapsed } from "./clocks.ts";
import { lockCurrentTask } from "./lapse.ts";
import { loadTask, seeTask, type TaskRow } from "./row.ts";
import type { TaskWire } from "./schema.ts";
import { taskView } from "./view.ts";

/** Runs `work` in one transaction with the task locked and then read; undefined if there is no such task. */
export function changeTask<Result>(
  ctx: Context,
  taskId: string,
  work: (tx: Tx, task: TaskRow | undefined) => Promise<Result>,
): Promise<Result> {
  return transaction(async (tx) => work(tx, await lockCurrentTask(tx, ctx, taskId)));
}

/** The same in a transaction that is enough for prepared statements. */
export function stepTask<Result>(
  ctx: Context,
  taskId: string,
  work: (tx: Connection, task: TaskRow | undefined) => Promise<Result>,
): Promise<Result> {
  return lightTransaction(async (tx) => work(tx, await lockCurrentTask(tx, ctx, taskId)));
}

/** How often a step is taken without a lock before it takes one. */
const UNLOCKED_ATTEMPTS = 2;

/**
 * The same for work that decides on the task's own row, or on facts that may change right after the decision, and whose only write is `advance`.
 * It decides on the task as committed, and `advance` writes only if the row is still that version; if it is not, the work is done again,
 * in the end with the task locked. So this is one shared read and one statement, which is a transaction of its own, where `stepTask`
 * sends five.
 */
export async function stepUnlocked<Result>(
  ctx: Context,
  taskId: string,
  work: (connection: Connection, task: TaskRow | undefined) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; attempt <= UNLOCKED_ATTEMPTS; attempt += 1) {
    try {
      const task = await seeTask(taskId);
      // The end of an earlier claim is recorded first.
      if (task && isLapsed(task, ctx.clock.now())) break;
      return await work(pool(), task);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  return stepTask(ctx, taskId, work);
}

/** The task after the change, as the caller may read it. */
export async function taskAfter(tx: AnyTx, ctx: ServiceContext, taskId: string): Promise<{ task: TaskWire }> {
  return viewAfter(ctx, await reloadTask(tx, taskId));
}

/** A task that this transaction has locked, as it is now. */
export async function reloadTask(tx: AnyTx, taskId: string): Promise<TaskRow> {
  const task = await loadTask(tx, taskId);
  if (!task) throw new Error(`task ${taskId} disappeared within its own transaction`);
  return task;
}

/** The changed task, as the caller may read it. */
export function viewAfter(ctx: ServiceContext, task: TaskRow): { task: TaskWire } {
  return { task: taskView(task, ctx.actor, ctx.clock.now()) };
}
