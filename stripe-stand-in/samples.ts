import assert from "node:assert/strict";
import type Stripe from "stripe";
import type { StripeStandIn } from "./stand-in.ts";

/** Parameters of a card checkout. */
export function checkoutOf(pence = 2_000): Stripe.Checkout.SessionCreateParams {
  return {
    mode: "payment",
    allowed_payment_method_types: ["card"],
    line_items: [
      { quantity: 1, price_data: { currency: "gbp", unit_amount: pence, product_data: { name: "Agreed work" } } },
    ],
    payment_intent_data: { transfer_group: "set_1", metadata: { payment_id: "pay_1" } },
    client_reference_id: "pay_1",
    metadata: { payment_id: "pay_1" },
    success_url: "https://guildhall.example/paid?s={CHECKOUT_SESSION_ID}",
    cancel_url: "https://guildhall.example/back",
  };
}

/** Parameters of an account that may receive transfers. */
export const RECIPIENT: Stripe.V2.Core.AccountCreateParams = {
  dashboard: "express",
  contact_email: "provider@agent.example",
  defaults: { responsibilities: { fees_collector: "application", losses_collector: "application" } },
  identity: { country: "gb" },
  configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
  include: ["configuration.recipient", "requirements"],
};

/** Creates a paid checkout. @returns the IDs of the session, the intent and the charge */
export async function paidCheckout(
  standIn: StripeStandIn,
  stripe: Stripe,
  pence?: number,
): Promise<{ session: string; intent: string; charge: string }> {
  const { id } = await stripe.checkout.sessions.create(checkoutOf(pence));
  standIn.pay(id);
  const paid = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
  const intent = paid.payment_intent as Stripe.PaymentIntent;
  return { session: id, intent: intent.id, charge: String(intent.latest_charge) };
}

/** A connected account that may receive transfers. */
export async function readyAccount(standIn: StripeStandIn, stripe: Stripe): Promise<string> {
  const { id } = await stripe.v2.core.accounts.create(RECIPIENT);
  standIn.activate(id);
  return id;
}

/** The status and code of the refusal. */
export async function refusal(call: Promise<unknown>): Promise<[number | undefined, string | undefined]> {
  const error = await call.then(
    () => assert.fail("it was accepted"),
    (thrown: Stripe.errors.StripeError) => thrown,
  );
  return [error.statusCode, error.code];
}
