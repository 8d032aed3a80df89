import type { AccountStep } from "#lib/identity/payment-account.ts";

/** The facts that may hold a transfer; `hold-facts.ts` loads them. */
export type HoldFacts = {
  disputeOpen: boolean;
  taskHeld: boolean;
  requesterHeld: boolean;
  providerHeld: boolean;
  requesterSuspended: boolean;
  providerSuspended: boolean;
  /** With refunds that an administrator has ordered and that are not made yet. */
  refundedPence: number;
  disputedPence: number;
  /** What of these an administrator has taken into account when deciding that the transfer is sent. */
  allowedRefundPence: number;
  allowedDisputePence: number;
  /** The payer's bank has warned of fraud, or the payment is under review at Stripe, and no administrator has decided about it. */
  fraudWarned: boolean;
  underReview: boolean;
  /** Until when it waits after completion, so that fraud can show first; null if it waits no longer. */
  waitsUntil: Date | null;
  account: AccountStep[];
  /** Stripe's error code, if it refused the last attempt. */
  problem: string | null;
};

export const HOLD_REASONS = [
  "dispute",
  "task_held",
  "requester_held",
  "provider_held",
  "requester_suspended",
  "provider_suspended",
  "refund",
  "chargeback",
  "fraud_warning",
  "review",
  "transfer_delay",
  "identity_match",
  "transfers_active",
  "payouts_enabled",
  "no_unresolved_requirements",
  "platform_balance",
  "refused",
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export type Hold = { reason: HoldReason; detail: string; remedy: string };

const ASK = "Ask the administrator of this service.";

/** Everything that holds a queued transfer, each with what lifts it. Pure. */
export function holdsOf(facts: HoldFacts): Hold[] {
  const holds: Hold[] = [];
  const hold = (on: boolean, reason: HoldReason, detail: string, remedy = ASK) => {
    if (on) holds.push({ reason, detail, remedy });
  };
  hold(facts.disputeOpen, "dispute", "The task has an open dispute.", "An administrator must resolve the dispute.");
  hold(facts.taskHeld, "task_held", "The administrator holds the task.");
  hold(facts.requesterHeld, "requester_held", "The requester is on hold.");
  hold(facts.providerHeld, "provider_held", "The provider is on hold.");
  hold(facts.requesterSuspended, "requester_suspended", "The requester is suspended.");
  hold(facts.providerSuspended, "provider_suspended", "The provider is suspended.");
  hold(
    facts.refundedPence > facts.allowedRefundPence,
    "refund",
    "Part or all of the payment was refunded.",
    "The administrator of this service decides whether what is left is sent.",
  );
  hold(
    facts.disputedPence > facts.allowedDisputePence,
    "chargeback",
    "The payer's bank disputes this payment.",
    "It is lifted if the dispute is won. Otherwise the administrator of this service decides about what is left.",
  );
  hold(
    facts.fraudWarned,
    "fraud_warning",
    "The payer's bank warns that this payment may be fraudulent.",
    "The administrator of this service decides whether the transfer is sent.",
  );
  hold(
    facts.underReview,
    "review",
    "The payment is under review.",
    "It is lifted when the review is closed, or by the administrator of this service.",
  );
  hold(
    facts.waitsUntil !== null,
    "transfer_delay",
    `Transfers wait for a while after completion, so that fraud can show first. This one waits until ${facts.waitsUntil?.toISOString()}.`,
    "It is then sent automatically.",
  );
  for (const { step, done, detail, remedy } of facts.account) hold(!done, step, detail, remedy ?? ASK);
  return holds;
}

/** Stripe's code for a transfer that the platform's available balance does not cover. */
export const BALANCE_INSUFFICIENT = "balance_insufficient";

/** The same for display: also Stripe's refusal of the last attempt, which does not stop the next one. */
export function shownHolds(facts: HoldFacts): Hold[] {
  const holds = holdsOf(facts);
  if (facts.problem === BALANCE_INSUFFICIENT)
    holds.push({
      reason: "platform_balance",
      detail: "The service's balance at Stripe does not cover this transfer yet.",
      remedy:
        "It will be sent automatically when the balance is sufficient; the operator of this service must see to that.",
    });
  else if (facts.problem && holds.length === 0)
    holds.push({
      reason: "refused",
      detail: `Stripe refused the last attempt (${facts.problem}).`,
      remedy: "It will be retried automatically; the operator of this service can see the reason.",
    });
  return holds;
}
