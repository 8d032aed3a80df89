import type { Tx } from "#lib/db/tx.ts";

/**
 * Sets or lifts the hold on a task, which is separate from the task's state. One that is held already stays held since the first time.
 * @returns whether there is such a task
 */
export async function setTaskHold(tx: Tx, taskId: string, heldAt: Date | null): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE tasks SET held_at = CASE WHEN ${heldAt}::timestamptz IS NOT NULL THEN coalesce(held_at, ${heldAt}) END WHERE id = ${taskId}`;
  return count > 0;
}
