import type { Chance } from "#lib/testing/stripe/random.ts";
import {
  ABOUT_AGENT,
  ABOUT_NOTHING,
  ABOUT_TASK,
  type Act,
  ADMINISTRATOR_VERBS,
  actionOf,
  OUTSIDE_VERBS,
  riskOf,
  SERVICE_VERBS,
  type Verb,
} from "./act.ts";
import { paidPayment } from "./books.ts";
import { type Prediction, predict } from "./predict.ts";
import { hasNews } from "./predict-work.ts";
import { hasEnded } from "./rules.ts";
import { ACTIONS, type Action, AGENTS, type ModelTask, type World } from "./world.ts";

const VERBS: readonly Verb[] = [...SERVICE_VERBS, ...ADMINISTRATOR_VERBS, ...OUTSIDE_VERBS];

// How gladly a command is taken that is expected to succeed. Left to chance alone, few tasks would get far.
const WEIGHTS: Record<Verb, number> = {
  ...{ create: 24, claim: 24, release: 3, propose: 30, accept: 40, decline: 5, fund: 40, confirm: 40, start: 40 },
  ...{ submit: 40, request_changes: 14, complete: 40, cancel: 1, dispute: 2, resolve: 8 },
  ...{ create_again: 1, show: 3, show_contract: 2, list: 3, verify: 16 },
  ...{ hold_task: 2, unhold_task: 20, hold: 1, unhold: 20, suspend: 1, restore: 24, deny: 3, allow: 12, rate: 2 },
  ...{ pay: 60, expire_checkout: 12, refund: 5, charge_back: 5, end_chargeback: 16, reverse: 20 },
  ...{ restrict: 2, activate: 16, fail_check: 3, deliver: 30, work: 30, pass_time: 2, sweep: 16 },
};
const MOST_UNDER_WAY = 4;
const MOST_ENDED = 6;
const MOST = 10_000;

/** An act with what the model says of it. */
type Option = { act: Act; expected: Prediction };

/** Whether a command that would succeed also changes, or shows, anything. */
function isUseful(world: World, act: Act): boolean {
  const { verb, who, at } = act;
  const task = world.tasks[at];
  const agent = world.agents[who];
  switch (verb) {
    case "unhold":
      return agent.held;
    case "restore":
      return agent.suspended;
    case "unhold_task":
      return task?.held === true;
    case "deny":
    case "allow":
      return agent.denied.includes(actionOf(world, act)) === (verb === "allow");
    case "rate":
      return agent.risk !== riskOf(act);
    case "verify":
      return !agent.proved;
    case "fail_check":
      return agent.proved;
    case "restrict":
    case "activate":
      return agent.account?.ready === (verb === "restrict");
    case "create":
      return world.tasks.filter((each) => !hasEnded(each)).length < MOST_UNDER_WAY;
    case "accept":
      return task?.contracts.at(-1)?.acceptedBy.includes(who) === false;
    case "fund":
      return act.variant % 5 === 0 || !task?.payments.some(({ status }) => status === "pending");
    case "confirm":
      return task?.payments.at(-1)?.status === "pending";
    case "deliver":
      return hasNews(world, "sent");
    case "work":
      return hasNews(world, "delivered") || world.tasks.some(waitsForWork);
    case "sweep":
      return world.tasks.some(({ state, overdue }) => state === "open" && overdue);
    default:
      return true;
  }
}

function waitsForWork({ payments, settlement }: ModelTask): boolean {
  return settlement?.transfer === "queued" || payments.some(({ closing }) => closing);
}

/** The tasks under way, and a few of those that have ended. */
function places(world: World, chance: Chance): number[] {
  const all = world.tasks.map((_, at) => at);
  const isOver = (at: number) => hasEnded(world.tasks[at] as ModelTask) && !waitsForWork(world.tasks[at] as ModelTask);
  return [...all.filter((at) => !isOver(at)), ...chance.shuffled(all.filter(isOver)).slice(0, MOST_ENDED)];
}

