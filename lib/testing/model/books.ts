import type { ModelPayment, ModelSettlement, ModelTask } from "./world.ts";

// Money, as the model counts it.

/** The payment that the service knows to have succeeded. */
export function paidPayment({ payments }: ModelTask): ModelPayment | undefined {
  return payments.find(({ status }) => status === "succeeded");
}

/** Whether the service knows that some of the money went back, or that the payer's bank asks for it. */
export function isMoneyLost(task: ModelTask): boolean {
  const known = paidPayment(task)?.known;
  return known !== undefined && known.refundedPence + known.disputedPence > 0;
}

/** The provider's share: nine tenths, rounded down. */
export function netOf({ grossPence }: ModelSettlement): number {
  return Math.floor((grossPence * 9) / 10);
}

/** Nine tenths of what is left, rounded down, for the provider; the rest is the fee. */
function divide(leftPence: number) {
  const share = Math.floor((leftPence * 9) / 10);
  return { share, fee: leftPence - share };
}

/** The expected ledger balances of a task: pence by account, debits minus credits, without accounts at zero. */
export function balances(task: ModelTask): Record<string, number> {
  const { settlement } = task;
  if (settlement?.funding !== "confirmed") return {};
  const { state, transfer, grossPence: gross, reversed } = settlement;
  const passedOn = ["sent", "reversed", "simulated"].includes(transfer) ? netOf(settlement) - reversed.knownPence : 0;
  const { refundedPence: refunded = 0, disputedPence: taken = 0 } = paidPayment(task)?.known ?? {};
  const { share, fee } = divide(gross - refunded - taken);
  // What the provider has beyond its share of what is left: first because of refunds, then because of chargebacks.
  const beyond = (left: number) => (state === "approved" ? Math.max(0, passedOn - divide(left).share) : 0);
  const all: Record<string, number> = {
    cash: gross - passedOn - refunded - taken,
    refunds: beyond(gross - refunded),
    chargebacks: beyond(gross - refunded - taken) - beyond(gross - refunded),
    ...(state === "recorded" ? { held: -share - fee } : {}),
    ...(state === "void" ? { refund_due: -share - fee } : {}),
    ...(state === "approved" ? { platform_fees: -fee, provider_payable: -Math.max(0, share - passedOn) } : {}),
  };
  return Object.fromEntries(Object.entries(all).filter(([, pence]) => pence !== 0));
}
