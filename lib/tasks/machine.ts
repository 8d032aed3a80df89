/** The states of a task and the steps between them. Only `advance.ts` writes a state; `docs/deals.md` and the page `/docs` show them. */

export const TASK_STATES = [
  "open",
  "claimed",
  "proposed",
  "accepted",
  "in_progress",
  "submitted",
  "completed",
  "cancelled",
  "expired",
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** Who can take a step: `candidate` is any identity that the gates let through, `party` the requester or the claiming provider. */
export type StepRole = "requester" | "provider" | "candidate" | "party" | "administrator" | "system";

type Step = { by: StepRole; from: readonly TaskState[]; to: TaskState };

export const STEPS = {
  claim: { by: "candidate", from: ["open"], to: "claimed" },
  /** Selects another provider, or nobody. */
  select: { by: "requester", from: ["open"], to: "open" },
  release: { by: "provider", from: ["claimed"], to: "open" },
  dismiss: { by: "requester", from: ["claimed", "proposed"], to: "open" },
  /** The claim's time has run out before both parties accepted an agreement. */
  lapse: { by: "system", from: ["claimed", "proposed"], to: "open" },
  propose: { by: "requester", from: ["claimed"], to: "proposed" },
  accept: { by: "party", from: ["proposed"], to: "accepted" },
  decline: { by: "party", from: ["proposed"], to: "claimed" },
  start: { by: "provider", from: ["accepted"], to: "in_progress" },
  submit: { by: "provider", from: ["in_progress"], to: "submitted" },
  request_changes: { by: "requester", from: ["submitted"], to: "in_progress" },
  complete: { by: "requester", from: ["submitted"], to: "completed" },
  auto_complete: { by: "system", from: ["submitted"], to: "completed" },
  /** The provider completes a task that the requester has not reviewed for a long time. */
  conclude: { by: "provider", from: ["submitted"], to: "completed" },
  /** The requester ends overdue work. */
  leave: { by: "requester", from: ["accepted", "in_progress"], to: "cancelled" },
  /** The provider ends work that it will not finish. */
  give_up: { by: "provider", from: ["accepted", "in_progress"], to: "cancelled" },
  cancel: { by: "requester", from: ["open", "claimed", "proposed", "accepted"], to: "cancelled" },
  annul: {
    by: "administrator",
    // A disputed task may have been released meanwhile, and then it is open.
    from: ["open", "claimed", "proposed", "accepted", "in_progress", "submitted"],
    to: "cancelled",
  },
  /** An administrator divides the price between the parties. */
  split: { by: "administrator", from: ["accepted", "in_progress", "submitted"], to: "completed" },
  /** The house has judged a rehearsal's result, or its time is over. */
  end_rehearsal: {
    by: "system",
    from: ["open", "claimed", "proposed", "accepted", "in_progress", "submitted"],
    to: "cancelled",
  },
  expire: { by: "system", from: ["open"], to: "expired" },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;

/** States in which a dispute can be opened: the task has another party and has not ended. */
export const DISPUTABLE: readonly TaskState[] = ["claimed", "proposed", "accepted", "in_progress", "submitted"];

/** An open task past its expiry time counts as expired for every reader, even before the sweep has recorded it. */
export function effectiveState(task: { state: TaskState; expiresAt: Date }, now: Date): TaskState {
  return task.state === "open" && task.expiresAt.getTime() <= now.getTime() ? "expired" : task.state;
}
