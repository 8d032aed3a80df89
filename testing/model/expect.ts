import type { Act } from "./act.ts";
import { predict } from "./predict.ts";
import { quoteStateOf } from "./predict-quote.ts";
import { stateOf } from "./rules.ts";
import { ACTIONS, type AgentName, type ModelTask, openDispute, type TaskState, type World } from "./world.ts";

// The expected content of answers, apart from status and code.

/** What can be denied, without what concerns no one task or is offered by another rule, and what is a part of it. */
const OFFERED = [...ACTIONS.filter((action) => action !== "create" && action !== "choose_quote"), "confirm" as const];
/** Steps that are shown although something other than a gate keeps them from being taken, and in which states. */
const WAITING: Partial<Record<(typeof OFFERED)[number], TaskState[]>> = {
  complete: ["submitted"],
  dismiss: ["claimed", "proposed"],
  leave: ["accepted", "in_progress"],
  give_up: ["accepted", "in_progress"],
  conclude: ["submitted"],
};

/** The actions that a task offers to a caller, and whether each would succeed now. */
export function expectedActions(world: World, task: ModelTask, who: AgentName): Record<string, boolean> {
  const entries = OFFERED.flatMap((verb): [string, boolean][] => {
    if ((verb === "claim" || verb === "quote") && who === task.requester) return [];
    if (verb === "quote" && who === task.selected) return [];
    if (verb === "accept" && task.contracts.at(-1)?.acceptedBy.includes(who)) return [];
    const pending = task.payments.filter(({ status }) => status === "pending");
    // A payment that is pending is confirmed; another beside it would be accepted, and is not offered.
    if (verb === "fund" && pending.length > 0) return [];
    const asked = verb === "confirm" ? { ...task, payments: pending } : task;
    const act: Act = { verb, who, at: 0, variant: 0 };
    const code = predict({ ...world, tasks: [asked] }, act)?.code;
    const waits = code === "state_conflict" && WAITING[verb]?.includes(stateOf(task));
    return !code || code === "gate_refused" || code === "funding_required" || waits ? [[verb, !code]] : [];
  });
  return Object.fromEntries([...entries, ...expectedStatement(world, task, who), ...expectedChoice(world, task, who)]);
}

export const liveQuotes = (task: ModelTask) => task.quotes.filter((quote) => quoteStateOf(task, quote) === "live");

/** A choice among quotes is offered while there is one whose provider could claim the task. */
function expectedChoice({ agents }: World, task: ModelTask, who: AgentName): [string, boolean][] {
  const isOffered = who === task.requester && liveQuotes(task).some(({ provider }) => !agents[provider].suspended);
  const { held, denied } = agents[who];
  return isOffered ? [["choose_quote", !held && !task.held && !denied.includes("choose_quote")]] : [];
}

/** Both parties of an open dispute can speak, whatever the state of the task. */
function expectedStatement(world: World, task: ModelTask, who: AgentName): [string, boolean][] {
  const dispute = openDispute(task);
  const isParty = who === task.requester || (who === task.provider && who === dispute?.provider);
  return dispute && isParty ? [["dispute_statement", !world.agents[who].held]] : [];
}

export type Lists = Record<"list" | "mine" | "provided" | "inbox", string[]>;

/** The tasks that a caller finds in each list, newest first. */
export function expectedLists({ tasks }: World, who: AgentName): Lists {
  const those = (test: (task: ModelTask) => boolean) =>
    tasks
      .filter(test)
      .map(({ id }) => id)
      .reverse();
  return {
    list: those(({ listed }) => listed),
    mine: those(({ requester, provider }) => who === requester || who === provider),
    provided: those(({ provider }) => who === provider),
    inbox: those((task) => who === task.selected && stateOf(task) === "open"),
  };
}
