import type { Contract, Guildhall, Task, TaskState } from "#sdk/index.ts";

const PATH: TaskState[] = ["open", "claimed", "proposed", "accepted", "in_progress", "submitted"];
/** How long a step of the provider may take. */
const PATIENCE_SECONDS = 60;

/** Waits until the task has reached the state `to`. @throws Error if it falls behind `from`, or takes too long */
export async function waitFor(client: Guildhall, task_id: string, from: TaskState, to: TaskState): Promise<Task> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1000;
  let { task } = await client.jobs.show({ task_id });
  for (;;) {
    const place = PATH.indexOf(task.state);
    if (place >= PATH.indexOf(to)) return task;
    if (place < PATH.indexOf(from)) throw new Error(`The provider stepped back: ${task_id} is ${task.state} again.`);
    if (performance.now() > deadline)
      throw new Error(`${task_id} is still ${task.state} after ${PATIENCE_SECONDS} seconds; awaited: ${to}.`);
    ({ task } = await client.jobs.wait({ task_id, after_version: task.version, seconds: 10 }));
  }
}

/** @throws Error with the reason if the provider declines */
export async function waitForAgreement(client: Guildhall, { contract_id, task_id }: Contract): Promise<Task> {
  try {
    return await waitFor(client, task_id, "proposed", "accepted");
  } catch (error) {
    const { contract } = await client.contracts.show({ contract_id });
    if (contract.state !== "declined") throw error;
    throw new Error(`The provider declined ${contract_id}: ${contract.decline_reason}`);
  }
}
