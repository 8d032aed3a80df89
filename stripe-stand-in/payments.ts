import type Stripe from "stripe";
import { enter } from "./balance.ts";
import { endpoint } from "./endpoint.ts";
import { inRange, page } from "./list.ts";
import { refundIntent, settleRefund } from "./money-back.ts";
import type { Names } from "./names.ts";
import { asMetadata, blankCharge, blankIntent } from "./shapes.ts";
import { find, type World } from "./world.ts";

export type Card = Stripe.Charge.PaymentMethodDetails.Card;

const VISA: Card = {
  amount_authorized: null,
  authorization_code: null,
  brand: "visa",
  checks: null,
  country: "GB",
  electronic_commerce_indicator: null,
  exp_month: 12,
  exp_year: 2040,
  extended_authorization: { status: "disabled" },
  funding: "debit",
  installments: null,
  last4: "4242",
  mandate: null,
  network: "visa",
  network_transaction_id: null,
  regulated_status: null,
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
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

const expand: Names<Stripe.ChargeRetrieveParams> = { expand: "texts" };
const listing: Names<Stripe.RefundListParams> & Names<Stripe.DisputeListParams> = {
  charge: "text",
  created: "range",
  ending_before: "text",
  expand: "texts",
  limit: "integer",
  payment_intent: "text",
  starting_after: "text",
};

type Listing = Stripe.RefundListParams & Stripe.DisputeListParams;

function listed<T extends { id: string; created: number; charge: unknown; payment_intent: unknown }>(
  url: string,
  all: Iterable<T>,
  params: Listing,
): object {
  const chosen = [...all].filter(
    (thing) =>
      inRange(thing.created, params.created) &&
      (params.charge ?? thing.charge) === thing.charge &&
      (params.payment_intent ?? thing.payment_intent) === thing.payment_intent,
  );
  return page(url, chosen, params);
}

/** Minimal: Guildhall's payment intents are created by Checkout Sessions. */
const CREATE: Names<Stripe.PaymentIntentCreateParams> = {
  allowed_payment_method_types: "texts",
  amount: "integer",
  currency: "text",
  description: "text",
  expand: "texts",
  metadata: "metadata",
  transfer_group: "text",
};

export const paymentEndpoints = [
  endpoint<Stripe.PaymentIntentCreateParams>(
    "POST",
    "/v1/payment_intents",
    CREATE,
    ["amount", "currency"],
    ({ world }, params) => {
      const intent = blankIntent(world, params.amount, params);
      world.intents.set(intent.id, intent);
      world.emit("payment_intent.created", intent);
      return intent;
    },
  ),
  endpoint<Stripe.PaymentIntentRetrieveParams>(
    "GET",
    "/v1/payment_intents/:id",
    { expand: "texts" },
    [],
    ({ world, id }) => find(world.intents, "payment_intent", id),
  ),
  endpoint<Stripe.ChargeListParams>(
    "GET",
    "/v1/charges",
    {
      created: "range",
      ending_before: "text",
      expand: "texts",
      limit: "integer",
      payment_intent: "text",
      starting_after: "text",
      transfer_group: "text",
    },
    [],
    ({ world }, params) => {
      const chosen = [...world.charges.values()].filter(
        (charge) =>
          // What a transfer becomes is a charge of the connected account.
          charge.source_transfer === null &&
          inRange(charge.created, params.created) &&
          (params.payment_intent ?? charge.payment_intent) === charge.payment_intent &&
          (params.transfer_group ?? charge.transfer_group) === charge.transfer_group,
      );
      // Of a transfer group only the newest hundred are listed.
      return page("/v1/charges", params.transfer_group === undefined ? chosen : chosen.slice(-100), params);
    },
  ),
  endpoint<Stripe.ChargeRetrieveParams>("GET", "/v1/charges/:id", expand, [], ({ world, id }) =>
    find(world.charges, "charge", id),
  ),
  endpoint<Stripe.RefundCreateParams>(
    "POST",
    "/v1/refunds",
    {
      amount: "integer",
      expand: "texts",
      metadata: "metadata",
      payment_intent: "text",
      reason: "text",
    },
    ["payment_intent"],
    ({ world }, params) =>
      refundIntent(
        world,
        find(world.intents, "payment_intent", params.payment_intent ?? ""),
        params.amount,
        undefined,
        asMetadata(params.metadata),
      ),
  ),
  endpoint<Stripe.RefundListParams>("GET", "/v1/refunds", listing, [], ({ world }, params) =>
    listed("/v1/refunds", world.refunds.values(), params),
  ),
  endpoint<Stripe.RefundRetrieveParams>("GET", "/v1/refunds/:id", expand, [], ({ world, id }) =>
    find(world.refunds, "refund", id),
  ),
  endpoint<Stripe.DisputeListParams>("GET", "/v1/disputes", listing, [], ({ world }, params) =>
    listed("/v1/disputes", world.disputes.values(), params),
  ),
  endpoint<Stripe.DisputeRetrieveParams>("GET", "/v1/disputes/:id", expand, [], ({ world, id }) =>
    find(world.disputes, "dispute", id),
  ),
];
