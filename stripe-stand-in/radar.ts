import type Stripe from "stripe";
import { listEndpoint, readEndpoint } from "./list.ts";
import { invalid } from "./refusal.ts";
import { unused } from "./shapes.ts";
import { find, type World } from "./world.ts";

// What warns of fraud: the payer's bank (early fraud warnings), and Stripe's own rules (reviews).

/** The payer's bank reports a payment as fraudulent. A dispute may follow. */
export function warnOfFraud(world: World, intent: Stripe.PaymentIntent): Stripe.Radar.EarlyFraudWarning {
  const charge = find(world.charges, "charge", String(intent.latest_charge));
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: world.id("issfr"),
    object: "radar.early_fraud_warning",
    actionable: !charge.disputed && !charge.refunded,
    charge: charge.id,
    created: world.now(),
    fraud_type: "unauthorized_use_of_card",
    livemode: world.livemode,
    payment_intent: intent.id,
  };
  world.fraudWarnings.set(warning.id, warning);
  world.emit("radar.early_fraud_warning.created", warning);
  return warning;
}

/** The charge was disputed or wholly refunded: nothing is left to do about the warnings. */
export function noLongerActionable(world: World, charge: string): void {
  for (const warning of world.fraudWarnings.values()) {
    if (warning.charge !== charge || !warning.actionable) continue;
    warning.actionable = false;
    world.emit("radar.early_fraud_warning.updated", warning);
  }
}

/** A rule of the platform puts a payment under review, which somebody closes in Stripe's dashboard. */
export function openReview(world: World, intent: Stripe.PaymentIntent): Stripe.Review {
  const charge = find(world.charges, "charge", String(intent.latest_charge));
  const review: Stripe.Review = {
    id: world.id("prv"),
    object: "review",
    charge: charge.id,
    closed_reason: null,
    created: world.now(),
    livemode: world.livemode,
    open: true,
    opened_reason: "rule",
    payment_intent: intent.id,
    reason: "rule",
    ...unused("billing_zip", "ip_address", "ip_address_location", "session"),
  };
  Object.assign(charge, { review: review.id });
  Object.assign(intent, { review: review.id });
  world.reviews.set(review.id, review);
  world.emit("review.opened", review);
  return review;
}

export function closeReview(
  world: World,
  review: Stripe.Review,
  reason: Stripe.Review.ClosedReason = "approved",
): void {
  if (!review.open) throw invalid("resource_invalid_state", "This review is closed.");
  Object.assign(review, { open: false, closed_reason: reason, reason });
  world.emit("review.closed", review);
}

export const radarEndpoints = [
  listEndpoint<Stripe.Radar.EarlyFraudWarningListParams, Stripe.Radar.EarlyFraudWarning>(
    "/v1/radar/early_fraud_warnings",
    ({ world }) => world.fraudWarnings.values(),
  ),
  readEndpoint("/v1/radar/early_fraud_warnings", "early_fraud_warning", ({ fraudWarnings }) => fraudWarnings),
  readEndpoint("/v1/reviews", "review", ({ reviews }) => reviews),
];
