import type Stripe from "stripe";
import type { World } from "./world.ts";

// Whole objects, so that the package's own types tell when a field is missing; what Guildhall never uses is empty.

/** Fields that Stripe always sends, for something that Guildhall never uses. */
export function unused<Name extends string>(...names: Name[]): Record<Name, null> {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;
}

/** A Checkout Session as Stripe gives it before anybody has paid. */
export function blankSession(
  world: World,
  id: string,
  totalPence: number,
  types: string[],
  params: Stripe.Checkout.SessionCreateParams,
): Stripe.Checkout.Session {
  return {
    id,
    object: "checkout.session",
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: totalPence,
    amount_total: totalPence,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: world.now(),
    currency: "gbp",
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer_creation: "if_required",
    discounts: [],
    expires_at: params.expires_at ?? world.now() + 24 * 3600,
    livemode: world.livemode,
    metadata: asMetadata(params.metadata),
    mode: "payment",
    payment_intent: null,
    payment_method_collection: "if_required",
    payment_method_options: {},
    payment_method_types: types,
    payment_status: "unpaid",
    phone_number_collection: { enabled: false },
    shipping_options: [],
    status: "open",
    success_url: params.success_url ?? null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${world.options.baseUrl()}/c/pay/${id}`,
    wallet_options: params.wallet_options ?? null,
    ...unused("adaptive_pricing", "after_expiration", "allow_promotion_codes", "billing_address_collection"),
    ...unused("client_secret", "collected_information", "consent", "consent_collection", "currency_conversion"),
    ...unused("customer", "customer_account", "customer_details", "customer_email", "integration_identifier"),
    ...unused("invoice", "invoice_creation", "locale", "managed_payments", "origin_context", "payment_link"),
    ...unused("payment_method_configuration_details", "permissions", "recovered_from", "saved_payment_method_options"),
    ...unused("setup_intent", "shipping_address_collection", "shipping_cost", "submit_type", "subscription"),
  };
}

/** A PaymentIntent that waits for a card. */
export function blankIntent(
  world: World,
  amountPence: number,
  data: Pick<Stripe.PaymentIntentCreateParams, "metadata" | "transfer_group">,
): Stripe.PaymentIntent {
  return {
    id: world.id("pi"),
    object: "payment_intent",
    allowed_payment_method_types: ["card"],
    amount: amountPence,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    confirmation_method: "automatic",
    created: world.now(),
    currency: "gbp",
    last_payment_error: null,
    latest_charge: null,
    livemode: world.livemode,
    metadata: asMetadata(data.metadata),
    payment_method: null,
    payment_method_types: ["card"],
    review: null,
    status: "requires_payment_method",
    transfer_group: data.transfer_group ?? null,
    ...unused("application", "application_fee_amount", "automatic_payment_methods", "client_secret", "customer"),
    ...unused("customer_account", "description", "excluded_payment_method_types", "managed_payments", "next_action"),
    ...unused("on_behalf_of", "payment_method_configuration_details", "payment_method_options", "payment_record"),
    ...unused("processing", "receipt_email", "setup_future_usage", "shipping", "source", "statement_descriptor"),
    ...unused("statement_descriptor_suffix", "transfer_data"),
  };
}

/** A charge that has gone through; `prefix` is `py` for what a transfer becomes in the connected account. */
export function blankCharge(world: World, prefix: "ch" | "py", amountPence: number): Stripe.Charge {
  return {
    id: world.id(prefix),
    object: "charge",
    amount: amountPence,
    amount_captured: amountPence,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    captured: true,
    created: world.now(),
    currency: "gbp",
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: world.livemode,
    metadata: {},
    paid: true,
    payment_intent: null,
    payment_method: null,
    payment_method_details: null,
    refunded: false,
    review: null,
    source_transfer: null,
    status: "succeeded",
    transfer_group: null,
    ...unused("application", "application_fee", "application_fee_amount", "calculated_statement_descriptor"),
    ...unused("customer", "description", "failure_balance_transaction", "fraud_details", "on_behalf_of", "outcome"),
    ...unused("receipt_email", "receipt_number", "receipt_url", "shipping", "source", "statement_descriptor"),
    ...unused("statement_descriptor_suffix", "transfer_data"),
  };
}

/** Metadata as it is stored: all values are text. */
export function asMetadata(given: Stripe.MetadataParam | "" | null | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(given || {}).map(([key, value]) => [key, String(value ?? "")]));
}
