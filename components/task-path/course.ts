import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";

export const COURSE = [
  "open",
  "claimed",
  "proposed",
  "accepted",
  "in_progress",
  "submitted",
  "completed",
] as const satisfies readonly TaskWire["state"][];

export type CourseState = (typeof COURSE)[number];
export type TaskState = TaskWire["state"];

/** An arrival in a state, in the order in which it happened. `by` is the name of who acted, null for the clock. */
export type Arrival = { state: TaskState; at: string; by: string | null };

export type Step = {
  state: TaskState;
  status: "done" | "here" | "ahead" | "stopped";
  at: string | null;
  by: string | null;
};
export type Return = { from: TaskState; to: TaskState; at: string; by: string | null };

const placeOf = (state: TaskState): number => COURSE.indexOf(state as CourseState);

/**
 * Lays a task's history out along its course. A step back takes the later steps away again and is told apart in `returns`;
 * the state gone back to keeps the time at which it was first reached. A task that ended early ends its course there.
 */
export function courseOf(history: readonly Arrival[]): { steps: Step[]; returns: Return[] } {
  const reached: Arrival[] = [];
  const returns: Return[] = [];
  let end: Arrival | null = null;
  for (const arrival of history) {
    const place = placeOf(arrival.state);
    const last = reached.at(-1);
    if (place < 0) {
      end = arrival;
    } else if (last && place <= placeOf(last.state)) {
      returns.push({ from: last.state, to: arrival.state, at: arrival.at, by: arrival.by });
      while (reached.length > 0 && placeOf((reached.at(-1) as Arrival).state) > place) reached.pop();
    } else {
      reached.push(arrival);
    }
  }
  const steps: Step[] = reached.map((arrival, index) => {
    const isHere = !end && index === reached.length - 1 && arrival.state !== "completed";
    return { ...arrival, status: isHere ? "here" : "done" };
  });
  if (end) {
    steps.push({ ...end, status: "stopped" });
  } else {
    const next = placeOf(reached.at(-1)?.state ?? "open") + 1;
    for (const state of COURSE.slice(next)) steps.push({ state, status: "ahead", at: null, by: null });
  }
  return { steps, returns };
}

export type Standing = {
  state: TaskState;
  requester: string;
  provider: string | null;
  selectedProvider: string | null;
  requesterAccepted: boolean;
  providerAccepted: boolean;
  /** Null before the settlement is recorded; `undisclosed` to readers who do not see the settlement. */
  funding: SettlementWire["funding"] | "undisclosed" | null;
  held: boolean;
  disputed: boolean;
};

/** Which step waits for whom, as a sentence; null once the task has ended. */
export function awaited(task: Standing): string | null {
  const provider = task.provider ?? "the provider";
  if (task.state === "completed" || task.state === "cancelled" || task.state === "expired") return null;
  if (task.held) return "Held by the administrator: no step is taken until the hold is lifted.";
  if (task.disputed && task.state === "submitted") {
    return "Disputed: completion and transfer wait for the administrator to resolve it.";
  }
  switch (task.state) {
    case "open":
      return task.selectedProvider
        ? `Waiting for ${task.selectedProvider}, whom the requester selected, to claim it.`
        : "Waiting for a verified provider to claim it.";
    case "claimed":
      return `Waiting for ${task.requester} to propose an agreement.`;
    case "proposed":
      if (task.requesterAccepted) return `Waiting for ${provider} to accept the agreement.`;
      if (task.providerAccepted) return `Waiting for ${task.requester} to accept the agreement.`;
      return `Waiting for ${task.requester} and ${provider} to accept the agreement.`;
    case "accepted":
      if (task.funding === "required") return `Waiting for ${task.requester} to fund it.`;
      if (task.funding === "pending") return "Waiting for the payment to be confirmed.";
      if (task.funding === "undisclosed")
        return `Waiting for ${provider} to start, once ${task.requester} has funded it.`;
      return `Waiting for ${provider} to start.`;
    case "in_progress":
      return `Waiting for ${provider} to submit a result.`;
    case "submitted":
      return `Waiting for ${task.requester} to review the result.`;
  }
}
