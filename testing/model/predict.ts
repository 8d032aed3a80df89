import { ABOUT_AGENT, ABOUT_NOTHING, type Act, taskOf, type Verb } from "./act.ts";
import type { Made, Rule } from "./effect.ts";
import { ADMINISTRATOR_RULES } from "./predict-administrator.ts";
import { AGREEMENT_RULES } from "./predict-agreement.ts";
import { MONEY_RULES } from "./predict-money.ts";
import { OUTSIDE_RULES } from "./predict-outside.ts";
import { QUOTE_RULES } from "./predict-quote.ts";
import { READING_RULES } from "./predict-reading.ts";
import { TASK_RULES } from "./predict-task.ts";
import { WORK_RULES } from "./predict-work.ts";
import { type Code, Refusal, STATUS_OF } from "./rules.ts";
import type { ModelTask, World } from "./world.ts";

export type Prediction = { status: number; code: Code | undefined; gates: string[]; apply: (made: Made) => void };

const RULES: Record<Verb, Rule> = {
  ...{ ...TASK_RULES, ...AGREEMENT_RULES, ...MONEY_RULES, ...READING_RULES, ...QUOTE_RULES },
  ...{ ...ADMINISTRATOR_RULES, ...OUTSIDE_RULES, ...WORK_RULES },
};
const NEEDS_NO_TASK: readonly Verb[] = [...ABOUT_NOTHING, ...ABOUT_AGENT];

/** The expected answer to a command; undefined if its subject does not exist yet. */
export function predict(world: World, act: Act): Prediction | undefined {
  const task = taskOf(world, act);
  if (!task && !NEEDS_NO_TASK.includes(act.verb)) return undefined;
  try {
    return { ...RULES[act.verb](world, task as ModelTask, act), code: undefined, gates: [] };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const { code, gates, apply } = refusal;
    return { status: STATUS_OF[code], code, gates, apply };
  }
}
