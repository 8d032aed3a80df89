import type { Act } from "./act.ts";
import type { Made } from "./stage.ts";
import type { Action, AgentName, ModelTask, TaskState, World } from "./world.ts";

/** The success of a command: its status, and how it changes the world. */
export type Effect = { status: 200 | 201; apply: (made: Made) => void };

/** What one command does. @throws Refusal */
export type Rule = (world: World, task: ModelTask, act: Act) => Effect;

export const does = (apply: (made: Made) => void = () => undefined): Effect => ({ status: 200, apply });

// The refusals of the API, in the order in which they are checked.

export const STATUS_OF = {
  identity_suspended: 403,
  not_found: 404,
  forbidden: 403,
  invalid_input: 422,
  terms_mismatch: 409,
  request_id_conflict: 409,
  state_conflict: 409,
  task_expired: 410,
  gate_refused: 403,
  funding_required: 402,
} as const;
export type Code = keyof typeof STATUS_OF;

/** Thrown thousands of times to find out what would be refused, so without an Error's stack. */
export class Refusal {
  readonly code: Code;
  /** The gates that block, in alphabetical order. */
  readonly gates: string[];
  constructor(code: Code, gates: string[] = []) {
    this.code = code;
    this.gates = gates.toSorted();
  }
}

export function refuseIf(on: boolean, code: Code): void {
  if (on) throw new Refusal(code);
}

/** Every call of a suspended identity is refused like this. */
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

export function hasEnded(task: ModelTask): boolean {
  return ["completed", "cancelled", "expired"].includes(stateOf(task));
}

export function mustBe(task: ModelTask, ...states: TaskState[]): void {
  const state = stateOf(task);
  if (states.includes(state)) return;
  throw new Refusal(state === "expired" ? "task_expired" : "state_conflict");
}

/** Holds and denials block every step; domain, skill and risk block those that take on work or offer to; one's own task cannot be claimed. */
export function mustPass(world: World, task: ModelTask | undefined, who: AgentName, action: Action): void {
  const { held, denied, proved, skills, risk } = world.agents[who];
  const isOffer = action === "claim" || action === "quote";
  const permission = denied.includes(action) || (isOffer && denied.includes("claim"));
  const blocked: Record<string, boolean> = { hold: held || task?.held === true, permission };
  if (isOffer || action === "start")
    Object.assign(blocked, {
      domain: !proved,
      skills: Boolean(task?.skill && !skills.includes(task.skill)),
      risk: risk === "high",
    });
  if (isOffer)
    Object.assign(blocked, {
      not_self: task?.requester === who,
      selected: task?.selected ? task.selected !== who : action === "claim" && task?.openTo === "quotes",
      dismissed: task?.dismissed.includes(who) === true,
    });
  const gates = Object.keys(blocked).filter((gate) => blocked[gate]);
  if (gates.length > 0) throw new Refusal("gate_refused", gates);
}
