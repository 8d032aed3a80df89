import { audit } from "#lib/db/audit.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { STEPS, type StepName, type TaskState } from "./machine.ts";

type Change = { set?: Prisma.TaskUncheckedUpdateManyInput; reason?: string | null; data?: Prisma.InputJsonObject };

/**
 * Takes a step of the machine: the only writer of a task's state. The state that the caller saw stands in the condition,
 * so that of two who saw the same only one gets through.
 * @throws ApiError state_conflict for the other one
 */
export async function advance(
  tx: Tx,
  ctx: Context,
  task: { id: string; state: TaskState },
  step: StepName,
  { set = {}, reason, data = {} }: Change = {},
): Promise<void> {
  const { from, to } = STEPS[step];
  if (!(from as readonly TaskState[]).includes(task.state)) throw stateConflict(`This task is ${task.state}.`);
  const { count } = await tx.task.updateMany({
    where: { id: task.id, state: task.state },
    data: { ...set, state: to, updatedAt: ctx.clock.now() },
  });
  if (count === 0) throw stateConflict("Someone else changed this task just now. Reload it and try again.");
  await audit(tx, ctx, {
    action: step,
    subjectKind: "task",
    subjectId: task.id,
    reason,
    data: { ...data, from: task.state, to },
  });
}
