import { doerOf, type Progress, progressOf, type Transition, upToNow } from "#components/task-path/progress.ts";
import type { TaskEvent } from "#lib/tasks/read.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";

/** What a visitor may know about a task's progress. Only its parties see holds. */
export function pathOf(
  task: TaskWire,
  events: readonly TaskEvent[],
  funding?: Progress["funding"],
): { history: Transition[]; progress: Progress } {
  const history = events.map(
    ({ action, at, actorName, to }): Transition => ({
      state: to as Transition["state"],
      at: at.toISOString(),
      by: doerOf(action, actorName),
      action,
    }),
  );
  return { history: upToNow(history, task), progress: progressOf(task, { funding }) };
}
