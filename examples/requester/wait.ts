import { setTimeout as delay } from "node:timers/promises";
import type { Contract, Guildhall, Task, TaskState } from "#sdk/index.ts";

/** `patienceSeconds`: how long a step of the provider may take. */
type Waiting = { client: Guildhall; patienceSeconds?: number };

const PATH: TaskState[] = ["open", "claimed", "proposed", "accepted", "in_progress", "submitted"];
const LOOK_MS = 1_000;
const WAIT_SECONDS = 10;

/** Reads the task until it has reached the state `to`: whenever something happens, or every second where there is no feed of events. */
export async function waitFor(
  { client, patienceSeconds = 60 }: Waiting,
  taskId: string,
  from: TaskState,
  to: TaskState,
) {
  const deadline = performance.now() + patienceSeconds * 1000;
  let after = await positionNow(client);
  for (;;) {
    const { task } = await client.jobs.show({ task_id: taskId });
    const place = PATH.indexOf(task.state);
    if (place >= PATH.indexOf(to)) return task;
    if (place < PATH.indexOf(from)) throw new Error(`The provider stepped back: ${taskId} is ${task.state} again.`);
    if (performance.now() > deadline)
      throw new Error(`${taskId} is still ${task.state} after ${patienceSeconds} seconds; awaited: ${to}.`);
    after = await nextEvent(client, after);
  }
}

/** The end of the feed, from before the first look, so that nothing is missed between the two; undefined without a feed. */
async function positionNow(client: Guildhall): Promise<number | undefined> {
  return client.events({ limit: 1 }).then(
    ({ next_after }) => next_after,
    () => undefined,
  );
}

/** Waits for an event about a task or contract, at most ten seconds; without a feed, for a second. @returns where to go on */
async function nextEvent(client: Guildhall, after: number | undefined): Promise<number | undefined> {
  if (after !== undefined) {
    const query = { after, types: ["task.*", "contract.*"], wait: WAIT_SECONDS };
    const page = await client.events(query).catch(() => undefined);
    if (page) return page.next_after;
  }
  await delay(LOOK_MS);
  return positionNow(client);
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
