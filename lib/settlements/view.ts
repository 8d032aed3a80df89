import type { Settlement } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import { type FeePolicy, splitGross } from "./fee.ts";
import { type HoldFacts, shownHolds } from "./holds.ts";
import type { SettlementWire } from "./schema.ts";

/** A settlement is a charge only if money was really taken: by a confirmed LIVE payment. */
function isCharge(settlement: Pick<Settlement, "paymentMode" | "funding">): boolean {
  return settlement.paymentMode === "LIVE" && settlement.funding === "confirmed";
}

const NOT_ATTRIBUTABLE =
  "Not attributable: the provider's account was paid out manually or instantly, and Stripe does not say which transfers such a payout contains.";

/**
 * What the settlement comes to, in pence. After a split, fee and net amount are those of what was awarded, by the policy in the terms;
 * the row keeps what was agreed.
 */
export function figuresOf({
  grossPence,
  feePence,
  netPence,
  awardedPence,
  feePolicy,
}: Pick<Settlement, "grossPence" | "feePence" | "netPence" | "awardedPence" | "feePolicy">) {
  if (awardedPence === null) return { gross_pence: grossPence, fee_pence: feePence, net_pence: netPence };
  const share = splitGross(awardedPence, (feePolicy as FeePolicy).bps);
  return {
    gross_pence: grossPence,
    fee_pence: share.feePence,
    net_pence: share.netPence,
    awarded_pence: awardedPence,
  };
}

/** What a void or split settlement owes the requester after so much has gone back to the payer, in pence. Pure. */
export function refundDueOf(
  { state, funding, grossPence, awardedPence }: Pick<Settlement, "state" | "funding" | "grossPence" | "awardedPence">,
  backPence: number,
): number {
  if (funding !== "confirmed" || state === "recorded") return 0;
  const kept = state === "void" ? 0 : (awardedPence ?? grossPence);
  return Math.max(0, grossPence - kept - backPence);
}

/** @param facts what may hold its transfer, if that is queued */
export function settlementView(
  settlement: Omit<Settlement, "seq" | "lookedAt" | "feeUnwoundPence" | "returnsPayment">,
  facts?: HoldFacts,
): SettlementWire {
  // What is refunded, on its way, or disputed is no longer due.
  const refundDuePence = refundDueOf(settlement, settlement.refundedPence + settlement.disputedPence);
  return {
    settlement_id: settlement.id,
    contract_id: settlement.contractId,
    task_id: settlement.taskId,
    requester_public_id: settlement.requesterId,
    provider_public_id: settlement.providerId,
    payment_mode: settlement.paymentMode,
    simulated: settlement.paymentMode === "TEST",
    is_charge: isCharge(settlement),
    currency: "GBP",
    ...figuresOf(settlement),
    refunded_pence: settlement.refundedPence,
    disputed_pence: settlement.disputedPence,
    ...(refundDuePence > 0 ? { refund_due_pence: refundDuePence } : {}),
    earned_pence: settlement.netPence - settlement.netUnwoundPence,
    ...(settlement.debtPence > 0 ? { debt_pence: settlement.debtPence } : {}),
    ...(settlement.withheldPence > 0 ? { withheld_pence: settlement.withheldPence } : {}),
    fee_policy: settlement.feePolicy as FeePolicy,
    state: settlement.state,
    funding: settlement.funding,
    transfer: settlement.transfer,
    payout: settlement.payout,
    ...(settlement.payout === "unknown" && settlement.payoutUnattributed ? { payout_detail: NOT_ATTRIBUTABLE } : {}),
    recorded_at: iso(settlement.recordedAt),
    funded_at: iso(settlement.fundedAt),
    approved_at: iso(settlement.approvedAt),
    voided_at: iso(settlement.voidedAt),
    transferred_at: iso(settlement.transferredAt),
    paid_out_at: iso(settlement.paidOutAt),
    ...(facts && settlement.transfer === "queued" ? { transfer_holds: shownHolds(facts) } : {}),
  };
}

/** The settlement as the second acceptance recorded it, whatever has happened since. */
export function recordedView(settlement: Settlement): SettlementWire {
  return settlementView({
    ...settlement,
    state: "recorded",
    funding: settlement.grossPence === 0 ? "not_required" : "required",
    transfer: "none",
    payout: "unknown",
    refundedPence: 0,
    disputedPence: 0,
    netUnwoundPence: 0,
    debtPence: 0,
    withheldPence: 0,
    awardedPence: null,
    payoutUnattributed: false,
    fundedAt: null,
    approvedAt: null,
    voidedAt: null,
    transferredAt: null,
    paidOutAt: null,
  });
}
