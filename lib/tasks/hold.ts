import type { Tx } from "#lib/db/tx.ts";

/** Sets or lifts the hold on a task, which is separate from the task's state. @returns whether there is such a task */
export async function setTaskHold(tx: Tx, taskId: string, heldAt: Date | null): Promise<boolean> {
  const { count } = await tx.task.updateMany({ where: { id: taskId }, data: { heldAt } });
  return count > 0;
}
