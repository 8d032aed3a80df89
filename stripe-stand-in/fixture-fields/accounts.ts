import type Stripe from "stripe";
import type { Observed } from "./kinds.ts";

/** Connected accounts and the links to their dashboards. */
export const ACCOUNTS = {
  account: {
    business_profile: "object?",
    business_type: "text?",
    capabilities: "object?",
    charges_enabled: "flag",
    controller: "object?",
    country: "text?",
    created: "integer?",
    default_currency: "text?",
    details_submitted: "flag",
    email: "text?",
    external_accounts: "object?",
    future_requirements: "object?",
    id: "text",
    metadata: "object?",
    object: "text",
    payouts_enabled: "flag",
    requirements: "object?",
    settings: "object?",
    tos_acceptance: "object?",
    type: "text",
  } satisfies Observed<Stripe.Account>,
  "account.requirements": {
    alternatives: "list?",
    current_deadline: "integer?",
    currently_due: "list?",
    disabled_reason: "text?",
    errors: "list?",
    eventually_due: "list?",
    past_due: "list?",
    pending_verification: "list?",
  } satisfies Observed<Stripe.Account.Requirements>,
  login_link: {
    created: "integer",
    object: "text",
    url: "text",
  } satisfies Observed<Stripe.LoginLink>,
} as const;
