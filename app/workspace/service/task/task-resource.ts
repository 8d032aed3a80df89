import type { z } from "zod";
import type { MySettlementsAnswer } from "#lib/settlements/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { refreshAll, useResource } from "../connection/use-resource.ts";
import { leaveInbox } from "../inbox/inbox-resource.ts";
import { readWhole, type Shown } from "./whole-task.ts";

export type SettlementPage = z.output<typeof MySettlementsAnswer>;

// After a step, the page shows at once what came of it.
const PACE = { everySeconds: 15, minSeconds: 0 };
const keyOf = (taskId: string) => `task:${taskId}`;

export const useTask = (taskId: string) => useResource<Shown>(keyOf(taskId), () => readWhole(taskId), PACE);

/** Follows a step that this tab has taken. What it changed is read again as a whole: an answer alone says only part of it. */
export function updateTask(task: TaskWire): void {
  leaveInbox(task);
  refreshTask(task.task_id);
}

/** Refreshes the task with everything that belongs to it, and the lists that show it. */
export function refreshTask(taskId: string): void {
  const parts = ["task", "quotes", "messages"].map((part) => `${part}:${taskId}`);
  for (const family of [...parts, "tasks:", "settlement", "waiting"]) refreshAll(family);
}
