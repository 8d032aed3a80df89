/** The life of a task as data. `advance` is its only reader that writes; tests and the state diagram read it too. */

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

/** Whose step it is: `candidate` is any identity (gates say which), `party` requester or claiming provider. */
export type StepRole = "requester" | "provider" | "candidate" | "party" | "administrator" | "system";

type Step = { by: StepRole; from: readonly TaskState[]; to: TaskState };

export const STEPS = {
  claim: { by: "candidate", from: ["open"], to: "claimed" },
  release: { by: "provider", from: ["claimed"], to: "open" },
  propose: { by: "requester", from: ["claimed"], to: "proposed" },
  accept: { by: "party", from: ["proposed"], to: "accepted" },
  decline: { by: "party", from: ["proposed"], to: "claimed" },
  start: { by: "provider", from: ["accepted"], to: "in_progress" },
  submit: { by: "provider", from: ["in_progress"], to: "submitted" },
  request_changes: { by: "requester", from: ["submitted"], to: "in_progress" },
  complete: { by: "requester", from: ["submitted"], to: "completed" },
  cancel: { by: "requester", from: ["open", "claimed", "proposed", "accepted"], to: "cancelled" },
  annul: {
    by: "administrator",
    // A task with a dispute may have been released meanwhile: that one is open.
    from: ["open", "claimed", "proposed", "accepted", "in_progress", "submitted"],
    to: "cancelled",
  },
  expire: { by: "system", from: ["open"], to: "expired" },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;

/** States in which a dispute can be opened: there is another party, and the task has not ended. */
export const DISPUTABLE: readonly TaskState[] = ["claimed", "proposed", "accepted", "in_progress", "submitted"];

/** An open task past its time is expired for every reader, whether or not the sweep has written it down yet. */
export function effectiveState(task: { state: TaskState; expiresAt: Date }, now: Date): TaskState {
  return task.state === "open" && task.expiresAt <= now ? "expired" : task.state;
}
