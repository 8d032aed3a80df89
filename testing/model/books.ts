import type { ModelPayment, ModelSettlement, ModelTask } from "./world.ts";

// Money, as the model counts it.

/** The payment that the service knows to have succeeded. */
export function paidPayment({ payments }: ModelTask): ModelPayment | undefined {
  return payments.find(({ status }) => status === "succeeded");
}

/** What the service knows to have gone back, in pence. */
export function knownLosses(task: ModelTask): { refundedPence: number; disputedPence: number } {
  return paidPayment(task)?.known ?? { refundedPence: 0, disputedPence: 0 };
}

/** Whether the service knows that some of the money went back, or that the payer's bank asks for it. */
export function isMoneyLost(task: ModelTask): boolean {
  const { refundedPence, disputedPence } = knownLosses(task);
  return task.mode === "LIVE" && refundedPence + disputedPence > 0;
}

/** Nine tenths, rounded down: the provider's share. */
export function netOf(pence: number): number {
  return Math.floor((pence * 9) / 10);
}

/** What is left of the money, as far as the service knows; and what of it is divided: all, or what a split has awarded. */
function leftOf(task: ModelTask): { left: number; kept: number } {
  const { refundedPence, disputedPence } = knownLosses(task);
  const left = (task.settlement?.grossPence ?? 0) - refundedPence - disputedPence;
  return { left, kept: Math.min(left, task.settlement?.awardedPence ?? left) };
}

/** What has been transferred and not reversed. */
export function transferred({ sent, simulatedPence }: ModelSettlement): number {
  return sent.reduce((sum, { pence, reversedPence }) => sum + pence - reversedPence, simulatedPence);
}

/** What an administrator can still refund, if the payment is confirmed. */
export function refundable(task: ModelTask): number {
  const { funding, returningPence = 0 } = task.settlement ?? {};
  return funding === "confirmed" ? leftOf(task).left - returningPence : 0;
}

/** What the provider can still be sent. */
export function sendable(task: ModelTask): number {
  const { settlement } = task;
  if (settlement?.state !== "approved" || settlement.funding !== "confirmed") return 0;
  return Math.max(0, netOf(leftOf(task).kept) - transferred(settlement));
}

/** The expected ledger balances of a task: pence by account, debits minus credits, without accounts at zero. */
export function balances(task: ModelTask): Record<string, number> {
  const { settlement } = task;
  if (settlement?.funding !== "confirmed") return {};
  const { state, grossPence: gross, awardedPence } = settlement;
  const { refundedPence: refunded, disputedPence: taken } = knownLosses(task);
  const passedOn = transferred(settlement);
  const shareOf = (left: number) => netOf(Math.min(left, awardedPence ?? left));
  const { left, kept } = leftOf(task);
  const share = shareOf(left);
  // What the provider has beyond its share of what is left: first because of refunds, then because of chargebacks.
  const beyond = (left: number) => (state === "approved" ? Math.max(0, passedOn - shareOf(left)) : 0);
  const all: Record<string, number> = {
    cash: gross - passedOn - refunded - taken,
    refunds: beyond(gross - refunded),
    chargebacks: beyond(left) - beyond(gross - refunded),
    ...(state === "recorded" ? { held: -left } : {}),
    ...(state === "void" ? { refund_due: -left } : {}),
    ...(state === "approved"
      ? {
          ...{ platform_fees: share - kept, provider_payable: -Math.max(0, share - passedOn) },
          refund_due: kept - left,
        }
      : {}),
  };
  return Object.fromEntries(Object.entries(all).filter(([, pence]) => pence !== 0));
}

/** What a settlement shows of its transfers, after one of them was sent, reversed or cancelled. */
export function showTransfers(settlement: ModelSettlement): void {
  if (settlement.open) settlement.transfer = "queued";
  else if (settlement.sent.some(({ pence, reversedPence }) => reversedPence < pence)) settlement.transfer = "sent";
  else settlement.transfer = settlement.sent.length > 0 ? "reversed" : "failed";
}
