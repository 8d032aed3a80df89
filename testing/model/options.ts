import type { Chance } from "#stripe-stand-in/random.ts";
import { type Act, actionOf, needsAgent, needsTask, quoteOf, riskOf, VERBS } from "./act.ts";
import { type Prediction, predict } from "./predict.ts";
import { hasEnded } from "./rules.ts";
import { AGENTS, type ModelTask, type World } from "./world.ts";

const MOST_UNDER_WAY = 3;
const MOST_ENDED = 6;
const MOST = 10_000;

/** A command with the outcome that the model expects. */
export type Option = { act: Act; expected: Prediction };

/** Whether a successful command would change or show anything. */
export function isUseful(world: World, act: Act): boolean {
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
    case "create":
      return world.tasks.filter((each) => !hasEnded(each)).length < MOST_UNDER_WAY;
    case "quote":
      return (task?.quotes ?? []).filter(({ provider }) => provider === who).length < 3;
    case "choose_quote":
    case "withdraw_quote":
      return quoteOf(task, act)?.state === "live";
    case "accept":
      return task?.contracts.at(-1)?.acceptedBy.includes(who) === false;
    case "fund":
      return act.variant % 5 === 0 || !task?.payments.some(({ status }) => status === "pending");
    case "confirm":
      return task?.payments.at(-1)?.status === "pending";
    case "sweep":
      return world.tasks.some(({ state, overdue }) => state === "open" && overdue);
    default:
      return true;
  }
}

/** The tasks under way, and a few of those that have ended. */
function places(world: World, chance: Chance): number[] {
  const all = world.tasks.map((_, at) => at);
  const isOver = (at: number) => hasEnded(world.tasks[at] as ModelTask);
  return [...all.filter((at) => !isOver(at)), ...chance.shuffled(all.filter(isOver)).slice(0, MOST_ENDED)];
}

/** Every command that is possible now, each in one variant. */
export function everyOption(world: World, chance: Chance): Option[] {
  const variant = chance.between(0, MOST);
  const tasks = places(world, chance);
  return VERBS.flatMap((verb) =>
    (needsTask(verb) ? tasks : [0]).flatMap((at) =>
      (needsAgent(verb) ? AGENTS : AGENTS.slice(0, 1)).flatMap((who): Option[] => {
        const act = { verb, who, at, variant };
        const expected = predict(world, act);
        return expected ? [{ act, expected }] : [];
      }),
    ),
  );
}

/** Picks an item: first a group with the same key, by the group's weight, then one item of the group. */
export function pick(
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
