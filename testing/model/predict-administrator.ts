import { actionOf, awardOf, resolutionOf, riskOf, shareOf } from "./act.ts";
import { knownLosses, refundable, sendable, showTransfers, transferred } from "./books.ts";
import { does, type Rule } from "./effect.ts";
import { approve, end } from "./predict-task.ts";
import { makeRefund } from "./predict-work.ts";
import { hasEnded, refuseIf, stateOf } from "./rules.ts";
import { type ModelTask, openDispute, type Standing, wake } from "./world.ts";

const resolve: Rule = (world, task, act) => {
  const dispute = task.disputes.at(-1);
  refuseIf(!dispute, "not_found");
  refuseIf(!dispute?.open, "state_conflict");
  return does(() => {
    if (dispute) dispute.open = false;
    if (resolutionOf(act) === "provider") return wake(world, (each) => each === task);
    forRequester(task);
  });
};

function forRequester(task: ModelTask): void {
  const { settlement } = task;
  if (!hasEnded(task)) end(task);
  // Already completed: what has not been transferred never will be.
  else if (settlement?.open) {
    settlement.open = null;
    if (transferred(settlement) > 0) showTransfers(settlement);
    else Object.assign(settlement, { state: "void", transfer: "none" });
  }
}

const completeFor: Rule = (_world, task) => {
  if (task.completedByAdministrator) return does();
  refuseIf(openDispute(task) !== undefined, "state_conflict");
  refuseIf(stateOf(task) !== "submitted", "state_conflict");
  return does(() => {
    task.completedByAdministrator = true;
    approve(task);
  });
};

/** What a resolution that ends in a refund can be about. */
function mustHaveOpenDispute(task: ModelTask): void {
  const dispute = task.disputes.at(-1);
  refuseIf(!dispute, "not_found");
  refuseIf(!dispute?.open, "state_conflict");
}

const closeDispute = ({ disputes }: ModelTask) => {
  for (const dispute of disputes) dispute.open = false;
};

const resolveWithRefund: Rule = (_world, task) => {
  mustHaveOpenDispute(task);
  const { settlement } = task;
  const pence = refundable(task);
  refuseIf(settlement?.funding !== "confirmed" || pence === 0, "state_conflict");
  return does(() => {
    closeDispute(task);
    forRequester(task);
    makeRefund(task, pence);
  });
};

const split: Rule = (_world, task, act) => {
  mustHaveOpenDispute(task);
  const { settlement } = task;
  refuseIf(settlement?.funding !== "confirmed", "state_conflict");
  const isUnderWay = settlement?.state === "recorded" && ["accepted", "in_progress", "submitted"].includes(task.state);
  const isUnsent = settlement?.state === "approved" && settlement.open !== null && transferred(settlement) === 0;
  refuseIf(!isUnderWay && !isUnsent, "state_conflict");
  const left = refundable(task);
  const awarded = awardOf(left, act);
  return does(() => {
    closeDispute(task);
    if (isUnderWay) approve(task, awarded);
    else if (settlement?.open) {
      settlement.awardedPence = awarded;
      settlement.woken = true;
      settlement.open.pence = sendable(task);
      settlement.open.allowedRefundPence = settlement.grossPence - awarded;
      if (settlement.open.pence === 0) Object.assign(settlement, { open: null, transfer: "none" });
    }
    makeRefund(task, left - awarded);
  });
};

const orderRefund: Rule = (_world, task, act) => {
  refuseIf(!task.settlement, "not_found");
  const left = refundable(task);
  refuseIf(left === 0, "state_conflict");
  return does(() => makeRefund(task, shareOf(left, act)));
};

const orderReversal: Rule = (_world, task, act) => {
  const { settlement } = task;
  refuseIf(!settlement, "not_found");
  const left = settlement ? transferred(settlement) : 0;
  refuseIf(left === 0, "state_conflict");
  return does(() => {
    if (!settlement) return;
    let rest = shareOf(left, act);
    if (task.mode === "TEST") {
      settlement.simulatedPence -= rest;
      if (settlement.simulatedPence === 0) settlement.transfer = "reversed";
      return;
    }
    // The newest transfers first.
    for (const transfer of settlement.sent.toReversed()) {
      const pence = Math.min(rest, transfer.pence - transfer.reversedPence);
      rest -= pence;
      transfer.reversedPence += pence;
    }
    showTransfers(settlement);
  });
};

const orderTransfer: Rule = (_world, task, act) => {
  const { settlement } = task;
  refuseIf(!settlement, "not_found");
  const left = sendable(task);
  refuseIf(left === 0, "state_conflict");
  return does(() => {
    if (!settlement) return;
    const pence = shareOf(left, act);
    if (task.mode === "TEST") {
      settlement.simulatedPence += pence;
      settlement.transfer = "simulated";
      return;
    }
    const { refundedPence, disputedPence } = knownLosses(task);
    settlement.open = { pence, allowedRefundPence: refundedPence, allowedDisputePence: disputedPence };
    Object.assign(settlement, { transfer: "queued", woken: true });
  });
};

const cancelTransfer: Rule = (_world, task) => {
  const { settlement } = task;
  refuseIf(!settlement, "not_found");
  if (settlement?.transfer === "failed") return does();
  refuseIf(!settlement?.open, "state_conflict");
  return does(() => {
    if (!settlement) return;
    settlement.open = null;
    showTransfers(settlement);
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
  ...{ resolve, deny, allow, rate, split },
  complete_for: completeFor,
  resolve_refund: resolveWithRefund,
  order_refund: orderRefund,
  order_reversal: orderReversal,
  order_transfer: orderTransfer,
  cancel_transfer: cancelTransfer,
  hold_task: holds(true),
  unhold_task: holds(false),
  hold: withStanding({ held: true }),
  unhold: withStanding({ held: false }),
  suspend: withStanding({ suspended: true }),
  restore: withStanding({ suspended: false }),
};
