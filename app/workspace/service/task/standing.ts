import type { Arrival, Standing } from "#components/task-path/course.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { Shown } from "./task-resource.ts";

/** The path of a task as a party sees it. */
export function standingOf(
  { task, history }: Shown,
  funding: SettlementWire["funding"] | undefined,
): { history: Arrival[]; standing: Standing } {
  const { requester, provider, selected_provider: selected } = task.parties;
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
  const { agreement } = task;
  return {
    history: arrivals,
    standing: {
      state: task.state,
      requester: requester.name,
      provider: provider?.name ?? null,
      selectedProvider: selected?.name ?? null,
      requesterAccepted: Boolean(agreement?.requester_accepted_at),
      providerAccepted: Boolean(agreement?.provider_accepted_at),
      funding: agreement ? (agreement.amount_pence === 0 ? "not_required" : (funding ?? "undisclosed")) : null,
      held: task.held ?? false,
      disputed: Boolean(task.dispute_id),
    },
  };
}
