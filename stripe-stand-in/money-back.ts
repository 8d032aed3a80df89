import type Stripe from "stripe";
import { enter } from "./balance.ts";
import { noLongerActionable } from "./radar.ts";
import { invalid } from "./refusal.ts";
import { unused } from "./shapes.ts";
import { find, type RefundStart, type World } from "./world.ts";

const DISPUTE_FEE_PENCE = 2_000;

function chargeOf(world: World, intent: Stripe.PaymentIntent): Stripe.Charge {
  return find(world.charges, "charge", String(intent.latest_charge));
}

/** Refunds money to the card. Transfers are not reversed, and Stripe keeps its fees. */
export function refundIntent(
  world: World,
  intent: Stripe.PaymentIntent,
  amountPence?: number,
  start: RefundStart = world.refundStart,
  metadata: Record<string, string> = {},
): Stripe.Refund {
  const charge = chargeOf(world, intent);
  const left = charge.amount - charge.amount_refunded;
  const amount = amountPence ?? left;
  if (charge.disputed) throw invalid("charge_disputed", `Charge ${charge.id} has been charged back.`);
  if (amount < 1 || amount > left) throw invalid("charge_already_refunded", `Only ${left} is left of ${charge.id}.`);
  const refund: Stripe.Refund = {
    id: world.id("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: world.now(),
    currency: "gbp",
    destination_details: { type: "card", card: { type: "refund" } },
    metadata,
    payment_intent: intent.id,
    reason: "requested_by_customer",
    status: start === "succeeded" && charge.balance_transaction !== null ? "succeeded" : "pending",
    ...unused("customer", "customer_account", "payment_method", "receipt_number", "source_transfer_reversal"),
    ...unused("transfer_reversal"),
  };
  if (charge.balance_transaction === null) refund.pending_reason = "charge_pending";
  else if (start === "waits_for_balance") refund.pending_reason = "insufficient_funds";
  else take(world, refund);
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  world.refunds.set(refund.id, refund);
  world.emit("refund.created", refund);
  world.emit("charge.refunded", charge);
  if (charge.refunded) noLongerActionable(world, charge.id);
  return refund;
}

function take(world: World, refund: Stripe.Refund): void {
  refund.balance_transaction = enter(world, { type: "refund", amountPence: -refund.amount, source: refund.id }).id;
}

/** A pending refund has arrived. */
export function settleRefund(world: World, refund: Stripe.Refund): void {
  if (refund.status !== "pending") throw invalid("resource_invalid_state", `This refund is ${refund.status}.`);
  if (refund.balance_transaction === null) take(world, refund);
  delete refund.pending_reason;
  refund.status = "succeeded";
  world.emit("refund.updated", refund);
  world.emit("charge.refund.updated", refund);
}

/**
 * The card's bank could not take the refund, which can be days after it counted as succeeded: the money is back in the platform's
 * balance, and the charge says that it was never refunded.
 */
export function failRefund(world: World, refund: Stripe.Refund): void {
  if (refund.status === "failed") throw invalid("resource_invalid_state", "This refund is failed.");
  const charge = find(world.charges, "charge", String(refund.charge));
  refund.status = "failed";
  refund.failure_reason = "expired_or_canceled_card";
  delete refund.pending_reason;
  if (refund.balance_transaction !== null)
    refund.failure_balance_transaction = enter(world, {
      type: "refund_failure",
      amountPence: refund.amount,
      source: refund.id,
    }).id;
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  world.emit("refund.updated", refund);
  world.emit("refund.failed", refund);
  world.emit("charge.refund.updated", refund);
}

/** How a dispute begins. */
export type DisputeStart = {
  /** The payer's bank only asks: nothing is withdrawn. */
  inquiry?: boolean;
  /** What is withdrawn, if not what is disputed. */
  takenPence?: number;
  /** Rapid resolution decides at once: the dispute is first seen when it is over. */
  decided?: "lost" | "prevented";
};

/**
 * The cardholder disputes the charge: Stripe withdraws its amount and a fee from the platform immediately. An inquiry of the
 * bank withdraws nothing, and the charge does not count as disputed.
 */
export function openDispute(
  world: World,
  intent: Stripe.PaymentIntent,
  { inquiry = false, takenPence, decided }: DisputeStart = {},
): Stripe.Dispute {
  const charge = chargeOf(world, intent);
  if (charge.disputed || charge.status !== "succeeded")
    throw invalid("resource_invalid_state", "It cannot be disputed.");
  const amount = charge.amount - charge.amount_refunded;
  if (amount < 1) throw invalid("charge_already_refunded", "Nothing is left to dispute.");
  const dispute: Stripe.Dispute = {
    id: world.id("du"),
    object: "dispute",
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: world.now(),
    currency: "gbp",
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: decided ? 0 : world.now() + 14 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "manual",
    },
    intended_submission_method: null,
    payment_method_details: {
      type: "card",
      card: {
        brand: "visa",
        case_type: inquiry ? "inquiry" : "chargeback",
        network: "visa",
        network_reason_code: "10.4",
      },
    },
    is_charge_refundable: inquiry,
    livemode: world.livemode,
    metadata: {},
    payment_intent: intent.id,
    reason: "fraudulent",
    status: decided ?? (inquiry ? "warning_needs_response" : "needs_response"),
  };
  world.disputes.set(dispute.id, dispute);
  const taken = inquiry ? 0 : (takenPence ?? amount);
  if (taken > 0) withdraw(world, dispute, taken);
  noLongerActionable(world, charge.id);
  world.emit("charge.dispute.created", dispute);
  if (taken > 0) world.emit("charge.dispute.funds_withdrawn", dispute);
  if (decided) world.emit("charge.dispute.closed", dispute);
  return dispute;
}

