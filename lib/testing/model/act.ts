import type { AgentName, ModelContract, ModelPayment, ModelTask, World } from "./world.ts";

export const SERVICE_VERBS = [
  "create",
  "claim",
  "release",
  "propose",
  "accept",
  "decline",
  "fund",
  "confirm",
  "start",
  "submit",
  "request_changes",
  "complete",
  "cancel",
  "dispute",
  "show",
] as const;
export const ADMINISTRATOR_VERBS = [
  "resolve",
  "hold_task",
  "unhold_task",
  "hold",
  "unhold",
  "suspend",
  "restore",
] as const;
export const OUTSIDE_VERBS = ["pay", "expire_checkout", "deliver", "work", "pass_time"] as const;
export type ServiceVerb = (typeof SERVICE_VERBS)[number];
export type Verb = ServiceVerb | (typeof ADMINISTRATOR_VERBS)[number] | (typeof OUTSIDE_VERBS)[number];

/** One command. `who` acts, or is acted upon by the administrator; `at` picks a task; `variant` picks everything else. */
export type Act = { verb: Verb; who: AgentName; at: number; variant: number };

export function taskOf(world: World, { at }: Act): ModelTask | undefined {
  return world.tasks[at % Math.max(1, world.tasks.length)];
}

/** The latest agreement of the task; now and then an earlier one. */
export function contractOf(task: ModelTask | undefined, { variant }: Act): ModelContract | undefined {
  return variant % 6 === 5 ? task?.contracts[0] : task?.contracts.at(-1);
}

/** The latest attempt to pay; now and then an earlier one. */
export function paymentOf(task: ModelTask | undefined, { variant }: Act): ModelPayment | undefined {
  return variant % 4 === 3 ? task?.payments[0] : task?.payments.at(-1);
}

/** What a new task is like. */
export function wishOf({ who, variant }: Act) {
  const mode = variant % 2 === 0 ? ("LIVE" as const) : ("TEST" as const);
  const listed = variant % 3 !== 0;
  const selected = variant % 5 < 2 && who !== "selected" ? ("selected" as const) : null;
  const budgetPence = variant % 11 === 10 ? 998 : mode === "LIVE" ? 2_001 : 1_000;
  return { mode, listed, selected, budgetPence };
}

/** What is offered for a task: free where it may be, its whole budget, little, or a penny too much. */
export function amountOf(task: ModelTask, { variant }: Act): number {
  const { budgetPence: budget } = task;
  const usual = task.mode === "LIVE" ? [budget, 999, budget] : [0, 1, budget];
  if (variant % 13 === 12) return budget + 1;
  if (variant % 13 === 11) return 998;
  return usual[variant % 3] as number;
}

export const hasRightHash = ({ variant }: Act) => variant % 7 !== 6;
export const outcomeOf = ({ variant }: Act) => (variant % 3 === 2 ? ("decline" as const) : ("succeed" as const));
export const resolutionOf = ({ variant }: Act) => (variant % 2 === 0 ? ("provider" as const) : ("requester" as const));
/** Whether news comes twice and the later first. */
export const isDisorderly = ({ variant }: Act) => variant % 2 === 1;
