import { accessOfActor, type ServiceActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import { hasScope } from "#lib/kernel/scopes.ts";
import type { DealParty } from "#lib/owners/limits/gate.ts";
import { CALL_WORDS, CALLS, type TaskAction } from "./calls.ts";
import { notBefore } from "./clocks.ts";
import { STATEMENTS_PER_SIDE, statementsLeft } from "./disputes/parties.ts";
import { type GatedAction, type GateTask, gatesAgainst } from "./gates.ts";
import { DISPUTABLE, effectiveState, STEPS, type StepRole, TASK_STATES, type TaskState } from "./machine.ts";
import { partOf } from "./messages/correspondents.ts";
import { CLARIFICATIONS_PER_TASK } from "./messages/schema.ts";
import type { TaskRow } from "./row.ts";
import { type AwaitedAction, awaitedAction, type Turn } from "./turn.ts";

type Obstacle = { gate: string; reason: string; remedy: string };
type AvailableAction = {
  action: GatedAction;
  method: "POST";
  path: string;
  operation: string;
  fields: string[];
  values: Record<string, string>;
  headers: string[];
  checkout_url?: string;
  not_before?: string;
  ready: boolean;
  blocked_by: Obstacle[];
};

const RULES: Record<TaskAction, { by: StepRole; from: readonly TaskState[] }> = {
  ...STEPS,
  prepare: { by: "requester", from: ["open"] },
  quote: { by: "candidate", from: ["open"] },
  choose_quote: { by: "requester", from: ["open"] },
  fund: { by: "requester", from: ["accepted"] },
  confirm: { by: "requester", from: ["accepted"] },
  // A completed one only in some cases: see isDisputable.
  dispute: { by: "party", from: [...DISPUTABLE, "completed"] },
  dispute_statement: { by: "party", from: TASK_STATES },
  // Who may write depends on more than the state: see correspondents.ts.
  message: { by: "candidate", from: TASK_STATES },
  clarify: { by: "requester", from: ["open"] },
};

const ACTIONS = Object.keys(CALLS) as TaskAction[];
/** The actions that a task's state alone does not rule out. */
const POSSIBLE = new Map(
  TASK_STATES.map((state) => [state, ACTIONS.filter((action) => RULES[action].from.includes(state))]),
);

/**
 * @param amountPence what would be agreed; by default what is agreed, or else the budget
 * @param now for a claim, which prepared terms can be too late for
 */
export function gateTask(
  task: TaskRow,
  { amountPence = task.amountPence ?? task.budgetPence, now }: { amountPence?: number; now?: Date } = {},
): GateTask {
  const party = (id: string, host: string | null, domain: DealParty["domain"] | null): DealParty => ({
    id,
    host,
    domain: domain ?? "unverified",
  });
  const provider = task.providerId
    ? party(task.providerId, task.providerHost, task.providerDomain)
    : task.selectedProviderId
      ? party(task.selectedProviderId, task.selectedProviderHost, task.selectedProviderDomain)
      : undefined;
  return {
    deal: {
      amountPence,
      requester: party(task.requesterId, task.requesterHost, task.requesterDomain),
      provider,
      termsHash: task.termsHash,
      approval: task.ownerApproval,
    },
    held: task.heldAt !== null,
    skill: task.skill,
    requesterId: task.requesterId,
    selectedProviderId: task.selectedProviderId,
    openTo: task.openTo,
    termsStale: now && task.preparedDueAt !== null ? Date.parse(task.preparedDueAt) <= now.getTime() : undefined,
    missingFiles: task.missingFiles,
    dismissedIds: task.dismissedIds,
  };
}

/** What the gates of an action look at: a hold on the task stops its steps, but the parties of a dispute are still heard. */
function gatedTask(task: TaskRow, action: TaskAction, now: Date): GateTask | undefined {
  // Selecting another provider has nothing to do with the present one.
  if (action === "select") return gateTask({ ...task, selectedProviderId: null }, { now });
  if (action === "choose_quote") {
    const amountPence = Math.min(...choosableQuotes(task, now).map((quote) => quote.amountPence));
    return gateTask({ ...task, selectedProviderId: null }, { amountPence, now });
  }
  return action === "dispute_statement" ? undefined : gateTask(task, { now });
}

/** The quotes that the requester can choose. Pure. */
const choosableQuotes = (task: TaskRow, now: Date) =>
  (task.choice?.quotes ?? []).filter(({ until }) => Date.parse(until) > now.getTime());

/** Whether this identity has the role that a step needs. Pure. */
export function hasRole(task: TaskRow, publicId: string, role: StepRole): boolean {
  switch (role) {
    case "requester":
      return publicId === task.requesterId;
    case "provider":
      return publicId === task.providerId;
    case "party":
      return publicId === task.requesterId || publicId === task.providerId;
    case "candidate":
      return true;
    default:
      return false;
  }
}

/** Whether a paid agreement is not funded yet. */
export function needsFunding(task: TaskRow): boolean {
  return (task.amountPence ?? 0) > 0 && task.funding !== "confirmed";
}

/** How far the funding of an agreement is. Pure. */
export function fundingOf(task: TaskRow): Turn["funding"] {
  if (!needsFunding(task)) return "not_needed";
  if (!task.pendingPayment) return "needed";
  return task.paymentMode === "TEST" ? "unconfirmed" : "pending";
}

/** What the task waits for this party to do; undefined while it waits for someone else. Pure. */
export function awaitedOf(task: TaskRow, publicId: string, now: Date): AwaitedAction | undefined {
  const role = publicId === task.requesterId ? "requester" : "provider";
  return awaitedAction({
    state: effectiveState(task, now),
    role,
    hasAccepted: (role === "requester" ? task.requesterAcceptedAt : task.providerAcceptedAt) !== null,
    funding: fundingOf(task),
    isHeld: task.heldAt !== null,
    isDisputed: task.disputeId !== null,
    owesStatement:
      task.disputeId !== null &&
      task.disputeOpenedBy !== publicId &&
      statementsLeft(task, publicId) === STATEMENTS_PER_SIDE,
  });
}

/** What has to happen before the agreement is funded. Pure. */
export function fundingRemedy(task: TaskRow): string {
  switch (fundingOf(task)) {
    case "unconfirmed":
      return "A TEST payment is pending. The requester must set its outcome with payments/confirm.php.";
    case "pending":
      return "The requester must pay at the open checkout. payments/intent.php returns its checkout_url.";
    default:
      return task.paymentMode === "TEST"
        ? "The requester must start a TEST payment with payments/intent.php, then set its outcome with payments/confirm.php."
        : "The requester must fund the agreement with payments/intent.php.";
  }
}

/**
 * Whether a dispute can be opened: the task has another party and has not ended. A completed LIVE task can be disputed until its
 * transfer is sent.
 */
export function isDisputable(task: TaskRow, now: Date): boolean {
  const state = effectiveState(task, now);
  return DISPUTABLE.includes(state) || (state === "completed" && task.transfer === "queued");
}

/** Whether the action makes no sense for this caller now, whatever the gates say: it is already done, or there is nothing to pay. */
function isMoot(task: TaskRow, publicId: string, action: TaskAction, now: Date): boolean {
  if (action === "claim") return publicId === task.requesterId;
  if (action === "quote")
    return task.openTo === "claims" || publicId === task.requesterId || publicId === task.selectedProviderId;
  if (action === "choose_quote") return choosableQuotes(task, now).length === 0;
  if (action === "accept") {
    return (publicId === task.requesterId ? task.requesterAcceptedAt : task.providerAcceptedAt) !== null;
  }
  // With a simulated payment under way, only its outcome is missing. At an open LIVE checkout, funding goes on.
  if (action === "fund") return !["needed", "pending"].includes(fundingOf(task));
  if (action === "confirm") return fundingOf(task) !== "unconfirmed";
  if (action === "cancel") return task.state === "accepted" && task.funding === "confirmed";
  if (action === "conclude") return task.reviewEndsAt !== null;
  if (action === "dispute_statement") return statementsLeft(task, publicId) === 0;
  if (action === "message") {
    const part = partOf(task, publicId, now);
    return part === "closed" || (part === "answer" && task.conversationCount === 0);
  }
  if (action === "clarify") return task.clarificationCount >= CLARIFICATIONS_PER_TASK;
  return action === "dispute" && (task.disputeId !== null || task.rehearsal);
}

function obstacles(task: TaskRow, caller: ServiceActor, action: TaskAction, now: Date): Obstacle[] {
  const like = action === "message" && partOf(task, caller.id, now) === "question" ? "claim" : action;
  const found: Obstacle[] = gatesAgainst(caller, action, gatedTask(task, action, now), like);
  if (action === "start" && needsFunding(task)) {
    found.push({
      gate: "funding",
      reason: "funding_required",
      remedy: fundingRemedy(task),
    });
  }
  if (action === "start" && task.moneyLost) {
    found.push({
      gate: "funding",
      reason: "funding_lost",
      remedy:
        "The payment was refunded or is disputed by the payer's bank. Work can start if the bank decides against the payer.",
    });
  }
  found.push(...missingScope(task, caller, action));
  const waiting = waitsFor(task, action, now);
  // What stops the caller itself is among its gates.
  const stopped = found.length === 0 ? stopOf(task, action) : undefined;
  return [...found, ...waiting, ...(stopped ? [stopped] : [])];
}

/** What the caller's access token lacks for this action. */
function missingScope(task: TaskRow, caller: ServiceActor, action: TaskAction): Obstacle[] {
  const scopes = accessOfActor(caller)?.scopes;
  const { scope } = CALLS[action];
  const needed = scope === "side" ? (caller.id === task.requesterId ? "order" : "work") : scope;
  if (!scopes || (needed !== null && hasScope(scopes, needed))) return [];
  const remedy = `This access token lacks the scope "${needed}". Ask the operator or owner of the agent for one that has it.`;
  return [{ gate: "scope", reason: "insufficient_scope", remedy }];
}

/** The steps that an open dispute blocks. A dispute that is opened after the step is simply open. */
const UNDISPUTED: readonly string[] = ["complete", "conclude", "leave", "give_up", "dismiss"];

const ENDS_WORK: readonly string[] = ["leave", "give_up"];

/** The other party's hold or suspension, where a step would move money meanwhile. An open dispute is in `waitsFor`. Pure. */
export function stopOf(task: TaskRow, action: string): Obstacle | undefined {
  const isPaid = task.funding === "pending" || task.funding === "confirmed";
  const isStopped =
    task.isStopped && !task.disputeId && (action === "conclude" || (ENDS_WORK.includes(action) && isPaid));
  return isStopped
    ? {
        gate: "stopped",
        reason: "party_stopped",
        remedy:
          "An administrator holds the other party or has suspended it, or its token has leaked. That must end first.",
      }
    : undefined;
}

/** What a step that ends a claim or a task has to wait for, besides its gates. Pure. */
export function waitsFor(task: TaskRow, action: string, now: Date): Obstacle[] {
  const found: Obstacle[] = [];
  const at = notBefore(task, action);
  if (at && at > now)
    found.push({ gate: "clock", reason: "too_early", remedy: `This step is possible from ${at.toISOString()} on.` });
  if (UNDISPUTED.includes(action) && task.disputeId)
    found.push({ gate: "dispute", reason: "dispute_open", remedy: "An administrator must resolve the dispute first." });
  if (ENDS_WORK.includes(action) && task.moneyDisputed)
    found.push({
      gate: "payment",
      reason: "chargeback",
      remedy:
        "The payer's bank disputes the payment (chargeback), and the administrator of this service decides what happens next.",
    });
  return found;
}

/** What the caller can do with the task in its current state, and what blocks it. Pure; the verbs apply the same rules. */
export function availableActions(task: TaskRow, caller: ServiceActor, now: Date): AvailableAction[] {
  const possible = POSSIBLE.get(effectiveState(task, now)) ?? [];
  return possible
    .filter(
      (action) =>
        hasRole(task, caller.id, RULES[action].by) &&
        (action !== "dispute" || isDisputable(task, now)) &&
        !isMoot(task, caller.id, action, now),
    )
    .map((action) => {
      const { path, operation, headers, fields: required } = CALL_WORDS[action];
      const fields = [...required, ...moreFields(task, caller, action, now)];
      const blocked = obstacles(task, caller, action, now);
      const early = notBefore(task, action);
      const checkoutUrl = action === "fund" ? task.pendingPayment?.checkoutUrl : undefined;
      return {
        action,
        method: "POST",
        path,
        operation,
        fields,
        values: valuesOf(task, caller, fields, now),
        headers: [...headers],
        ...(checkoutUrl ? { checkout_url: checkoutUrl } : {}),
        ...(early && early > now ? { not_before: iso(early) } : {}),
        ready: blocked.length === 0,
        blocked_by: blocked,
      };
    });
}

/** The optional fields that this task makes necessary. */
function moreFields(task: TaskRow, caller: ServiceActor, action: TaskAction, now: Date): string[] {
  const isAmongMany = partOf(task, caller.id, now) === "answer" && task.conversationCount > 1;
  if (action === "message" && isAmongMany) return ["to"];
  return action === "choose_quote" && task.choice?.needsTerms ? ["terms"] : [];
}

/** The fields whose value is a fact. What the caller has to decide, such as an amount or an outcome, is never one of them. */
const FACTS: Record<string, (task: TaskRow, caller: ServiceActor, now: Date) => string | null | undefined> = {
  public_id: (_task, caller) => caller.id,
  task_id: (task) => task.id,
  contract_id: (task) => task.contractId,
  terms_hash: (task) => task.termsHash,
  payment_id: (task) => task.pendingPayment?.id,
  dispute_id: (task) => task.disputeId,
  quote_id(task, _caller, now) {
    const [quote, ...others] = choosableQuotes(task, now);
    return others.length === 0 ? quote?.id : undefined;
  },
};

function valuesOf(task: TaskRow, caller: ServiceActor, fields: readonly string[], now: Date): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of fields) {
    const value = FACTS[name]?.(task, caller, now);
    if (value) values[name] = value;
  }
  return values;
}
