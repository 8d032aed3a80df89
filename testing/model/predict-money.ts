import { contractOf, outcomeOf, paymentOf } from "./act.ts";
import type { Rule } from "./effect.ts";
import { mustBe, mustNotBeSuspended, mustPass, mustSee, Refusal, refuseIf } from "./rules.ts";
import {
  type AgentName,
  currentContract,
  learnAccount,
  type ModelPayment,
  type ModelTask,
  noNews,
  type World,
} from "./world.ts";

/** Only an accepted agreement with a price that is not funded yet can be paid. */
function mustWantMoney(task: ModelTask, contractId: string): void {
  refuseIf(currentContract(task)?.id !== contractId, "state_conflict");
  mustBe(task, "accepted");
  refuseIf(task.settlement?.funding === "not_required" || task.settlement?.funding === "confirmed", "state_conflict");
}

const ACCOUNT_GATES = ["identity_match", "transfers_active", "payouts_enabled", "no_unresolved_requirements"];

/** The provider's account is read at Stripe; if it cannot be paid, no payment starts. */
function mustBePayable(world: World, who: AgentName): () => void {
  const { account } = world.agents[who];
  const learn = () => learnAccount(world, who);
  const blocked = account ? ["transfers_active", "payouts_enabled"] : ACCOUNT_GATES;
  if (account?.ready) return learn;
  throw new Refusal(
    "gate_refused",
    blocked.map((step) => `provider_${step}`),
    learn,
  );
}

const fund: Rule = (world, task, act) => {
  const { who } = act;
  mustNotBeSuspended(world, who);
  const contract = contractOf(task, act);
  refuseIf(!contract, "not_found");
  mustSee(task, who);
  refuseIf(who !== task.requester, "forbidden");
  mustWantMoney(task, contract?.id ?? "");
  mustPass(world, task, who, "fund");
  const { amountPence = 0, id: contractId = "", provider = who } = contract ?? {};
  const learn = task.mode === "LIVE" ? mustBePayable(world, provider) : () => undefined;
  return {
    status: 201,
    apply: ({ id }) => {
      learn();
      // One checkout at a time: while it is pending, every call returns it.
      if (task.mode === "LIVE" && task.payments.some((payment) => payment.status === "pending")) return;
      task.payments.push({
        ...{ id, contractId, amountPence, status: "pending", checkout: task.mode === "LIVE" ? "open" : "none" },
        ...{
          refundedPence: 0,
          contested: "never",
          contestedPence: 0,
          known: { refundedPence: 0, disputedPence: 0 },
        },
        ...{ news: noNews(), closing: false },
      });
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
  refuseIf(task.mode === "LIVE", "forbidden");
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

export const MONEY_RULES = { fund, confirm };
