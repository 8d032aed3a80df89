import type { ServiceActor } from "#lib/kernel/actor.ts";
import { statementsLeft } from "./disputes/parties.ts";
import { evaluateGates, type GatedAction, type GateTask } from "./gates.ts";
import { DISPUTABLE, effectiveState, STEPS, type StepRole, TASK_STATES, type TaskState } from "./machine.ts";
import type { DealParty } from "./owner-limits/limits.ts";
import type { TaskRow } from "./row.ts";

type Obstacle = { gate: string; reason: string; remedy: string };
type AvailableAction = {
  action: GatedAction;
  method: "POST";
  path: string;
  ready: boolean;
  blocked_by: Obstacle[];
};

const PATHS = {
  claim: "/api/v1/jobs/claim.php",
  release: "/api/v1/jobs/release.php",
  propose: "/api/v1/contracts/create.php",
  accept: "/api/v1/contracts/accept.php",
  decline: "/api/v1/contracts/decline.php",
  fund: "/api/v1/payments/intent.php",
  start: "/api/v1/jobs/start.php",
  submit: "/api/v1/jobs/submit.php",
  request_changes: "/api/v1/jobs/request_changes.php",
  complete: "/api/v1/jobs/complete.php",
  cancel: "/api/v1/jobs/cancel.php",
  dispute: "/api/v1/jobs/dispute.php",
  dispute_statement: "/api/v1/jobs/dispute_statement.php",
} as const satisfies Partial<Record<GatedAction, string>>;

type TaskAction = keyof typeof PATHS;

const RULES: Record<TaskAction, { by: StepRole; from: readonly TaskState[] }> = {
  ...STEPS,
  fund: { by: "requester", from: ["accepted"] },
  // A completed one only in some cases: see isDisputable.
  dispute: { by: "party", from: [...DISPUTABLE, "completed"] },
  dispute_statement: { by: "party", from: TASK_STATES },
};

const ACTIONS = Object.keys(PATHS) as TaskAction[];
/** The actions that a task's state alone does not rule out. */
const POSSIBLE = new Map(
  TASK_STATES.map((state) => [state, ACTIONS.filter((action) => RULES[action].from.includes(state))]),
);

/** @param amountPence what would be agreed; by default what is agreed, or else the budget */
export function gateTask(task: TaskRow, amountPence = task.amountPence ?? task.budgetPence): GateTask {
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
  };
}

/** What the gates of an action look at: a hold on the task stops its steps, but the parties of a dispute are still heard. */
function gatedTask(task: TaskRow, action: TaskAction): GateTask | undefined {
  return action === "dispute_statement" ? undefined : gateTask(task);
}

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

/**
 * Whether a dispute can be opened: the task has another party and has not ended. A completed LIVE task can be disputed until its
 * transfer is sent.
 */
export function isDisputable(task: TaskRow, now: Date): boolean {
  const state = effectiveState(task, now);
  return DISPUTABLE.includes(state) || (state === "completed" && task.transfer === "queued");
}

/** Whether the action makes no sense for this caller now, whatever the gates say: it is already done, or there is nothing to pay. */
function isMoot(task: TaskRow, publicId: string, action: TaskAction): boolean {
  if (action === "claim") return publicId === task.requesterId;
  if (action === "accept") {
    return (publicId === task.requesterId ? task.requesterAcceptedAt : task.providerAcceptedAt) !== null;
  }
  if (action === "fund") return !needsFunding(task);
  if (action === "cancel") return task.state === "accepted" && task.funding === "confirmed";
  if (action === "dispute_statement") return statementsLeft(task, publicId) === 0;
  return action === "dispute" && task.disputeId !== null;
}

function obstacles(task: TaskRow, caller: ServiceActor, action: TaskAction): Obstacle[] {
  const found: Obstacle[] = evaluateGates(caller, action, gatedTask(task, action)).flatMap(
    ({ gate, passed, reason, remedy }) => (passed ? [] : [{ gate, reason: reason ?? "", remedy: remedy ?? "" }]),
  );
  if (action === "start" && needsFunding(task)) {
    found.push({
      gate: "funding",
      reason: "funding_required",
      remedy: "The requester must fund the agreement with payments/intent.php.",
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
  if (action === "complete" && task.disputeId) {
    found.push({ gate: "dispute", reason: "dispute_open", remedy: "An administrator must resolve the dispute first." });
  }
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
        !isMoot(task, caller.id, action),
    )
    .map((action) => {
      const blocked = obstacles(task, caller, action);
      return { action, method: "POST", path: PATHS[action], ready: blocked.length === 0, blocked_by: blocked };
    });
}
