import { outcomeOf, paymentOf, resolutionOf } from "./act.ts";
import type { Rule } from "./predict.ts";
import { end } from "./predict-task.ts";
import { isHeldBack, refuseIf, stateOf } from "./rules.ts";
import type { ModelPayment, ModelTask, World } from "./world.ts";

// What the administrator, the payer, Stripe, the service's own work and time do.

const does = (apply: () => void) => ({ status: 200 as const, apply });

const resolve: Rule = (_world, task, act) => {
  const dispute = task.disputes.at(-1);
  refuseIf(!dispute, "not_found");
  refuseIf(!dispute?.open, "state_conflict");
  return does(() => {
    if (dispute) dispute.open = false;
    if (resolutionOf(act) === "provider") return;
    if (!["completed", "cancelled", "expired"].includes(stateOf(task))) end(task);
    // Completed already: what has not been passed on never will be.
    else if (task.settlement?.transfer === "queued")
      Object.assign(task.settlement, { state: "void", transfer: "none" });
  });
};

const holds =
  (held: boolean): Rule =>
  (_world, task) =>
    does(() => {
      task.held = held;
    });

const stands =
  (standing: { held?: boolean; suspended?: boolean }): Rule =>
  (world, _task, { who }) =>
    does(() => void Object.assign(world.agents[who], standing));

const pay: Rule = (_world, task, act) => {
  const payment = paymentOf(task, act);
  refuseIf(payment?.checkout !== "open", "checkout_closed");
  // A declined card leaves the checkout open for another.
  return does(() => {
    if (payment && outcomeOf(act) === "succeed") Object.assign(payment, { checkout: "paid", news: "sent" });
  });
};

const expireCheckout: Rule = (_world, task, act) => {
  const payment = paymentOf(task, act);
  refuseIf(payment?.checkout !== "open", "checkout_closed");
  return does(() => void Object.assign(payment ?? {}, { checkout: "expired", news: "sent" }));
};

const deliver: Rule = (world) =>
  does(() => {
    for (const payment of world.tasks.flatMap(({ payments }) => payments))
      if (payment.news === "sent") payment.news = "delivered";
  });

const work: Rule = (world) =>
  does(() => {
    for (const task of world.tasks) {
      for (const payment of task.payments) lookInto(task, payment);
      const { settlement } = task;
      if (settlement?.transfer === "queued" && !isHeldBack(world, task)) settlement.transfer = "sent";
    }
  });

/** What is heard of a payment is written down as it stands; what was given up is closed, unless it was paid before. */
function lookInto(task: ModelTask, payment: ModelPayment): void {
  if (payment.closing && payment.checkout === "open") Object.assign(payment, { checkout: "expired", news: "sent" });
  const isLookedInto = payment.closing || payment.news === "delivered";
  payment.closing = false;
  if (!isLookedInto) return;
  if (payment.news === "delivered") payment.news = "none";
  if (payment.checkout === "paid") {
    payment.status = "succeeded";
    if (task.settlement) task.settlement.funding = "confirmed";
  } else if (payment.checkout === "expired" && payment.status === "pending") {
    payment.status = "expired";
    if (task.settlement) task.settlement.funding = "required";
  }
}

const passTime: Rule = (_world: World, task: ModelTask) =>
  does(() => {
    task.overdue = true;
  });

export const OUTSIDE_RULES = {
  ...{ resolve, pay, deliver, work },
  hold_task: holds(true),
  unhold_task: holds(false),
  hold: stands({ held: true }),
  unhold: stands({ held: false }),
  suspend: stands({ suspended: true }),
  restore: stands({ suspended: false }),
  expire_checkout: expireCheckout,
  pass_time: passTime,
};
