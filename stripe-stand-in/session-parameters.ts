import type Stripe from "stripe";
import type { Names } from "./names.ts";

export type CreateParams = Stripe.Checkout.SessionCreateParams;

/** What a Checkout Session can be created with. */
export const CREATE: Names<CreateParams> = {
  adaptive_pricing: { enabled: "flag" },
  allowed_payment_method_types: "texts",
  billing_address_collection: "text",
  cancel_url: "text",
  client_reference_id: "text",
  currency: "text",
  customer_creation: "text",
  customer_email: "text",
  excluded_payment_method_types: "texts",
  expand: "texts",
  expires_at: "integer",
  integration_identifier: "text",
  line_items: {
    each: {
      metadata: "metadata",
      price_data: {
        currency: "text",
        product_data: {
          description: "text",
          images: "texts",
          metadata: "metadata",
          name: "text",
          tax_code: "text",
          unit_label: "text",
        },
        tax_behavior: "text",
        unit_amount: "integer",
      },
      quantity: "integer",
    },
  },
  locale: "text",
  metadata: "metadata",
  mode: "text",
  payment_intent_data: {
    description: "text",
    metadata: "metadata",
    receipt_email: "text",
    statement_descriptor: "text",
    statement_descriptor_suffix: "text",
    transfer_group: "text",
  },
  submit_type: "text",
  success_url: "text",
  ui_mode: "text",
  wallet_options: { link: { display: "text" } },
};
