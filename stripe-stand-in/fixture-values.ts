import type Stripe from "stripe";

/** Every value of some fields, where both the examples and the package's types say which there are. */
type Values<T> = { [K in keyof T]?: readonly NonNullable<T[K]>[] };

export const FIXTURE_VALUES = {
  "checkout.session": {
    object: ["checkout.session"],
    mode: ["payment", "setup", "subscription"],
    payment_status: ["no_payment_required", "paid", "unpaid"],
    status: ["complete", "expired", "open"],
  } satisfies Values<Stripe.Checkout.Session>,
  balance: { object: ["balance"] } satisfies Values<Stripe.Balance>,
  balance_transaction: {
    object: ["balance_transaction"],
    balance_type: ["issuing", "payments", "refund_and_dispute_prefunding", "risk_reserved"],
    status: ["available", "pending"],
  } satisfies Values<Stripe.BalanceTransaction>,
  charge: { object: ["charge"], status: ["failed", "pending", "succeeded"] } satisfies Values<Stripe.Charge>,
  dispute: {
    object: ["dispute"],
    status: [
      ...(["lost", "needs_response", "prevented", "under_review", "won"] as const),
      ...(["warning_closed", "warning_needs_response", "warning_under_review"] as const),
    ],
  } satisfies Values<Stripe.Dispute>,
  payment_intent: {
    object: ["payment_intent"],
    capture_method: ["automatic", "automatic_async", "manual"],
    status: [
      ...(["canceled", "processing", "requires_action", "requires_capture"] as const),
      ...(["requires_confirmation", "requires_payment_method", "succeeded"] as const),
    ],
  } satisfies Values<Stripe.PaymentIntent>,
  payout: {
    object: ["payout"],
    reconciliation_status: ["completed", "in_progress", "not_applicable"],
    status: ["canceled", "failed", "in_transit", "paid", "pending"],
  } satisfies Values<Stripe.Payout>,
  refund: {
    object: ["refund"],
    status: ["canceled", "failed", "pending", "requires_action", "succeeded"],
  } satisfies Values<Stripe.Refund>,
  transfer: { object: ["transfer"] } satisfies Values<Stripe.Transfer>,
  transfer_reversal: { object: ["transfer_reversal"] } satisfies Values<Stripe.TransferReversal>,
} as const;
