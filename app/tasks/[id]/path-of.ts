import { doerOf, type Progress, progressOf, type Transition } from "#components/task-path/progress.ts";
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
  // The task has expired or its claim has lapsed, although the sweep has not recorded it yet.
  if (history.at(-1)?.state !== task.state) {
    const isExpired = task.state === "expired";
    const at = isExpired ? task.expires_at : task.updated_at;
    history.push({ action: isExpired ? "expire" : "lapse", state: task.state, at, by: null });
  }
  return { history, progress: progressOf(task, { funding }) };
}
