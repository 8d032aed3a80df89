import type Stripe from "stripe";
import { ACCOUNTS } from "./fixture-fields/accounts.ts";
import { BALANCE } from "./fixture-fields/balance.ts";
import type { Observed } from "./fixture-fields/kinds.ts";
import { MONEY_BACK } from "./fixture-fields/money-back.ts";
import { PAYMENTS } from "./fixture-fields/payments.ts";
import { TRANSFERS } from "./fixture-fields/transfers.ts";

// Field names and kinds of value in Stripe's own API fixtures, as a second opinion beside the stripe package's types.
//
// Source: fixtures3.json of Stripe's OpenAPI repository (github.com/stripe/openapi, MIT licence), of August 2026: one example of each
// resource. Only names and kinds, no values. `satisfies` compares them with the package's types, which know the newer version
// 2026-10-28: a field that the package lacks, or of which it says something else, does not compile. Where an example is null, the kind
// is the package's.

/** Objects by their `object` field; parts of them by their path. */
export const FIXTURE_FIELDS = {
  ...ACCOUNTS,
  ...BALANCE,
  ...MONEY_BACK,
  ...PAYMENTS,
  ...TRANSFERS,
  event: {
    api_version: "text?",
    created: "integer",
    data: "object",
    id: "text",
    livemode: "flag",
    object: "text",
    pending_webhooks: "integer",
    request: "object?",
    type: "text",
  } satisfies Observed<Stripe.Event>,
} as const;
