import { proofRemedy } from "#lib/identity/domain/domain-status.ts";
import { holdOn } from "#lib/identity/holds.ts";
import { accessOfActor, isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";
import { type GateResult, gateRefused } from "#lib/kernel/errors.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { type Deal, limitOn } from "#lib/owners/limits/gate.ts";

/** What gates know of a task; absent while it is being created. */
export type GateTask = {
  held: boolean;
  skill: string | null;
  requesterId: string;
  selectedProviderId: string | null;
  openTo: "claims" | "quotes";
  /** Whether the due date of the prepared terms has passed; absent without such a date. */
  termsStale?: boolean | undefined;
  /** Names of expected files that have not arrived; null if none are expected. */
  missingFiles?: readonly string[] | null;
  dismissedIds: readonly string[];
  /** What owner limits are compared with. */
  deal?: Deal | undefined;
};

type Gate = (
  caller: ServiceActor,
  action: GatedAction,
  task: GateTask | undefined,
  like: GatedAction,
) => { reason: string; remedy: string } | undefined;

const GATES = {
  hold: (caller, _action, task) => {
    const hold = holdOn(caller);
    if (hold) return hold;
    if (task?.held) return { reason: "task_held", remedy: "Ask the administrator to lift the hold on this task." };
  },
  permission: (caller, action, _task, like) => {
    const { partOf }: Action = ACTIONS[action];
    const denied = [action, partOf, like].find((each) => each && caller.deniedActions.includes(each));
    return denied
      ? { reason: "denied", remedy: `Ask the administrator to allow "${denied}" for this identity again.` }
      : undefined;
  },
  suspension: (caller) =>
    caller.suspended ? { reason: "suspended", remedy: "Ask the administrator to restore this identity." } : undefined,
  domain: (caller) =>
    isDomainProved(caller.domainStatus)
      ? undefined
      : {
          reason: caller.domainStatus,
          remedy: proofRemedy(caller.hasEndpoint),
        },
  skills: (caller, _action, task) =>
    task?.skill && !caller.skills.includes(task.skill)
      ? {
          reason: "missing_skill",
          remedy: `Add "${task.skill}" with agents/skills.php if this service has that skill.`,
        }
      : undefined,
  risk: (caller) =>
    caller.risk === "high"
      ? { reason: "high_risk", remedy: "Ask the administrator to review the risk level of this identity." }
      : undefined,
  not_self: (caller, _action, task) =>
    task?.requesterId === caller.id ? { reason: "own_task", remedy: "You cannot claim your own task." } : undefined,
  selected: (caller, action, task) => {
    if (task?.selectedProviderId)
      return task.selectedProviderId === caller.id
        ? undefined
        : {
            reason: "other_provider_selected",
            remedy: "Only the provider that the requester selected can claim this task.",
          };
    return action === "claim" && task?.openTo === "quotes"
      ? {
          reason: "quotes_wanted",
          remedy: "Make a quote with jobs/quote.php. Only the provider whose quote is chosen can claim this task.",
        }
      : undefined;
  },
  terms: (_caller, _action, task) =>
    task?.termsStale
      ? {
          reason: "terms_stale",
          remedy: "The due date in the requester's prepared terms has passed. The requester must prepare other terms.",
        }
      : undefined,
  files: (_caller, _action, task) =>
    task?.missingFiles?.length
      ? {
          reason: "files_missing",
          remedy: `The requester must first upload ${task.missingFiles.map((name) => `"${name}"`).join(", ")} with the hash that the task names.`,
        }
      : undefined,
  dismissed: (caller, _action, task) =>
    task?.dismissedIds.includes(caller.id)
      ? { reason: "dismissed", remedy: "The requester has dismissed you from this task. Claim another one." }
      : undefined,
  owner_limits: (caller, action, task) => limitOn(caller, action, task?.deal),
  access_limit: (caller, _action, task) => {
    const most = accessOfActor(caller)?.maxPricePence ?? null;
    const amount = task?.deal?.amountPence ?? 0;
    return most !== null && amount > most
      ? {
          reason: "over_access_limit",
          remedy: `This access token allows at most ${formatPence(most)}. Ask the operator or owner of the agent for one that allows more.`,
        }
      : undefined;
  },
} as const satisfies Record<string, Gate>;

type GateName = keyof typeof GATES;

type Action = {
  /** The gates before it; by default those of every step. */
  gates?: "work" | "claim";
  /** Whether owner limits can block it. */
  limited?: true;
  /** Whether it agrees to an amount, pays one, or sets a budget: an access token may have a highest amount for these. */
  priced?: true;
  /** The action that it is a part of, whose denial concerns it too. */
  partOf?: "claim" | "fund";
};

/** Every action that gates can refuse. Administrators deny and allow actions by the same names. */
const ACTIONS = {
  create: { limited: true, priced: true },
  order: { priced: true },
  prepare: { limited: true, priced: true },
  select: { limited: true },
  // Who may not claim may not offer to.
  quote: { gates: "claim", limited: true, partOf: "claim" },
  choose_quote: { limited: true, priced: true },
  claim: { gates: "claim", limited: true },
  release: {},
  dismiss: {},
  propose: { limited: true, priced: true },
  accept: { limited: true, priced: true },
  decline: {},
  start: { gates: "work" },
  submit: {},
  upload: {},
  request_changes: {},
  complete: {},
  conclude: {},
  leave: {},
  give_up: {},
  cancel: {},
  dispute: {},
  dispute_statement: {},
  message: {},
  clarify: {},
  fund: { limited: true, priced: true },
  // Who may not fund may not set the outcome of a payment either.
  confirm: { limited: true, priced: true, partOf: "fund" },
} as const satisfies Record<string, Action>;
export type GatedAction = keyof typeof ACTIONS;
export const GATED_ACTIONS = Object.keys(ACTIONS) as [GatedAction, ...GatedAction[]];

const EVERY_STEP: readonly GateName[] = ["hold", "permission", "suspension"];
const WORK: readonly GateName[] = [...EVERY_STEP, "domain", "skills", "risk"];
const GATES_OF = { step: EVERY_STEP, work: WORK, claim: [...WORK, "not_self", "selected", "dismissed"] } as const;

/** The gates before an action. */
function gatesOf(
  caller: ServiceActor,
  action: GatedAction,
  task: GateTask | undefined,
  like: GatedAction,
): readonly GateName[] {
  const { gates: asked, limited }: Action = ACTIONS[like];
  const { priced }: Action = ACTIONS[action];
  const gates: GateName[] = [...GATES_OF[asked ?? "step"]];
  // Only prepared terms with a due date can be out of date.
  if (action === "claim" && task?.termsStale !== undefined) gates.push("terms");
  // A task that expects no files does not have this one.
  if (action === "claim" && task?.missingFiles) gates.push("files");
  // An agent whose owner has set no limits does not see this gate.
  if (caller.ownerLimits && limited) gates.push("owner_limits");
  if (priced && accessOfActor(caller)?.maxPricePence != null) gates.push("access_limit");
  return gates;
}

/**
 * The results of all gates before an action, so that the caller sees every obstacle at once. Pure.
 * @param like the action whose gates have to let the caller through as well: who asks about a task must be able to claim it
 */
export function evaluateGates(
  caller: ServiceActor,
  action: GatedAction,
  task?: GateTask,
  like: GatedAction = action,
): GateResult[] {
  return gatesOf(caller, action, task, like).map((gate) => {
    const obstacle = (GATES[gate] as Gate)(caller, action, task, like);
    return { gate, passed: !obstacle, reason: obstacle?.reason ?? null, remedy: obstacle?.remedy ?? null };
  });
}

/** Of these gates, those that block the action. Every list of tasks asks for them. Pure. */
export function gatesAgainst(
  caller: ServiceActor,
  action: GatedAction,
  task: GateTask | undefined,
  like: GatedAction,
): { gate: GateName; reason: string; remedy: string }[] {
  const found = [];
  for (const gate of gatesOf(caller, action, task, like)) {
    const obstacle = (GATES[gate] as Gate)(caller, action, task, like);
    if (obstacle) found.push({ gate, ...obstacle });
  }
  return found;
}

/** @throws ApiError gate_refused with the result of every gate, if any of them blocks the action */
export function requireGates(
  caller: ServiceActor,
  action: GatedAction,
  task?: GateTask,
  like: GatedAction = action,
): void {
  const gates = evaluateGates(caller, action, task, like);
  if (gates.some(({ passed }) => !passed)) throw gateRefused(gates);
}
