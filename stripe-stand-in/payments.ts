import type Stripe from "stripe";
import { enter } from "./balance.ts";
import { endpoint } from "./endpoint.ts";
import { listEndpoint, readEndpoint } from "./list.ts";
import { refundIntent, settleRefund } from "./money-back.ts";
import { asMetadata, blankCharge, unused } from "./shapes.ts";
import { find, type World } from "./world.ts";

export type Card = Stripe.Charge.PaymentMethodDetails.Card;

const VISA: Card = {
  brand: "visa",
  country: "GB",
  exp_month: 12,
  exp_year: 2040,
  extended_authorization: { status: "disabled" },
  funding: "debit",
  last4: "4242",
  network: "visa",
  wallet: null,
  ...unused("amount_authorized", "authorization_code", "checks", "electronic_commerce_indicator", "installments"),
  ...unused("mandate", "network_transaction_id", "regulated_status", "three_d_secure", "transaction_link_id"),
};

/** Stripe's fee for a domestic card payment: 1.5 % and 20 pence. */
function stripeFee(amountPence: number): number {
  return Math.round(amountPence * 0.015) + 20;
}

/** The card was charged: the money is the platform's, pending until it has settled. */
export function succeed(world: World, intent: Stripe.PaymentIntent, card: Partial<Card> = {}): Stripe.Charge {
  const charge = attempt(world, intent, card);
  if (world.balanceDelaySeconds > 0) world.unbalanced.set(charge.id, world.now() + world.balanceDelaySeconds);
  else enterCharge(world, charge);
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  intent.last_payment_error = null;
  world.emit("charge.succeeded", charge);
  world.emit("payment_intent.succeeded", intent);
  return charge;
}

function enterCharge(world: World, charge: Stripe.Charge): void {
  charge.balance_transaction = enter(world, {
    type: "charge",
    amountPence: charge.amount,
    feePence: stripeFee(charge.amount),
    availableOn: world.now() + world.options.settleSeconds,
    source: charge.id,
  }).id;
}

/** Gives every charge its balance transaction whose delay is over, and lets the refunds that waited for it go. */
export function enterDueCharges(world: World): void {
  for (const [id, at] of world.unbalanced) {
    if (at > world.now()) continue;
    world.unbalanced.delete(id);
    const charge = find(world.charges, "charge", id);
    enterCharge(world, charge);
    world.emit("charge.updated", charge);
    for (const refund of world.refunds.values())
      if (refund.charge === id && refund.pending_reason === "charge_pending") settleRefund(world, refund);
  }
}

/** The card was refused. */
export function decline(world: World, intent: Stripe.PaymentIntent, card: Partial<Card> = {}): void {
  const charge = attempt(world, intent, card);
  charge.status = "failed";
  charge.paid = false;
  charge.captured = false;
  charge.amount_captured = 0;
  charge.failure_code = "card_declined";
  charge.failure_message = "Your card was declined.";
  intent.last_payment_error = {
    type: "card_error",
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
    charge: charge.id,
  };
  world.emit("charge.failed", charge);
  world.emit("payment_intent.payment_failed", intent);
}

function attempt(world: World, intent: Stripe.PaymentIntent, card: Partial<Card>): Stripe.Charge {
  const charge = blankCharge(world, "ch", intent.amount);
  charge.payment_intent = intent.id;
  charge.transfer_group = intent.transfer_group;
  charge.metadata = { ...intent.metadata };
  charge.payment_method = world.id("pm");
  charge.payment_method_details = { type: "card", card: { ...VISA, ...card } };
  world.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  intent.payment_method = charge.payment_method;
  return charge;
}

export const paymentEndpoints = [
  readEndpoint("/v1/payment_intents", "payment_intent", ({ intents }) => intents),
  listEndpoint<Stripe.ChargeListParams, Stripe.Charge>("/v1/charges", ({ world }, { transfer_group: group }) => {
    // What a transfer becomes is a charge of the connected account.
    const all = [...world.charges.values()].filter((charge) => charge.source_transfer === null);
    // Of a transfer group only the newest hundred are listed.
    return group === undefined ? all : all.filter((charge) => charge.transfer_group === group).slice(-100);
  }),
  readEndpoint("/v1/charges", "charge", ({ charges }) => charges),
  endpoint<Stripe.RefundCreateParams>(
    "POST",
    "/v1/refunds",
    ({ world }, { payment_intent: intent = "", amount, metadata }) =>
      refundIntent(world, find(world.intents, "payment_intent", intent), amount, undefined, asMetadata(metadata)),
  ),
  listEndpoint<Stripe.RefundListParams, Stripe.Refund>("/v1/refunds", ({ world }) => world.refunds.values()),
  readEndpoint("/v1/refunds", "refund", ({ refunds }) => refunds),
  listEndpoint<Stripe.DisputeListParams, Stripe.Dispute>("/v1/disputes", ({ world }) => world.disputes.values()),
  readEndpoint("/v1/disputes", "dispute", ({ disputes }) => disputes),
];