/** Every command that could be given now, each in one variant. */
function everyOption(world: World, chance: Chance): Option[] {
  const variant = chance.between(0, MOST);
  const tasks = places(world, chance);
  return VERBS.flatMap((verb) => {
    const needsTask = !ABOUT_NOTHING.includes(verb) && !ABOUT_AGENT.includes(verb);
    const needsAgent = !ABOUT_NOTHING.includes(verb) && !ABOUT_TASK.includes(verb);
    return (needsTask ? tasks : [0]).flatMap((at) =>
      (needsAgent ? AGENTS : AGENTS.slice(0, 1)).flatMap((who): Option[] => {
        const act = { verb, who, at, variant };
        const expected = predict(world, act);
        return expected ? [{ act, expected }] : [];
      }),
    );
  });
}

/** One of these: first a group of those with the same key, by the group's weight, then one of the group. */
function pick(
  chance: Chance,
  options: readonly Option[],
  keyOf: (option: Option) => string,
  weightOf: (option: Option) => number,
): Act | undefined {
  const groups = [...Map.groupBy(options, keyOf).values()].map((those) => ({
    those,
    weight: weightOf(those[0] as Option),
  }));
  let left = chance.between(0, groups.reduce((sum, { weight }) => sum + weight, 0) - 1);
  for (const { those, weight } of groups) {
    if (left < weight) return those[chance.between(0, those.length - 1)]?.act;
    left -= weight;
  }
  return undefined;
}

/** A command that the model expects to succeed: its verb by weight, the rest by chance. */
function promising(world: World, chance: Chance, options: readonly Option[]): Act | undefined {
  const good = options.filter(({ act, expected }) => !expected.code && isUseful(world, act));
  return pick(
    chance,
    good,
    ({ act }) => act.verb,
    ({ act }) => WEIGHTS[act.verb],
  );
}

/** A command that the model expects to be refused, for any of its reasons; preferably one that nothing but its gates stops. */
function hopeless(chance: Chance, options: readonly Option[]): Act | undefined {
  const bad = options.filter(({ expected }) => expected.code);
  return pick(
    chance,
    bad,
    ({ act: { verb }, expected: { code, gates } }) =>
      code === "identity_suspended" ? code : [verb, code, ...gates].join(" "),
    ({ expected: { gates } }) => (gates.length > 0 ? 8 : 1),
  );
}

/** Denies what somebody could do next. */
function denying(world: World, chance: Chance, options: readonly Option[]): Act | undefined {
  const next = promising(
    world,
    chance,
    options.filter(({ act }) => (ACTIONS as readonly Verb[]).includes(act.verb)),
  );
  const action = ACTIONS.indexOf(next?.verb as Action);
  return next && { ...next, verb: "deny", variant: action + ACTIONS.length * chance.between(0, 99) };
}

const INTERVENTIONS: ReadonlySet<Verb> = new Set([
  ...(["hold_task", "unhold_task", "hold", "unhold", "suspend", "restore", "dispute", "resolve"] as const),
  ...(["refund", "charge_back", "end_chargeback", "restrict", "activate", "deliver", "work"] as const),
]);

/** Money on its way, or lost, is what interventions are about, and it is not on its way for long. */
function intervening(world: World, chance: Chance, options: readonly Option[]): Act | undefined {
  const concerned = world.tasks.filter(
    (task) => task.settlement?.transfer === "queued" || (paidPayment(task) && !hasEnded(task) && task.mode === "LIVE"),
  );
  const people = new Set(concerned.flatMap(({ requester, provider }) => [requester, provider]));
  const isConcerned = ({ act: { verb, who, at } }: Option) =>
    ABOUT_AGENT.includes(verb)
      ? people.has(who)
      : ABOUT_NOTHING.includes(verb) || concerned.includes(world.tasks[at] as ModelTask);
  const those = options.filter(
    (option) =>
      INTERVENTIONS.has(option.act.verb) && !option.expected.code && isConcerned(option) && isUseful(world, option.act),
  );
  return concerned.length > 0 ? promising(world, chance, those) : undefined;
}

/** The next command: some three in four are expected to succeed. */
export function choose(world: World, chance: Chance): Act {
  const options = everyOption(world, chance);
  const luck = chance.next();
  const chosen =
    (luck < 0.05 ? denying(world, chance, options) : undefined) ??
    (luck < 0.2 ? intervening(world, chance, options) : undefined) ??
    (luck < 0.75 ? promising(world, chance, options) : undefined) ??
    hopeless(chance, options);
  return chosen ?? { verb: "create", who: "requester", at: 0, variant: 1 };
}
