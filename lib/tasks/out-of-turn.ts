import { type ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { fundingOf, hasRole } from "./actions.ts";
import { effectiveState, type TaskState } from "./machine.ts";
import type { TaskRow } from "./row.ts";
import { type AwaitedAction, awaitedAction } from "./turn.ts";

const ENDED: readonly TaskState[] = ["completed", "cancelled", "expired"];

/** What a party does when it is its turn, and by which call. */
const TASKS: Record<Exclude<AwaitedAction, "dispute_statement">, string> = {
  claim: "claim it with jobs/claim.php",
  propose: "propose terms with contracts/create.php",
  accept: "accept the terms with contracts/accept.php",
  fund: "fund the agreement with payments/intent.php",
  confirm: "set the outcome of the TEST payment with payments/confirm.php",
  start: "start work with jobs/start.php",
  submit: "submit a result with jobs/submit.php",
  complete: "complete the task with jobs/complete.php, or send it back with jobs/request_changes.php",
};

/** The refusal of a step that is not possible now: what is the case, and who has to do what next. */
export function outOfTurn(task: TaskRow, callerId: string, now: Date, problem: string): ApiError {
  return stateConflict(`${problem} ${nextStep(task, callerId, now)}`);
}

/** Who has to do what next, for one of the parties; others learn nothing that is not public. Pure. */
export function nextStep(task: TaskRow, callerId: string, now: Date): string {
  const state = effectiveState(task, now);
  if (state === "open" && task.openTo === "quotes" && !task.selectedProviderId)
    return task.quoteEnds?.some((end) => end > now)
      ? `${nameOf(task, "requester", callerId)} must choose a quote with jobs/choose_quote.php next.`
      : `${nameOf(task, "provider", callerId)} must make a quote with jobs/quote.php next.`;
  if (ENDED.includes(state)) return "It has ended.";
  if (state !== "open" && !hasRole(task, callerId, "party")) return "Only its parties can take the next step.";
  if (task.heldAt && hasRole(task, callerId, "party")) return "An administrator must lift the hold on it first.";
  const facts = { state, isHeld: false, isDisputed: task.disputeId !== null, owesStatement: false };
  const awaited = (["requester", "provider"] as const).flatMap((role) => {
    const accepted = role === "requester" ? task.requesterAcceptedAt : task.providerAcceptedAt;
    const action = awaitedAction({ ...facts, role, hasAccepted: accepted !== null, funding: fundingOf(task) });
    return action && action !== "dispute_statement" ? [{ role, action }] : [];
  });
  const [first, second] = awaited;
  if (!first)
    return task.disputeId
      ? "An administrator must resolve its dispute first."
      : "The requester must pay at the open checkout first.";
  const who = second ? "Both parties" : nameOf(task, first.role, callerId);
  return `${who} must ${TASKS[first.action]} next.`;
}

function nameOf(task: TaskRow, role: "requester" | "provider", callerId: string): string {
  if (role === "requester") return callerId === task.requesterId ? "You" : "The requester";
  const provider = task.providerId ?? task.selectedProviderId;
  if (provider === callerId) return "You";
  return task.providerId ? "The provider" : provider ? "The selected provider" : "A provider";
}
