import { actionOf, resolutionOf, riskOf } from "./act.ts";
import { does, type Rule } from "./effect.ts";
import { end } from "./predict-task.ts";
import { hasEnded, refuseIf } from "./rules.ts";
import { type Standing, wake } from "./world.ts";

const resolve: Rule = (world, task, act) => {
  const dispute = task.disputes.at(-1);
  refuseIf(!dispute, "not_found");
  refuseIf(!dispute?.open, "state_conflict");
  return does(() => {
    if (dispute) dispute.open = false;
    if (resolutionOf(act) === "provider") return wake(world, (each) => each === task);
    if (!hasEnded(task)) end(task);
    // Already completed: what has not been transferred never will be.
    else if (task.settlement?.transfer === "queued")
      Object.assign(task.settlement, { state: "void", transfer: "none" });
  });
};

const holds =
  (held: boolean): Rule =>
  (world, task) =>
    does(() => {
      task.held = held;
      if (!held) wake(world, (each) => each === task);
    });

const withStanding =
  (standing: Partial<Standing>): Rule =>
  (world, _task, { who }) =>
    does(() => {
      Object.assign(world.agents[who], standing);
      if (!standing.held && !standing.suspended)
        wake(world, ({ requester, provider }) => who === requester || who === provider);
    });

const deny: Rule = (world, _task, act) =>
  does(() => {
    const { denied } = world.agents[act.who];
    const action = actionOf(world, act);
    if (!denied.includes(action)) denied.push(action);
  });

const allow: Rule = (world, _task, act) =>
  does(() => {
    const agent = world.agents[act.who];
    const action = actionOf(world, act);
    agent.denied = agent.denied.filter((each) => each !== action);
  });

const rate: Rule = (world, _task, act) =>
  does(() => {
    world.agents[act.who].risk = riskOf(act);
  });

export const ADMINISTRATOR_RULES = {
  ...{ resolve, deny, allow, rate },
  hold_task: holds(true),
  unhold_task: holds(false),
  hold: withStanding({ held: true }),
  unhold: withStanding({ held: false }),
  suspend: withStanding({ suspended: true }),
  restore: withStanding({ suspended: false }),
};
