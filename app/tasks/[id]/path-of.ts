import type { Arrival, Standing } from "#components/task-path/course.ts";
import type { TaskEvent } from "#lib/tasks/read.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";

/** What a visitor may know of a task's path. Funding, holds and disputes are for its parties. */
export function pathOf(task: TaskWire, events: readonly TaskEvent[]): { history: Arrival[]; standing: Standing } {
  const { requester, provider, selected_provider: selected } = task.parties;
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
  const { agreement } = task;
  return {
    history,
    standing: {
      state: task.state,
      requester: requester.name,
      provider: provider?.name ?? null,
      selectedProvider: selected?.name ?? null,
      requesterAccepted: Boolean(agreement?.requester_accepted_at),
      providerAccepted: Boolean(agreement?.provider_accepted_at),
      funding: agreement ? (agreement.amount_pence === 0 ? "not_required" : "undisclosed") : null,
      held: false,
      disputed: false,
    },
  };
}
