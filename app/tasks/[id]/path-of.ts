import { doerOf, type Progress, progressOf, type Transition } from "#components/task-path/progress.ts";
import type { TaskEvent } from "#lib/tasks/read.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";

/** What a visitor may know about a task's progress. Only its parties see funding, holds and disputes. */
export function pathOf(task: TaskWire, events: readonly TaskEvent[]): { history: Transition[]; progress: Progress } {
  const history = events.map(
    ({ action, at, actorName, to }): Transition => ({
      state: to as Transition["state"],
      at: at.toISOString(),
      by: doerOf(action, actorName),
    }),
  );
  // The task has expired, although the sweep has not recorded it yet.
  if (task.state === "expired" && history.at(-1)?.state !== "expired") {
    history.push({ state: "expired", at: task.expires_at, by: null });
  }
  return { history, progress: progressOf(task) };
}
