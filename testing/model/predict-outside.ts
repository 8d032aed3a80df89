import { endOf, outcomeOf, paymentOf, shareOf } from "./act.ts";
import { does, type Effect, type Rule } from "./effect.ts";
import { refuseIf } from "./rules.ts";
import type { ModelPayment } from "./world.ts";

// What payers, their banks and providers do at Stripe. The service learns of it later. Reversals in Stripe's dashboard are left to
// stories/, whose books must be Stripe's own, and refunds that fail to lib/payments/checkouts/losses.itest.ts.

/** Something has happened to a payment; an event will follow. */
function happens(payment: ModelPayment | undefined, what: Partial<ModelPayment>): Effect {
  return does(() => {
    if (payment) Object.assign(payment, what, { news: { ...payment.news, sent: true } });
  });
}

const pay: Rule = (_world, task, act) => {
  const payment = paymentOf(task, act);
  refuseIf(payment?.checkout !== "open", "stripe_refused");
  // A declined card leaves the checkout open for another.
  return outcomeOf(act) === "succeed" ? happens(payment, { checkout: "paid" }) : does();
};

const expireCheckout: Rule = (_world, task, act) => {
  const payment = paymentOf(task, act);
  refuseIf(payment?.checkout !== "open", "stripe_refused");
  return happens(payment, { checkout: "expired" });
};

export function leftOf({ checkout, amountPence, refundedPence }: ModelPayment): number {
  return checkout === "paid" ? amountPence - refundedPence : 0;
}

/** By a person in Stripe's dashboard, for payments that were never disputed. */
const refund: Rule = (_world, task, act) => {
  const payment = paymentOf(task, act);
  const left = payment ? leftOf(payment) : 0;
  refuseIf(left === 0 || payment?.contested !== "never", "stripe_refused");
  return happens(payment, { refundedPence: (payment?.refundedPence ?? 0) + shareOf(left, act) });
};

const chargeBack: Rule = (_world, task, act) => {
  const payment = paymentOf(task, act);
  const left = payment ? leftOf(payment) : 0;
  refuseIf(left === 0 || payment?.contested !== "never", "stripe_refused");
  return happens(payment, { contested: "open", contestedPence: left });
};

const endChargeback: Rule = (_world, task, act) => {
  const payment = paymentOf(task, act);
  refuseIf(payment?.contested !== "open", "stripe_refused");
  return happens(payment, { contested: endOf(act) });
};

const account =
  (ready: boolean): Rule =>
  (world, _task, { who }) => {
    const { account } = world.agents[who];
    refuseIf(!account, "stripe_refused");
    return does(() => {
      if (!account) return;
      account.ready = ready;
      account.news.sent = true;
    });
  };

const passTime: Rule = (_world, task) =>
  does(() => {
    task.overdue = true;
  });

/** The daily check of a domain does not find the proof. */
const failCheck: Rule = (world, _task, { who }) =>
  does(() => {
    const agent = world.agents[who];
    if (!agent.proved) return;
    agent.failedChecks += 1;
    agent.proved = agent.failedChecks < 3;
  });

export const OUTSIDE_RULES = {
  ...{ pay, refund },
  expire_checkout: expireCheckout,
  charge_back: chargeBack,
  end_chargeback: endChargeback,
  restrict: account(false),
  activate: account(true),
  pass_time: passTime,
  fail_check: failCheck,
};
