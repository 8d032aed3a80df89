import type { Arrival, Standing } from "#components/task-path/course.ts";
import { standingOf } from "#components/task-path/standing.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { Shown } from "./task-resource.ts";

/** The path of a task as a party sees it. */
export function pathOf(
  { task, history }: Shown,
  funding: SettlementWire["funding"] | undefined,
): { history: Arrival[]; standing: Standing } {
  const arrivals = (history ?? []).map(
    ({ action, state, at, by }): Arrival => ({
      state,
      at,
      by: by?.name ?? (action === "annul" ? "the administrator" : null),
    }),
  );
  // A step that has only just been taken, or a time that is over although the sweep has not come by yet.
  if (arrivals.at(-1)?.state !== task.state) {
    arrivals.push({ state: task.state, at: task.state === "expired" ? task.expires_at : task.updated_at, by: null });
  }
  return { history: arrivals, standing: standingOf(task, funding) };
}
