import {
  ACTIONS,
  type Action,
  type AgentName,
  type ModelContract,
  type ModelPayment,
  type ModelQuote,
  type ModelTask,
  PLAIN_SKILL,
  RARE_SKILL,
  type World,
} from "./world.ts";

/** Calls of identities over HTTP. */
export const SERVICE_VERBS = [
  ...(["create", "create_again", "prepare", "claim", "release", "propose", "accept", "decline"] as const),
  ...(["fund", "confirm"] as const),
  ...(["start", "submit", "request_changes", "complete", "cancel", "dispute"] as const),
  ...(["select", "dismiss", "leave", "give_up", "conclude"] as const),
  ...(["quote", "choose_quote", "withdraw_quote"] as const),
  ...(["show", "show_contract", "list", "verify"] as const),
];
export const ADMINISTRATOR_VERBS = [
  ...(["resolve", "hold_task", "unhold_task", "hold", "unhold", "suspend", "restore"] as const),
  ...(["deny", "allow", "rate", "complete_for"] as const),
];
/** Time, and the service's own work. */
export const OUTSIDE_VERBS = ["pass_time", "sweep", "fail_check"] as const;
type ServiceVerb = (typeof SERVICE_VERBS)[number];
export type Verb = ServiceVerb | (typeof ADMINISTRATOR_VERBS)[number] | (typeof OUTSIDE_VERBS)[number];

/** One command. `who` acts or is the subject; `at` selects a task; `variant` selects everything else. */
export type Act = { verb: Verb; who: AgentName; at: number; variant: number };

/** Verbs that concern an agent and no task, or a task and no particular agent. */
export const ABOUT_AGENT: readonly Verb[] = [
  ...(["create", "list", "verify", "hold", "unhold", "suspend", "restore", "deny", "allow", "rate"] as const),
  "fail_check",
];
export const ABOUT_TASK: readonly Verb[] = ["resolve", "hold_task", "unhold_task", "pass_time", "complete_for"];

export function taskOf(world: World, { at }: Act): ModelTask | undefined {
  return world.tasks[at % Math.max(1, world.tasks.length)];
}

/** The latest agreement of the task; sometimes an earlier one. */
export function contractOf(task: ModelTask | undefined, { variant }: Act): ModelContract | undefined {
  return variant % 6 === 5 ? task?.contracts[0] : task?.contracts.at(-1);
}

/** The latest attempt to pay; sometimes an earlier one. */
export function paymentOf(task: ModelTask | undefined, { variant }: Act): ModelPayment | undefined {
  return variant % 4 === 3 ? task?.payments[0] : task?.payments.at(-1);
}

/** The latest quote for the task; sometimes the first one. */
export function quoteOf(task: ModelTask | undefined, { variant }: Act): ModelQuote | undefined {
  return variant % 3 === 2 ? task?.quotes[0] : task?.quotes.at(-1);
}

/** Whether a choice brings terms; otherwise those that were prepared count. */
export const bringsTerms = ({ variant }: Act) => variant % 4 !== 1;

/** The fields of a new task. */
export function wishOf({ who, variant }: Act) {
  const listed = variant % 3 !== 0;
  const selected = variant % 5 < 2 && who !== "selected" ? ("selected" as const) : null;
  const skill = variant % 7 === 5 ? PLAIN_SKILL : variant % 7 === 6 ? RARE_SKILL : null;
  const openTo = listed && !selected && variant % 2 === 1 ? ("quotes" as const) : ("claims" as const);
  return { listed, selected, budgetPence: 1_000, skill, openTo };
}

/** The proposed amount: nothing where that is allowed, the whole budget, little, or a penny too much. */
export function amountOf(task: ModelTask, { variant }: Act): number {
  const { budgetPence: budget } = task;
  return variant % 13 === 12 ? budget + 1 : ([0, 1, budget][variant % 3] as number);
}

/** What is prepared: terms, mostly accepted in advance, or their removal. */
export function preparationOf(task: ModelTask, act: Act): ModelTask["prepared"] {
  return act.variant % 5 === 4 ? null : { amountPence: amountOf(task, act), accept: act.variant % 4 !== 0, only: null };
}

/** The action to deny, or a denied one to allow again. */
export function actionOf(world: World, { verb, who, variant }: Act): Action {
  const { denied } = world.agents[who];
  const choice = verb === "allow" && denied.length > 0 ? denied : ACTIONS;
  return choice[variant % choice.length] as Action;
}

export const riskOf = ({ variant }: Act) => (["low", "normal", "high", "high"] as const)[variant % 4] ?? "normal";
export const hasRightHash = ({ variant }: Act) => variant % 7 !== 6;
export const outcomeOf = ({ variant }: Act) => (variant % 3 === 2 ? ("decline" as const) : ("succeed" as const));
export const resolutionOf = ({ variant }: Act) => (variant % 2 === 0 ? ("provider" as const) : ("requester" as const));
/** Whether the retry under the same `client_request_id` has other content. */
export const isOtherRequest = ({ variant }: Act) => variant % 3 === 2;
