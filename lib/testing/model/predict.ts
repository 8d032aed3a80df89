import { type Act, taskOf, type Verb } from "./act.ts";
import { AGREEMENT_RULES } from "./predict-agreement.ts";
import { MONEY_RULES } from "./predict-money.ts";
import { OUTSIDE_RULES } from "./predict-outside.ts";
import { TASK_RULES } from "./predict-task.ts";
import { type Code, Refusal, STATUS_OF } from "./rules.ts";
import type { ModelTask, World } from "./world.ts";

/** What the service has made, as its answer names it; the model chooses no names. */
export type Made = { id: string; hash: string };

/** The success of a command: its status, and what it makes of the world. */
export type Effect = { status: 200 | 201; apply: (made: Made) => void };

/** What one command does. @throws Refusal */
export type Rule = (world: World, task: ModelTask, act: Act) => Effect;

export type Prediction = { status: number; code: Code | undefined; apply: (made: Made) => void };

const RULES: Record<Verb, Rule> = { ...TASK_RULES, ...AGREEMENT_RULES, ...MONEY_RULES, ...OUTSIDE_RULES };
const NEEDS_NO_TASK: readonly Verb[] = ["create", "hold", "unhold", "suspend", "restore", "deliver", "work"];

/** What the service has to answer to a command; undefined where there is nothing yet that it could be about. */
export function predict(world: World, act: Act): Prediction | undefined {
  const task = taskOf(world, act);
  if (!task && !NEEDS_NO_TASK.includes(act.verb)) return undefined;
  try {
    return { ...RULES[act.verb](world, task as ModelTask, act), code: undefined };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { status: STATUS_OF[refusal.code], code: refusal.code, apply: () => undefined };
  }
}
