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

/** The expected ledger balances of a task: pence by account, debits minus credits, without accounts at zero. */
export function balances(task: ModelTask): Record<string, number> {
  const { settlement } = task;
  if (settlement?.funding !== "confirmed") return {};
  const { state, transfer, grossPence: gross, reversed } = settlement;
  const net = netOf(settlement);
  const passedOn = ["sent", "reversed", "simulated"].includes(transfer) ? net - reversed.knownPence : 0;
  const { refundedPence = 0, disputedPence = 0 } = paidPayment(task)?.known ?? {};
  const all: Record<string, number> = {
    cash: gross - passedOn - refundedPence - disputedPence,
    refunds: refundedPence,
    chargebacks: disputedPence,
    ...(state === "recorded" ? { held: -gross } : {}),
    ...(state === "void" ? { refund_due: -gross } : {}),
    ...(state === "approved" ? { platform_fees: net - gross, provider_payable: passedOn - net } : {}),
  };
  return Object.fromEntries(Object.entries(all).filter(([, pence]) => pence !== 0));
}