function withdraw(world: World, dispute: Stripe.Dispute, pence: number): void {
  find(world.charges, "charge", String(dispute.charge)).disputed = true;
  const money = { amountPence: -pence, feePence: DISPUTE_FEE_PENCE };
  dispute.balance_transactions.push(enter(world, { type: "adjustment", ...money, source: dispute.id }));
}

function requireStatus(dispute: Stripe.Dispute, ...statuses: Stripe.Dispute.Status[]): void {
  if (!statuses.includes(dispute.status)) throw invalid("resource_invalid_state", `It is ${dispute.status}.`);
}

/** The bank turns its inquiry into a chargeback. */
export function escalateInquiry(world: World, dispute: Stripe.Dispute): void {
  requireStatus(dispute, "warning_needs_response");
  dispute.status = "needs_response";
  dispute.is_charge_refundable = false;
  withdraw(world, dispute, dispute.amount);
  world.emit("charge.dispute.updated", dispute);
  world.emit("charge.dispute.funds_withdrawn", dispute);
}

/** The bank drops its inquiry: nothing was ever withdrawn. */
export function closeInquiry(world: World, dispute: Stripe.Dispute): void {
  requireStatus(dispute, "warning_needs_response");
  dispute.status = "warning_closed";
  world.emit("charge.dispute.closed", dispute);
}

/**
 * The platform answers the dispute, for which Stripe charges another fee: a balance transaction of its own, which comes back if the
 * dispute is won. Stripe describes a dispute's own list as its withdrawal and its return, so this one may be in the balance only.
 */
export function counterDispute(world: World, dispute: Stripe.Dispute, isListed = true): void {
  requireStatus(dispute, "needs_response");
  dispute.status = "under_review";
  const fee = enter(world, { type: "stripe_fee", amountPence: -DISPUTE_FEE_PENCE, source: dispute.id });
  if (isListed) dispute.balance_transactions.push(fee);
  world.emit("charge.dispute.updated", dispute);
}

/** A dispute that was lost is heard again. */
export function appealDispute(world: World, dispute: Stripe.Dispute): void {
  requireStatus(dispute, "lost");
  dispute.status = "appeal_under_review";
  world.emit("charge.dispute.updated", dispute);
}

/**
 * Closes a dispute. If it is won, what was withdrawn comes back, but not the fee for the dispute itself.
 * @param backPence what comes back, if it is neither all nor nothing
 */
export function closeDispute(
  world: World,
  dispute: Stripe.Dispute,
  outcome: "won" | "lost" | "prevented",
  backPence = outcome === "won" ? takenBy(dispute) : 0,
): void {
  requireStatus(dispute, "needs_response", "under_review", "appeal_under_review");
  dispute.status = outcome;
  const isCountered = dispute.balance_transactions.some(({ type }) => type === "stripe_fee");
  if (backPence > 0) {
    const line = enter(world, { type: "adjustment", amountPence: backPence, source: dispute.id });
    dispute.balance_transactions.push(line);
    world.emit("charge.dispute.funds_reinstated", dispute);
  }
  if (outcome === "won" && isCountered)
    dispute.balance_transactions.push(
      enter(world, { type: "stripe_fee", amountPence: DISPUTE_FEE_PENCE, source: dispute.id }),
    );
  world.emit("charge.dispute.closed", dispute);
}

/** What a dispute has taken and not returned, in pence, without fees. */
export function takenBy({ balance_transactions: lines }: Stripe.Dispute): number {
  return lines.reduce((sum, { type, amount }) => sum - (type === "adjustment" ? amount : 0), 0);
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  enhanced_evidence: {},
  ...unused("access_activity_log", "billing_address", "cancellation_policy", "cancellation_policy_disclosure"),
  ...unused("cancellation_rebuttal", "customer_communication", "customer_email_address", "customer_name"),
  ...unused("customer_purchase_ip", "customer_signature", "duplicate_charge_documentation"),
  ...unused("duplicate_charge_explanation", "duplicate_charge_id", "product_description", "receipt", "refund_policy"),
  ...unused("refund_policy_disclosure", "refund_refusal_explanation", "service_date", "service_documentation"),
  ...unused("shipping_address", "shipping_carrier", "shipping_date", "shipping_documentation"),
  ...unused("shipping_tracking_number", "uncategorized_file", "uncategorized_text"),
};
