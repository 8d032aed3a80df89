import { type AgentName, type ModelTask, openDispute, type TaskState, type World } from "./world.ts";

// The refusals of the interface, in the order in which a caller learns of them.

export const STATUS_OF = {
  identity_suspended: 403,
  not_found: 404,
  forbidden: 403,
  invalid_input: 422,
  terms_mismatch: 409,
  state_conflict: 409,
  task_expired: 410,
  gate_refused: 403,
  funding_required: 402,
  /** Not the service but Stripe says no, to the payer. */
  checkout_closed: 400,
} as const;
export type Code = keyof typeof STATUS_OF;

export class Refusal extends Error {
  readonly code: Code;
  constructor(code: Code) {
    super(code);
    this.code = code;
  }
}

export function refuseIf(on: boolean, code: Code): void {
  if (on) throw new Refusal(code);
}

/** A suspended identity gets this from everything, whatever it asks for. */
export function mustNotBeSuspended(world: World, who: AgentName): void {
  refuseIf(world.agents[who].suspended, "identity_suspended");
}

/** @returns whether requester, selected provider or claiming provider */
export function isParty(task: ModelTask, who: AgentName): boolean {
  return who === task.requester || who === task.selected || who === task.provider;
}

export function mustSee(task: ModelTask, who: AgentName): void {
  refuseIf(!task.listed && !isParty(task, who), "not_found");
}

/** An open task past its time is expired, to everyone at once. */
export function stateOf(task: ModelTask): TaskState {
  return task.state === "open" && task.overdue ? "expired" : task.state;
}

export function mustBe(task: ModelTask, ...states: TaskState[]): void {
  const state = stateOf(task);
  if (states.includes(state)) return;
  throw new Refusal(state === "expired" ? "task_expired" : "state_conflict");
}

/** Holds shut everybody's steps; only who has proved a domain claims and starts. */
export function mustPass(world: World, task: ModelTask | undefined, who: AgentName, ...more: boolean[]): void {
  refuseIf(world.agents[who].held || task?.held === true || more.includes(false), "gate_refused");
}

export function isProved(who: AgentName): boolean {
  return who !== "stranger";
}

/** Whether Stripe would pass money on to this provider. */
export function isPayable(who: AgentName | undefined): boolean {
  return who === "selected" || who === "another";
}

/** Whether anything keeps money from being passed on. */
export function isHeldBack(world: World, task: ModelTask): boolean {
  const people = [task.requester, task.provider].map((who) => who && world.agents[who]);
  return task.held || openDispute(task) !== undefined || people.some((who) => who && (who.suspended || who.held));
}
