import { amountOf, contractOf, hasRightHash } from "./act.ts";
import type { Rule } from "./effect.ts";
import { isProposable, mustBe, mustNotBeSuspended, mustPass, mustSee, refuseIf } from "./rules.ts";
import { type AgentName, type ModelContract, type ModelTask, nothingSent } from "./world.ts";

function mustBePartyTo(contract: ModelContract | undefined, task: ModelTask, who: AgentName): ModelContract {
  refuseIf(!contract, "not_found");
  const known = contract as ModelContract;
  if (who === known.requester || who === known.provider) return known;
  mustSee(task, who);
  refuseIf(true, "forbidden");
  return known;
}

const propose: Rule = (world, task, act) => {
  const { who } = act;
  const amountPence = amountOf(task, act);
  mustNotBeSuspended(world, who);
  mustSee(task, who);
  refuseIf(who !== task.requester, "forbidden");
  refuseIf(!isProposable(task, amountPence), "invalid_input");
  mustBe(task, "claimed");
  mustPass(world, task, who, "propose");
  return {
    status: 201,
    apply: ({ id, hash }) => {
      task.state = "proposed";
      const parties = { requester: who, provider: task.provider as AgentName };
      task.contracts.push({ id, hash, state: "proposed", ...parties, amountPence, acceptedBy: [] });
    },
  };
};

const accept: Rule = (world, task, act) => {
  const { who } = act;
  mustNotBeSuspended(world, who);
  const contract = mustBePartyTo(contractOf(task, act), task, who);
  refuseIf(!hasRightHash(act), "terms_mismatch");
  // Repeating it gives the same answer in any later state.
  if (contract.acceptedBy.includes(who)) return { status: 200, apply: () => undefined };
  refuseIf(contract.state !== "proposed", "state_conflict");
  mustBe(task, "proposed");
  mustPass(world, task, who, "accept");
  return {
    status: 200,
    apply: () => {
      contract.acceptedBy.push(who);
      if (contract.acceptedBy.length < 2) return;
      contract.state = "accepted";
      task.state = "accepted";
      const { amountPence: grossPence } = contract;
      const funding = grossPence === 0 ? "not_required" : "required";
      task.settlement = { state: "recorded", funding, transfer: "none", grossPence, ...nothingSent() };
    },
  };
};

const decline: Rule = (world, task, act) => {
  const { who } = act;
  mustNotBeSuspended(world, who);
  const contract = mustBePartyTo(contractOf(task, act), task, who);
  refuseIf(contract.state !== "proposed", "state_conflict");
  mustBe(task, "proposed");
  mustPass(world, task, who, "decline");
  return {
    status: 200,
    apply: () => {
      contract.state = "declined";
      task.state = "claimed";
    },
  };
};

export const AGREEMENT_RULES = { propose, accept, decline };
