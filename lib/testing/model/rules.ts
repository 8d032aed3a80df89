import { isMoneyLost } from "./books.ts";
import { type Action, type AgentName, type ModelTask, openDispute, type TaskState, type World } from "./world.ts";

// The refusals of the interface, in the order in which a caller learns of them.

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
  /** Not the service but Stripe says no, to whoever asked it. */
  stripe_refused: 400,
} as const;
export type Code = keyof typeof STATUS_OF;

/** Thrown by the thousand to find out what would be refused, therefore without the stack of an Error. */
export class Refusal {
  readonly code: Code;
  /** The gates that are shut, in alphabetical order. */
  readonly gates: string[];
  /** What changes all the same. */
  readonly apply: () => void;
  constructor(code: Code, gates: string[] = [], apply: () => void = () => undefined) {
    this.code = code;
    this.gates = gates.toSorted();
    this.apply = apply;
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

export function hasEnded(task: ModelTask): boolean {
  return ["completed", "cancelled", "expired"].includes(stateOf(task));
}

export function mustBe(task: ModelTask, ...states: TaskState[]): void {
  const state = stateOf(task);
  if (states.includes(state)) return;
  throw new Refusal(state === "expired" ? "task_expired" : "state_conflict");
}

/** Holds and denials shut every step; proof, skill and risk those that take work on; a claim must also be somebody else's. */
export function mustPass(world: World, task: ModelTask | undefined, who: AgentName, action: Action): void {
  const { held, denied, proved, skills, risk } = world.agents[who];
  const shut: Record<string, boolean> = { hold: held || task?.held === true, permission: denied.includes(action) };
  if (action === "claim" || action === "start")
    Object.assign(shut, {
      domain: !proved,
      skills: Boolean(task?.skill && !skills.includes(task.skill)),
      risk: risk === "high",
    });
  if (action === "claim")
    Object.assign(shut, {
      not_self: task?.requester === who,
      selected: Boolean(task?.selected && task.selected !== who),
    });
  const gates = Object.keys(shut).filter((gate) => shut[gate]);
  if (gates.length > 0) throw new Refusal("gate_refused", gates);
}

/** Whether anything that the service knows keeps money from being passed on, the provider's account aside. */
export function isHeldBack(world: World, task: ModelTask): boolean {
  const people = [task.requester, task.provider].map((who) => who && world.agents[who]);
  return (
    task.held ||
    isMoneyLost(task) ||
    openDispute(task) !== undefined ||
    people.some((who) => who && (who.suspended || who.held))
  );
}
