import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { AwaitedAction } from "#lib/tasks/turn.ts";
import { STATES, type StateLook } from "../state-label/states.ts";

/** What a task waits for its party to do, as an instruction. */
export const AWAITED: Record<AwaitedAction, string> = {
  claim: "Claim it",
  propose: "Propose an agreement",
  accept: "Read the agreement, then accept or decline it",
  fund: "Fund it",
  confirm: "Set the outcome of the TEST payment",
  start: "Start work",
  submit: "Submit a result",
  complete: "Review the result",
  dispute_statement: "Give your side of the dispute",
};

/** Steps of a task, as its history words them: "Claimed by Alpha". */
export const STEP_WORDS: Record<string, string> = {
  create: "Posted",
  claim: "Claimed",
  select: "Provider selected",
  release: "Given back",
  dismiss: "Provider dismissed",
  lapse: "Claim lapsed",
  propose: "Agreement proposed",
  accept: "Agreement accepted",
  decline: "Terms declined",
  start: "Work started",
  submit: "Submitted",
  request_changes: "Changes requested",
  complete: "Completed",
  auto_complete: "Completed",
  conclude: "Completed",
  leave: "Overdue work ended",
  give_up: "Work given up",
  cancel: "Cancelled",
  annul: "Ended",
  split: "Split",
  end_rehearsal: "Rehearsal ended",
  expire: "Expired",
};

const IN_DISPUTE = "In dispute, waiting for the administrator";

/**
 * Where a task stands: the word and shape of its state, unless a dispute or a hold keeps it there. Every list, header and page says it in
 * these words.
 */
export function standingOf({ state, disputed, held }: Pick<TaskWire, "state" | "disputed" | "held">): StateLook {
  if (disputed) return { word: IN_DISPUTE, shape: "ring", tone: "danger" };
  if (held) return { word: `${STATES.task[state].word}, held by the administrator`, shape: "ring", tone: "danger" };
  return STATES.task[state];
}

export const STATE_ORDER = [
  "open",
  "claimed",
  "proposed",
  "accepted",
  "in_progress",
  "submitted",
  "completed",
] as const satisfies readonly TaskWire["state"][];

type OrderedState = (typeof STATE_ORDER)[number];
export type TaskState = TaskWire["state"];

/** A change of state, in the order in which it happened. `by` names who acted; null if the time ran out or nobody knows. */
export type Transition = { action: string; state: TaskState; at: string; by: string | null };

export type Step = {
  state: TaskState;
  status: "done" | "here" | "ahead" | "stopped";
  at: string | null;
  by: string | null;
};
export type Return = { action: string; at: string; by: string | null };

/** Who took a step, where no identity did: its name is null then. */
export function doerOf(action: string, name: string | null): string | null {
  if (name !== null) return name;
  if (action === "annul" || action === "complete" || action === "split") return "the administrator";
  return action === "auto_complete" ? "the service" : null;
}

/** A history up to the state that the task has: it lags while nobody has recorded that the task expired or its claim lapsed. */
export function upToNow(
  history: Transition[],
  task: Pick<TaskWire, "state" | "expires_at" | "updated_at">,
): Transition[] {
  const { state } = task;
  if (history.at(-1)?.state === state) return history;
  const isExpired = state === "expired";
  const at = isExpired ? task.expires_at : task.updated_at;
  return [...history, { action: isExpired ? "expire" : "lapse", state, at, by: null }];
}

const placeOf = (state: TaskState): number => STATE_ORDER.indexOf(state as OrderedState);

/**
 * Arranges a task's history as steps. Going back to an earlier state undoes the later steps and is listed in `returns`; that state
 * keeps the time at which it was first reached. A task that ended early has no further steps.
 */
export function stepsOf(history: readonly Transition[]): { steps: Step[]; returns: Return[] } {
  const reached: Transition[] = [];
  const returns: Return[] = [];
  let end: Transition | null = null;
  for (const transition of history) {
    const place = placeOf(transition.state);
    const last = reached.at(-1);
    if (place < 0) {
      end = transition;
    } else if (place === placeOf(last?.state ?? "expired")) {
      // Another provider was selected, which moves nothing.
    } else if (last && place < placeOf(last.state)) {
      returns.push({ action: transition.action, at: transition.at, by: transition.by });
      while (reached.length > 0 && placeOf((reached.at(-1) as Transition).state) > place) reached.pop();
    } else {
      reached.push(transition);
    }
  }
  const steps: Step[] = reached.map((transition, index) => {
    const isHere = !end && index === reached.length - 1 && transition.state !== "completed";
    return { ...transition, status: isHere ? "here" : "done" };
  });
  if (end) {
    steps.push({ ...end, status: "stopped" });
  } else {
    const next = placeOf(reached.at(-1)?.state ?? "open") + 1;
    for (const state of STATE_ORDER.slice(next)) steps.push({ state, status: "ahead", at: null, by: null });
  }
  return { steps, returns };
}

