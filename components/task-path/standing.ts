import type { TaskWire } from "#lib/tasks/schema.ts";
import type { Standing } from "./course.ts";

/** How a task stands for whoever was given this much of it; `funding` is known to its parties alone. */
export function standingOf(task: TaskWire, funding: Standing["funding"] = "undisclosed"): Standing {
  const { agreement } = task;
  const { requester, provider, selected_provider: selected } = task.parties;
  return {
    state: task.state,
    requester: requester.name,
    provider: provider?.name ?? null,
    selectedProvider: selected?.name ?? null,
    requesterAccepted: Boolean(agreement?.requester_accepted_at),
    providerAccepted: Boolean(agreement?.provider_accepted_at),
    funding: agreement ? (agreement.amount_pence === 0 ? "not_required" : funding) : null,
    held: task.held ?? false,
    disputed: Boolean(task.dispute_id),
  };
}
