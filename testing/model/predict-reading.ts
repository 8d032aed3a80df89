import { contractOf } from "./act.ts";
import { does, type Rule } from "./effect.ts";
import { isParty, mustNotBeSuspended, mustSee, refuseIf } from "./rules.ts";

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

export const READING_RULES = { show, show_contract: showContract, list, verify };
