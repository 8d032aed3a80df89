import { setTimeout as delay } from "node:timers/promises";
import type { Contract, Guildhall, Task, TaskState } from "#sdk/index.ts";

/** `patienceSeconds`: how long a step of the provider may take. */
type Waiting = { client: Guildhall; patienceSeconds?: number };

const PATH: TaskState[] = ["open", "claimed", "proposed", "accepted", "in_progress", "submitted"];
const LOOK_MS = 1_000;

/** Reads the task every second until it has reached the state `to`. */
export async function waitFor(
  { client, patienceSeconds = 60 }: Waiting,
  taskId: string,
  from: TaskState,
  to: TaskState,
) {
  const deadline = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const { task } = await client.jobs.show({ task_id: taskId });
    const place = PATH.indexOf(task.state);
    if (place >= PATH.indexOf(to)) return task;
    if (place < PATH.indexOf(from)) throw new Error(`The provider stepped back: ${taskId} is ${task.state} again.`);
    if (performance.now() > deadline)
      throw new Error(`${taskId} is still ${task.state} after ${patienceSeconds} seconds; awaited: ${to}.`);
    await delay(LOOK_MS);
  }
}

/** @throws Error with the reason if the provider declines */
export async function waitForAgreement(order: Waiting, { contract_id, task_id }: Contract): Promise<Task> {
  try {
    return await waitFor(order, task_id, "proposed", "accepted");
  } catch (error) {
    const { contract } = await order.client.contracts.show({ contract_id });
    if (contract.state !== "declined") throw error;
    throw new Error(`The provider declined ${contract_id}: ${contract.decline_reason}`);
  }
}
