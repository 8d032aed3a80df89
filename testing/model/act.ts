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

type Command = {
  /** How often it is chosen where the model expects it to succeed. With equal weights few tasks would get far. */
  weight: number;
  /** What it concerns, if not a task and an agent. */
  about?: "agent" | "task" | "nothing";
};

/** Everything that an identity calls over HTTP, that an administrator decides, and that time and the service do. */
const COMMANDS = {
  create: { weight: 12, about: "agent" },
  create_again: { weight: 2 },
  prepare: { weight: 8 },
  claim: { weight: 16 },
  release: { weight: 4 },
  propose: { weight: 30 },
  accept: { weight: 50 },
  decline: { weight: 6 },
  fund: { weight: 60 },
  confirm: { weight: 40 },
  start: { weight: 70 },
  submit: { weight: 90 },
  request_changes: { weight: 40 },
  complete: { weight: 120 },
  cancel: { weight: 1 },
  dispute: { weight: 6 },
  select: { weight: 1 },
  dismiss: { weight: 3 },
  leave: { weight: 1 },
  give_up: { weight: 4 },
  conclude: { weight: 1 },
  quote: { weight: 20 },
  choose_quote: { weight: 24 },
  withdraw_quote: { weight: 6 },
  show: { weight: 1 },
  show_contract: { weight: 2 },
  list: { weight: 3, about: "agent" },
  verify: { weight: 16, about: "agent" },
  resolve: { weight: 10, about: "task" },
  hold_task: { weight: 1, about: "task" },
  unhold_task: { weight: 30, about: "task" },
  hold: { weight: 1, about: "agent" },
  unhold: { weight: 30, about: "agent" },
  suspend: { weight: 1, about: "agent" },
  restore: { weight: 40, about: "agent" },
  deny: { weight: 2, about: "agent" },
  allow: { weight: 16, about: "agent" },
  rate: { weight: 2, about: "agent" },
  complete_for: { weight: 10, about: "task" },
  pass_time: { weight: 1, about: "task" },
  sweep: { weight: 3, about: "nothing" },
  fail_check: { weight: 2, about: "agent" },
} as const satisfies Record<string, Command>;
export type Verb = keyof typeof COMMANDS;
export const VERBS = Object.keys(COMMANDS) as Verb[];

export const weightOf = (verb: Verb) => COMMANDS[verb].weight;
const aboutOf = (verb: Verb): Command["about"] => (COMMANDS[verb] as Command).about;
export const needsTask = (verb: Verb) => [undefined, "task"].includes(aboutOf(verb));
export const needsAgent = (verb: Verb) => [undefined, "agent"].includes(aboutOf(verb));

/** One command. `who` acts or is the subject; `at` selects a task; `variant` selects everything else. */
export type Act = { verb: Verb; who: AgentName; at: number; variant: number };

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
