import type { Chance } from "#stripe-stand-in/random.ts";
import { ABOUT_AGENT, type Act, type Verb } from "./act.ts";
import { paidPayment } from "./books.ts";
import { isUseful, type Option, pick } from "./options.ts";
import { stateOf } from "./rules.ts";
import { ACTIONS, type Action, type World } from "./world.ts";

// Sequences of commands that random choice would rarely produce.

type Plan = (world: World, chance: Chance, options: readonly Option[]) => Act[] | undefined;

/** The command that removes each obstacle, in a variant that does so. */
const LIFTS: Partial<Record<Verb, Pick<Act, "verb" | "variant">>> = {
  deny: { verb: "allow", variant: 0 },
  rate: { verb: "rate", variant: 1 },
  fail_check: { verb: "verify", variant: 0 },
  hold: { verb: "unhold", variant: 0 },
  hold_task: { verb: "unhold_task", variant: 0 },
  suspend: { verb: "restore", variant: 0 },
  dispute: { verb: "resolve", variant: 0 },
  charge_back: { verb: "end_chargeback", variant: 1 },
  restrict: { verb: "activate", variant: 0 },
};
const HIGH_RISK = 2;

function lifted(act: Act | undefined): Act[] {
  const lift = act && LIFTS[act.verb];
  return act && lift ? [{ ...act, ...lift }] : [];
}

/** Blocks a step that is possible, lets it be tried, and usually removes the obstacle. */
export const obstructing: Plan = (world, chance, options) => {
  const isStep = ({ act: { verb } }: Option) => verb === "confirm" || (ACTIONS as readonly Verb[]).includes(verb);
  const steps = options.filter((each) => isStep(each) && !each.expected.code && isUseful(world, each.act));
  const next = pick(
    chance,
    steps,
    ({ act }) => act.verb,
    ({ act }) => (act.verb === "start" ? 3 : 1),
  );
  if (!next) return undefined;
  const denied = ACTIONS.indexOf(next.verb === "confirm" ? "fund" : (next.verb as Action));
  const everyday: Act[][] = [
    [{ ...next, verb: "deny", variant: denied }],
    [{ ...next, verb: "hold" }],
    [{ ...next, verb: next.verb === "create" ? "hold" : "hold_task" }],
    [{ ...next, verb: "suspend" }],
  ];
  const check: Act = { ...next, verb: "fail_check" };
  const beforeWork: Act[][] = [[{ ...next, verb: "rate", variant: HIGH_RISK }], [check, check, check]];
  const ways = next.verb === "claim" || next.verb === "start" ? [...everyday, ...beforeWork, ...beforeWork] : everyday;
  const way = ways[chance.between(0, ways.length - 1)] ?? [];
  return [...way, next, ...(chance.next() < 3 / 4 ? lifted(way[0]) : [])];
};

const AGAINST_TRANSFERS: ReadonlySet<Verb> = new Set([
  ...(["hold_task", "hold", "suspend", "dispute", "refund", "charge_back", "restrict"] as const),
]);

/** Blocks a transfer in exactly one way, runs the background work, and sometimes removes the obstacle. */
export const holdingBack: Plan = (world, chance, options) => {
  // A refunded transfer is held back for good.
  const queued = world.tasks.findLast(
    (task) => task.settlement?.transfer === "queued" && paidPayment(task)?.refundedPence === 0,
  );
  if (!queued) return undefined;
  const isConcerned = ({ act: { verb, who, at } }: Option) =>
    ABOUT_AGENT.includes(verb) ? who === queued.requester || who === queued.provider : world.tasks[at] === queued;
  const good = options.filter((option) => !option.expected.code && isConcerned(option) && isUseful(world, option.act));
  const obstacles = good.filter(({ act }) => AGAINST_TRANSFERS.has(act.verb));
  const obstacle = pick(
    chance,
    obstacles,
    ({ act: { verb, who } }) => (ABOUT_AGENT.includes(verb) ? `${verb} ${who}` : verb),
    () => 1,
  );
  if (!obstacle) return undefined;
  const others = good.flatMap(({ act }) =>
    Object.values(LIFTS).flatMap(({ verb, variant }) => (verb === act.verb ? [{ ...act, variant }] : [])),
  );
  const [deliver, work]: Act[] = [
    { ...obstacle, verb: "deliver" },
    { ...obstacle, verb: "work" },
  ];
  const news = chance.next() < 1 / 2 ? [deliver as Act] : [];
  // A dispute may end either way.
  const own = lifted(obstacle).map((lift) => (lift.verb === "resolve" ? { ...lift, variant: obstacle.variant } : lift));
  const goesOn = obstacle.verb === "dispute" || obstacle.verb === "charge_back" ? 3 / 4 : 1 / 5;
  const after = chance.next() < goesOn ? [...own, deliver as Act, work as Act] : [];
  return [obstacle, ...others, ...news, work as Act, ...after];
};

/** Lets a task expire while something else is in progress. */
export const outliving: Plan = (world, chance, options) => {
  const good = options.filter(({ act, expected }) => !expected.code && world.tasks[act.at]?.overdue === false);
  const [first] = chance.shuffled(
    good.filter(({ act: { verb, at } }) => {
      const task = world.tasks[at];
      return task && ((verb === "release" && stateOf(task) === "claimed") || (verb === "claim" && task.selected));
    }),
  );
  if (!first) return undefined;
  const { act } = first;
  const over: Act = { ...act, verb: "pass_time" };
  if (act.verb === "claim") return [over, act, { ...act, verb: "list", who: "selected" }];
  return [{ ...act, verb: "dispute" }, over, act, { ...act, verb: "resolve", variant: 1 }];
};

/** Cancels or gives up what could still be paid at Stripe, perhaps too late. */
export const abandoning: Plan = (world, chance, options) => {
  const [cancel] = chance.shuffled(
    options.filter(({ act: { verb, at }, expected }) => {
      const task = world.tasks[at];
      const isEnd = verb === "cancel" || verb === "give_up";
      return isEnd && !expected.code && task?.mode === "LIVE" && task.settlement?.funding === "pending";
    }),
  );
  if (!cancel) return undefined;
  const { act } = cancel;
  const paid: Act[] = chance.next() < 1 / 2 ? [{ ...act, verb: "pay", variant: 0 }] : [];
  return [act, ...paid, { ...act, verb: "work" }];
};
