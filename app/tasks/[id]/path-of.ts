import type { Arrival, Standing } from "#components/task-path/course.ts";
import { standingOf } from "#components/task-path/standing.ts";
import type { TaskEvent } from "#lib/tasks/read.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";

/** What a visitor may know of a task's path. Funding, holds and disputes are for its parties. */
export function pathOf(task: TaskWire, events: readonly TaskEvent[]): { history: Arrival[]; standing: Standing } {
  const history = events.map(
    ({ action, at, actorName, to }): Arrival => ({
      state: to as Arrival["state"],
      at: at.toISOString(),
      by: action === "annul" ? "the administrator" : actorName,
    }),
  );
  // Its time is over, although the sweep has not written that down yet.
  if (task.state === "expired" && history.at(-1)?.state !== "expired") {
    history.push({ state: "expired", at: task.expires_at, by: null });
  }
  return { history, standing: standingOf(task) };
}
