import { type Act, contractOf, needsTask, taskOf, type Verb } from "./act.ts";
import { AGREEMENT_RULES } from "./predict-agreement.ts";
import { OUTSIDE_RULES } from "./predict-outside.ts";
import { QUOTE_RULES } from "./predict-quote.ts";
import { TASK_RULES } from "./predict-task.ts";
import {
  type Code,
  does,
  isParty,
  mustNotBeSuspended,
  mustSee,
  Refusal,
  type Rule,
  refuseIf,
  STATUS_OF,
} from "./rules.ts";
import type { Made } from "./stage.ts";
import type { ModelTask, World } from "./world.ts";

export type Prediction = { status: number; code: Code | undefined; gates: string[]; apply: (made: Made) => void };

const show: Rule = (world, task, { who }) => {
  mustNotBeSuspended(world, who);
  mustSee(task, who);
  return does();
};

/** The parties of an agreement can always read it, even after someone else has claimed the task. */
const showContract: Rule = (world, task, act) => {
  const { who } = act;
  const contract = contractOf(task, act);
  mustNotBeSuspended(world, who);
  const isOwn = who === contract?.requester || who === contract?.provider;
  refuseIf(!contract || (!isOwn && !task.listed && !isParty(task, who)), "not_found");
  return does();
};

const list: Rule = (world, _task, { who }) => {
  mustNotBeSuspended(world, who);
  return does();
};

/** In this model every domain serves its proof. */
const verify: Rule = (world, _task, { who }) => {
  mustNotBeSuspended(world, who);
  return does(() => void Object.assign(world.agents[who], { proved: true, failedChecks: 0 }));
};

const RULES: Record<Verb, Rule> = {
  ...TASK_RULES,
  ...AGREEMENT_RULES,
  ...QUOTE_RULES,
  ...OUTSIDE_RULES,
  show,
  show_contract: showContract,
  list,
  verify,
};

/** The expected answer to a command; undefined if its subject does not exist yet. */
export function predict(world: World, act: Act): Prediction | undefined {
  const task = taskOf(world, act);
  if (!task && needsTask(act.verb)) return undefined;
  try {
    return { ...RULES[act.verb](world, task as ModelTask, act), code: undefined, gates: [] };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const { code, gates } = refusal;
    return { status: STATUS_OF[code], code, gates, apply: () => undefined };
  }
}
