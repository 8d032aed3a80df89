import { actionOf, resolutionOf, riskOf } from "./act.ts";
import { approve, end } from "./predict-task.ts";
import { does, hasEnded, type Rule, refuseIf, stateOf } from "./rules.ts";
import { openDispute, type Standing } from "./world.ts";

const resolve: Rule = (_world, task, act) => {
  const dispute = task.disputes.at(-1);
  refuseIf(!dispute, "not_found");
  refuseIf(!dispute?.open, "state_conflict");
  return does(() => {
    if (dispute) dispute.open = false;
    if (resolutionOf(act) === "requester" && !hasEnded(task)) end(task);
  });
};

const completeFor: Rule = (_world, task) => {
  if (task.completedByAdministrator) return does();
  refuseIf(openDispute(task) !== undefined, "state_conflict");
  refuseIf(stateOf(task) !== "submitted", "state_conflict");
  return does(() => {
    task.completedByAdministrator = true;
    approve(task);
  });
};

const holds =
  (held: boolean): Rule =>
  (_world, task) =>
    does(() => {
      task.held = held;
    });

const withStanding =
  (standing: Partial<Standing>): Rule =>
  (world, _task, { who }) =>
    does(() => void Object.assign(world.agents[who], standing));

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

const passTime: Rule = (_world, task) =>
  does(() => {
    task.overdue = true;
  });

/** Tasks past their expiry count as expired before that is recorded. */
const sweep: Rule = () => does();

/** The daily check of a domain does not find the proof. */
const failCheck: Rule = (world, _task, { who }) =>
  does(() => {
    const agent = world.agents[who];
    if (!agent.proved) return;
    agent.failedChecks += 1;
    agent.proved = agent.failedChecks < 3;
  });

/** What no party does: the administrator's decisions, time and the service's own work. */
export const OUTSIDE_RULES = {
  resolve,
  deny,
  allow,
  rate,
  sweep,
  complete_for: completeFor,
  hold_task: holds(true),
  unhold_task: holds(false),
  hold: withStanding({ held: true }),
  unhold: withStanding({ held: false }),
  suspend: withStanding({ suspended: true }),
  restore: withStanding({ suspended: false }),
  pass_time: passTime,
  fail_check: failCheck,
};