export type Progress = {
  state: TaskState;
  requester: string;
  provider: string | null;
  selectedProvider: string | null;
  requesterAccepted: boolean;
  providerAccepted: boolean;
  /** Null before the settlement is recorded. */
  funding: SettlementWire["funding"] | null;
  held: boolean;
  disputed: boolean;
  /** What the task waits for the reader to do, as the service says it; null while it waits for someone else. */
  awaited: AwaitedAction | null;
  clocks: TaskWire["clocks"];
  /** How many quotes are live; undefined if the task is open to claims. */
  liveQuotes?: TaskWire["live_quotes"];
  /** The part of the reader in the task; null for readers who are no party of it. */
  reader: "requester" | "provider" | null;
};

/** Whom the task is waiting for, as a sentence; null once it has ended. */
export function waitingSentence(task: Progress): string | null {
  const provider = task.provider ?? "the provider";
  if (task.state === "completed" || task.state === "cancelled" || task.state === "expired") return null;
  if (task.held) return "Waiting for the administrator to lift the hold. Until then, nothing can happen.";
  if (task.awaited) {
    const mine = AWAITED[task.awaited];
    return `Your turn: ${mine[0]?.toLowerCase()}${mine.slice(1)}.`;
  }
  if (task.disputed)
    return "Waiting for the administrator to resolve the dispute. Until then, completion and transfer are blocked.";
  switch (task.state) {
    case "open":
      if (task.selectedProvider)
        return `Waiting for ${task.selectedProvider}, whom ${task.reader === "requester" ? "you" : "the requester"} selected, to claim it.`;
      if (task.liveQuotes === undefined) return "Waiting for a verified provider to claim it.";
      if (task.liveQuotes === "0") return "Waiting for quotes from verified providers.";
      return task.reader === "requester"
        ? "Your turn: choose a quote, or wait for others."
        : `Waiting for ${task.requester} to choose a quote.`;
    case "claimed":
      return `Waiting for ${task.requester} to propose an agreement.`;
    case "proposed":
      if (task.requesterAccepted) return `Waiting for ${provider} to accept the agreement.`;
      if (task.providerAccepted) return `Waiting for ${task.requester} to accept the agreement.`;
      return `Waiting for ${task.requester} and ${provider} to accept the agreement.`;
    case "accepted":
      if (task.funding === "required") return `Waiting for ${task.requester} to fund it.`;
      if (task.funding === "pending") return "Waiting for the payment to be confirmed.";
      return `Waiting for ${provider} to start.`;
    case "in_progress":
      return `Waiting for ${provider} to submit a result.`;
    case "submitted":
      return `Waiting for ${task.requester} to review the result.`;
  }
}

const within = (name: string) => (name === "You" ? "you" : name);

/** A clock in words: who has until its end to do what, and what follows if it does not. Both without that time. Pure. */
export function clockWords(
  { clock, then }: Progress["clocks"][number],
  isOver: boolean,
  { state, requesterAccepted, providerAccepted, ...names }: Progress,
): { who: string; task: string; next: string } {
  const requester = names.reader === "requester" ? "You" : names.requester;
  const provider = names.reader === "provider" ? "You" : (names.provider ?? "The provider");
  const from = isOver ? "Now" : "After that,";
  if (clock === "claim") {
    const next = "Otherwise the claim lapses and the task is open again.";
    if (state === "claimed") return { who: requester, task: "propose an agreement", next };
    const both = requesterAccepted === providerAccepted;
    return {
      who: both ? `${requester} and ${provider}` : requesterAccepted ? provider : requester,
      task: "accept",
      next,
    };
  }
  if (clock === "work")
    return { who: provider, task: "submit a result", next: `${from} ${within(requester)} may end the task.` };
  return {
    who: requester,
    task: "review the result",
    next:
      then === "auto_complete"
        ? "Otherwise the service completes the task."
        : `${from} ${within(provider)} may complete the task instead.`,
  };
}

/** A task's progress, from what this view of it shows. `funding` is known to its parties, and in public once it is on record. */
export function progressOf(
  task: TaskWire,
  { readerId = null, funding = null }: { readerId?: string | null; funding?: Progress["funding"] | undefined } = {},
): Progress {
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
    disputed: task.disputed ?? false,
    awaited: task.awaited_action ?? null,
    clocks: task.clocks,
    liveQuotes: task.live_quotes,
    reader:
      readerId === requester.public_id
        ? "requester"
        : readerId !== null && readerId === (provider ?? selected)?.public_id
          ? "provider"
          : null,
  };
}
