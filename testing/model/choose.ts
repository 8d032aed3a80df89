import type { Chance } from "#stripe-stand-in/random.ts";
import { type Act, type Verb, weightOf } from "./act.ts";
import { everyOption, isUseful, type Option, pick } from "./options.ts";
import { stateOf } from "./rules.ts";
import { ACTIONS, type Action, type World } from "./world.ts";

const REFUSAL_WEIGHTS: Record<string, number> = { gate_refused: 6, funding_required: 6, task_expired: 3 };

/** A command that the model expects to succeed: its verb by weight, the rest at random. */
function promising(world: World, chance: Chance, options: readonly Option[]): Act | undefined {
  const good = options.filter(({ act, expected }) => !expected.code && isUseful(world, act));
  return pick(
    chance,
    good,
    ({ act }) => act.verb,
    ({ act }) => weightOf(act.verb),
  );
}

/** A command that the model expects to be refused, for any of its reasons in any state; preferably one that comes last. */
function hopeless(world: World, chance: Chance, options: readonly Option[]): Act | undefined {
  const bad = options.filter(({ expected }) => expected.code);
  return pick(
    chance,
    bad,
    ({ act: { verb, at }, expected: { code, gates } }) =>
      code === "identity_suspended" ? code : [verb, code, world.tasks[at]?.state, ...gates].join(" "),
    ({ expected: { code } }) => REFUSAL_WEIGHTS[code ?? ""] ?? 1,
  );
}

// Sequences that random choice would rarely produce.

type Plan = (world: World, chance: Chance, options: readonly Option[]) => Act[] | undefined;

/** The command that removes each obstacle, in a variant that does so. */
const LIFTS: Partial<Record<Verb, Pick<Act, "verb" | "variant">>> = {
  deny: { verb: "allow", variant: 0 },
  rate: { verb: "rate", variant: 1 },
  fail_check: { verb: "verify", variant: 0 },
  hold: { verb: "unhold", variant: 0 },
  hold_task: { verb: "unhold_task", variant: 0 },
  suspend: { verb: "restore", variant: 0 },
};
const HIGH_RISK = 2;

function lifted(act: Act | undefined): Act[] {
  const lift = act && LIFTS[act.verb];
  return act && lift ? [{ ...act, ...lift }] : [];
}

/** Blocks a step that is possible, lets it be tried, and usually removes the obstacle. */
const obstructing: Plan = (world, chance, options) => {
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

/** Lets a task expire while something else is in progress. */
const outliving: Plan = (world, chance, options) => {
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

/** The next commands, usually one. About four in five are expected to succeed. */
export function choose(world: World, chance: Chance): Act[] {
  const options = everyOption(world, chance);
  const plan =
    (chance.next() < 1 / 12 ? obstructing(world, chance, options) : undefined) ??
    (chance.next() < 1 / 80 ? outliving(world, chance, options) : undefined);
  if (plan) return plan;
  const chosen =
    (chance.next() < 5 / 6 ? promising(world, chance, options) : undefined) ?? hopeless(world, chance, options);
  return [chosen ?? { verb: "create", who: "requester", at: 0, variant: 1 }];
}
