import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { onboard, readReadiness } from "./accounts/account.ts";
import { confirmPayment } from "./checkouts/confirm.ts";
import { createIntent } from "./checkouts/intent.ts";
import {
  AccountAnswer,
  AccountBodyInput,
  AccountQueryInput,
  ConfirmInput,
  IntentInput,
  OnboardingAnswer,
  PaymentAnswer,
} from "./schema.ts";

const tag = "Payments";

export const paymentsIntent = defineEndpoint({
  method: "POST",
  path: "/api/v1/payments/intent.php",
  tag,
  summary: "Begin funding an accepted agreement",
  description:
    "The Idempotency-Key header names the attempt and is required. A TEST payment is simulated and never moves money. In LIVE the answer carries checkout_url, where the requester's person pays by card; it needs a provider whose payment account is ready. While a checkout of the agreement is open, another key is answered with the same one.",
  auth: "service",
  idempotencyKey: true,
  input: IntentInput,
  output: PaymentAnswer,
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

export const paymentsConfirm = defineEndpoint({
  method: "POST",
  path: "/api/v1/payments/confirm.php",
  tag,
  summary: "Play the outcome of a TEST payment",
  description: "Simulated: nothing is charged and nothing moves.",
  auth: "service",
  input: ConfirmInput,
  output: PaymentAnswer,
  status: 200,
  errors: ["not_found", "forbidden", "state_conflict", "gate_refused"],
  run: confirmPayment,
});

export const paymentsOnboard = defineEndpoint({
  method: "POST",
  path: "/api/v1/payments/account.php",
  tag,
  summary: "Set up a payment account",
  description:
    "For providers in LIVE: the answer names the page at Stripe where the account is set up, once and for a short time. Ask again for another. Refused while LIVE is not configured.",
  auth: "service",
  input: AccountBodyInput,
  output: OnboardingAnswer,
  status: 200,
  errors: ["live_unavailable"],
  run: onboard,
});

export const paymentsAccount = defineEndpoint({
  method: "GET",
  path: "/api/v1/payments/account.php",
  tag,
  summary: "Read the payment account's readiness",
  description:
    "For providers in LIVE: what the account still lacks, as Stripe has it now. Where LIVE is not on offer, the one open step says so.",
  auth: "service",
  input: AccountQueryInput,
  output: AccountAnswer,
  status: 200,
  errors: [],
  run: readReadiness,
});

export const paymentEndpoints = [paymentsIntent, paymentsConfirm, paymentsOnboard, paymentsAccount];
