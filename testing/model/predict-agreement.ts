import { amountOf, contractOf, hasRightHash, outcomeOf, paymentOf } from "./act.ts";
import { mustBe, mustNotBeSuspended, mustPass, mustSee, type Rule, refuseIf } from "./rules.ts";
import { type AgentName, currentContract, type ModelContract, type ModelPayment, type ModelTask } from "./world.ts";

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
  refuseIf(amountPence > task.budgetPence, "invalid_input");
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
      task.settlement = { state: "recorded", funding, transfer: "none", grossPence };
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

/** Only an accepted agreement with a price that is not funded yet can be paid. */
function mustWantMoney(task: ModelTask, contractId: string): void {
  refuseIf(currentContract(task)?.id !== contractId, "state_conflict");
  mustBe(task, "accepted");
  refuseIf(task.settlement?.funding === "not_required" || task.settlement?.funding === "confirmed", "state_conflict");
}

const fund: Rule = (world, task, act) => {
  const { who } = act;
  mustNotBeSuspended(world, who);
  const contract = contractOf(task, act);
  refuseIf(!contract, "not_found");
  mustSee(task, who);
  refuseIf(who !== task.requester, "forbidden");
  const contractId = contract?.id ?? "";
  mustWantMoney(task, contractId);
  mustPass(world, task, who, "fund");
  return {
    status: 201,
    apply: ({ id }) => {
      task.payments.push({ id, contractId, status: "pending" });
      if (task.settlement) task.settlement.funding = "pending";
    },
  };
};

const confirm: Rule = (world, task, act) => {
  const { who } = act;
  const payment = paymentOf(task, act);
  mustNotBeSuspended(world, who);
  refuseIf(!payment || (who !== task.requester && who !== task.provider), "not_found");
  refuseIf(who !== task.requester, "forbidden");
  const status = outcomeOf(act) === "succeed" ? "succeeded" : "declined";
  if (payment?.status === status) return { status: 200, apply: () => undefined };
  refuseIf(payment?.status !== "pending", "state_conflict");
  mustWantMoney(task, payment?.contractId ?? "");
  mustPass(world, task, who, "fund");
  return {
    status: 200,
    apply: () => {
      (payment as ModelPayment).status = status;
      const others = task.payments.filter((other) => other.status === "pending");
      if (status === "succeeded") for (const other of others) other.status = "canceled";
      const funding = status === "succeeded" ? "confirmed" : others.length > 0 ? "pending" : "required";
      if (task.settlement) task.settlement.funding = funding;
    },
  };
};

export const AGREEMENT_RULES = { propose, accept, decline, fund, confirm };
