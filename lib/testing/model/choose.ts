import type { Chance } from "#lib/testing/stripe/random.ts";
import { type Act, SERVICE_VERBS, type Verb } from "./act.ts";
import { predict } from "./predict.ts";
import { stateOf } from "./rules.ts";
import { AGENTS, type ModelTask, type World } from "./world.ts";

// How gladly a command is taken that is expected to succeed. Left to chance alone, few tasks would get far.
const WEIGHTS: Record<Verb, number> = {
  ...{ create: 24, claim: 24, release: 3, propose: 30, accept: 40, decline: 5, fund: 40, confirm: 40, start: 40 },
  ...{ submit: 40, request_changes: 14, complete: 30, cancel: 1, dispute: 2, show: 1, resolve: 6 },
  ...{ hold_task: 2, unhold_task: 16, hold: 2, unhold: 16, suspend: 2, restore: 16 },
  ...{ pay: 40, expire_checkout: 30, deliver: 24, work: 24, pass_time: 1 },
};
const VERBS = Object.keys(WEIGHTS) as Verb[];
const LIFTS: Partial<Record<Verb, "held" | "suspended">> = { unhold: "held", restore: "suspended" };
const MOST_UNDER_WAY = 4;

/** Whether a command that would succeed also changes anything. */
function isUseful(world: World, act: Act): boolean {
  const { verb, who, at } = act;
  const task = world.tasks[at];
  const lifted = LIFTS[verb];
  if (lifted) return world.agents[who][lifted];
  if (verb === "unhold_task") return task?.held === true;
  if (verb === "create") return world.tasks.filter((each) => !hasEnded(each)).length < MOST_UNDER_WAY;
  if (verb === "accept") return task?.contracts.at(-1)?.acceptedBy.includes(who) === false;
  if (verb === "fund") return act.variant % 5 === 0 || !task?.payments.some(({ status }) => status === "pending");
  if (verb === "confirm") return task?.payments.at(-1)?.status === "pending";
  if (verb === "deliver") return world.tasks.some(({ payments }) => payments.some(({ news }) => news === "sent"));
  if (verb === "work") return world.tasks.some(isWaitingForWork);
  return true;
}

function hasEnded(task: ModelTask): boolean {
  return ["completed", "cancelled", "expired"].includes(stateOf(task));
}

function isWaitingForWork({ payments, settlement }: ModelTask): boolean {
  return settlement?.transfer === "queued" || payments.some(({ news, closing }) => closing || news === "delivered");
}

function everyAct(world: World, verb: Verb, variant: number): Act[] {
  const places = Array.from({ length: Math.max(1, world.tasks.length) }, (_, at) => at);
  return places.flatMap((at) => AGENTS.map((who): Act => ({ verb, who, at, variant })));
}

/** One of the commands that the model expects to succeed. */
function promising(world: World, chance: Chance): Act | undefined {
  const variant = chance.between(0, MOST);
  const good = VERBS.map((verb) => ({
    weight: WEIGHTS[verb],
    acts: everyAct(world, verb, variant).filter(
      (act) => isUseful(world, act) && (predict(world, act)?.status ?? 404) < 400,
    ),
  })).filter(({ acts }) => acts.length > 0);
  let left = chance.between(0, good.reduce((sum, { weight }) => sum + weight, 0) - 1);
  for (const { weight, acts } of good) {
    if (left < weight) return acts[chance.between(0, acts.length - 1)];
    left -= weight;
  }
  return undefined;
}

/** The same command by somebody whose command it is, if there is such a one: too early or too late, perhaps. */
function rightful(world: World, act: Act): Act {
  const all = AGENTS.map((who) => ({ ...act, who }));
  return all.find((each) => !["forbidden", "not_found"].includes(predict(world, each)?.code ?? "")) ?? act;
}

const MOST = 10_000;

const INTERVENTIONS = ["hold_task", "unhold_task", "hold", "unhold", "suspend", "restore", "dispute", "work"] as const;

/** The next command: three in four are expected to succeed, the others are attempts at anything. */
export function choose(world: World, chance: Chance): Act {
  const one = <T>(of: readonly T[]): T => of[chance.between(0, of.length - 1)] as T;
  // Money on its way is what interventions are about, and it is not on its way for long.
  const queued = world.tasks.findIndex(({ settlement }) => settlement?.transfer === "queued");
  if (queued >= 0 && chance.next() < 1 / 2) {
    const { requester, provider } = world.tasks[queued] as ModelTask;
    const who = one([requester, provider ?? requester]);
    return { verb: one(INTERVENTIONS), who, at: queued, variant: chance.between(0, MOST) };
  }
  const expected = chance.next() < 3 / 4 ? promising(world, chance) : undefined;
  if (expected) return expected;
  const at = chance.between(0, Math.max(0, world.tasks.length - 1));
  const verbs: readonly Verb[] = chance.next() < 5 / 6 ? SERVICE_VERBS : VERBS;
  const act: Act = {
    verb: world.tasks.length > 0 ? one(verbs) : "create",
    who: one(AGENTS),
    at,
    variant: chance.between(0, MOST),
  };
  return chance.next() < 1 / 2 ? rightful(world, act) : act;
}
