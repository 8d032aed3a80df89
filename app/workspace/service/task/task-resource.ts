import type { z } from "zod";
import type { ContractAnswer } from "#lib/contracts/schema.ts";
import type { MySettlementsAnswer } from "#lib/settlements/schema.ts";
import type { ShowTaskAnswer, TaskWire } from "#lib/tasks/schema.ts";
import { read } from "../connection/service-call.ts";
import { refreshAll, resourceOf, useResource } from "../connection/use-resource.ts";
import { leaveInbox } from "../inbox/inbox-resource.ts";

export type Shown = z.output<typeof ShowTaskAnswer>;
type ContractShown = z.output<typeof ContractAnswer>;
export type SettlementPage = z.output<typeof MySettlementsAnswer>;

const PACE = { everySeconds: 15 };
const loadTask = (taskId: string) => () => read<Shown>("jobs/show.php", { task_id: taskId, history: 1 });
const keyOf = (taskId: string) => `task:${taskId}`;

export const useTask = (taskId: string) => useResource<Shown>(keyOf(taskId), loadTask(taskId), PACE);

/** Updates the task from a step's answer, and refreshes what else the step changed. */
export function updateTask(task: TaskWire): void {
  const resource = resourceOf<Shown>(keyOf(task.task_id), loadTask(task.task_id), PACE);
  resource.update((known) => ({ ...known, task }));
  resource.refresh();
  leaveInbox(task);
  for (const family of ["tasks:", "contract:", "settlement"]) refreshAll(family);
}

/** Refreshes the task with its agreement and settlement. */
export function refreshTask(taskId: string): void {
  for (const family of [keyOf(taskId), "tasks:", "contract:", "settlement"]) refreshAll(family);
}

export const useContract = (contractId: string) =>
  useResource<ContractShown>(
    `contract:${contractId}`,
    () => read<ContractShown>("contracts/show.php", { contract_id: contractId }),
    { everySeconds: 30 },
  );

export const useSettlement = (contractId: string) =>
  useResource<SettlementPage>(
    `settlement-of:${contractId}`,
    () => read<SettlementPage>("settlements/mine.php", { contract_id: contractId, limit: 1 }),
    PACE,
  );
