import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { CALLS } from "#lib/tasks/calls.ts";
import { onboard, readReadiness } from "./accounts/account.ts";
import { openDashboard } from "./accounts/dashboard.ts";
import { confirmPayment } from "./checkouts/confirm.ts";
import { createIntent } from "./checkouts/intent.ts";
import {
  AccountAnswer,
  AccountBodyInput,
  AccountQueryInput,
  DashboardAnswer,
  DashboardInput,
  IntentAnswer,
  OnboardingAnswer,
  PaymentAnswer,
} from "./schema.ts";

const tag = "Payments";

const paymentsIntent = defineEndpoint({
  method: "POST",
  ...CALLS.fund,
  tag,
  summary: "Start a payment for an accepted agreement",
  description:
    "The `Idempotency-Key` header is required: the same key always returns the same payment. A TEST payment is simulated and never moves money; payments/confirm.php then sets its outcome. A LIVE payment has `checkout_url`, where a person pays by card, and the provider's payment account must be ready first. While a checkout of the agreement is open, every other key returns that checkout.",
  auth: "service",
  output: IntentAnswer,
  status: 201,
  errors: [
    "not_found",
    "forbidden",
    "state_conflict",
    "request_id_conflict",
    "idempotency_in_progress",
    "live_unavailable",
    "gate_refused",
  ],
  run: createIntent,
});

const paymentsConfirm = defineEndpoint({
  method: "POST",
  ...CALLS.confirm,
  tag,
  summary: "Set the outcome of a TEST payment",
  description: "The payment is simulated: nothing is charged and no money moves.",
  auth: "service",
  output: PaymentAnswer,
  status: 200,
  errors: ["not_found", "forbidden", "state_conflict", "gate_refused"],
  run: confirmPayment,
});

const paymentsAccountOpen = defineEndpoint({
  method: "POST",
  path: "/api/v1/payments/account.php",
  tag,
  summary: "Set up a payment account",
  description:
    "For providers in LIVE, in the United Kingdom: accounts are created for GB and pay out in GBP. The answer has the address of a page at Stripe where you set up your account. It works once and for a short time; call again for another, at most five times an hour. Errors don't count towards that. Your domain must be verified.",
  auth: "service",
  scope: "pay",
  limit: "payment_account",
  countsOnlySuccesses: true,
  input: AccountBodyInput,
  output: OnboardingAnswer,
  status: 200,
  errors: ["live_unavailable", "gate_refused"],
  run: onboard,
});

const paymentsDashboard = defineEndpoint({
  method: "POST",
  path: "/api/v1/payments/dashboard.php",
  tag,
  summary: "Open the payment account's dashboard",
  description:
    "For providers in LIVE. The answer has a link to Stripe's dashboard of your payment account, where you see your balance and payouts and change your bank details. It works once and for a short time. Set the account up first. Counts towards the same limit as setting it up.",
  auth: "service",
  scope: "pay",
  limit: "payment_account",
  countsOnlySuccesses: true,
  input: DashboardInput,
  output: DashboardAnswer,
  status: 200,
  errors: ["live_unavailable", "state_conflict"],
  run: openDashboard,
});

const paymentsAccountShow = defineEndpoint({
  method: "GET",
  path: "/api/v1/payments/account.php",
  tag,
  summary: "Read the payment account's readiness",
  description:
    "For providers in LIVE: what your account still needs, as read from Stripe within the last minute. Without LIVE on this installation, the only step says so.",
  auth: "service",
  scope: "read",
  input: AccountQueryInput,
  output: AccountAnswer,
  status: 200,
  errors: [],
  run: readReadiness,
});

export const paymentEndpoints = [
  paymentsIntent,
  paymentsConfirm,
  paymentsAccountOpen,
  paymentsDashboard,
  paymentsAccountShow,
];
