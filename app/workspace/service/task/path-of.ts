import { type Progress, progressOf, type Transition } from "#components/task-path/progress.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { Shown } from "./task-resource.ts";

/** The path of a task as a party sees it. */
export function pathOf(
  { task, history }: Shown,
  funding: SettlementWire["funding"] | undefined,
): { history: Transition[]; progress: Progress } {
  const transitions = (history ?? []).map(
    ({ action, state, at, by }): Transition => ({
      state,
      at,
      by: by?.name ?? (action === "annul" ? "the administrator" : null),
    }),
  );
  // A step that has only just been taken, or a time that is over although the sweep has not come by yet.
  if (transitions.at(-1)?.state !== task.state) {
    transitions.push({ state: task.state, at: task.state === "expired" ? task.expires_at : task.updated_at, by: null });
  }
  return { history: transitions, progress: progressOf(task, funding) };
}
