import type Stripe from "stripe";
import { sum } from "#lib/kernel/money.ts";
import {
  type Account,
  type Charge,
  type Checkout,
  FEE_TYPES,
  type Loss,
  type Payout,
  type SentTransfer,
} from "../port.ts";

// Stripe's objects in the port's terms. Pure.

type Ref = string | { id: string } | null | undefined;

export const idOf = (ref: Ref): string | null => (typeof ref === "string" ? ref : (ref?.id ?? null));
export const date = (seconds: number) => new Date(seconds * 1000);

export function toCheckout(session: Stripe.Checkout.Session): Checkout {
  return {
    sessionId: session.id,
    url: session.url,
    status: statusOf(session),
    amountPence: session.amount_total ?? 0,
    currency: session.currency ?? "",
    cardOnly: session.payment_method_types.length === 1 && session.payment_method_types[0] === "card",
    paymentId: session.client_reference_id ?? session.metadata?.guildhall_payment ?? null,
    intentId: idOf(session.payment_intent),
  };
}

function statusOf({ status, payment_status: payment }: Stripe.Checkout.Session): Checkout["status"] {
  // Stripe may leave the status out, and does not say of which sessions: such a one is neither payable nor paid nor over.
  if (status === "open" || status === "expired") return status as "open" | "expired";
  if (status !== "complete") return "unknown";
  if (payment === "paid") return "paid";
  // It is over, and nothing was to be paid.
  return payment === "no_payment_required" ? "expired" : "processing";
}

export function toCharge(charge: Stripe.Charge, losses: Loss[]): Charge {
  // Null at first: with asynchronous capture the money reaches the balance up to an hour later.
  const inBalance = typeof charge.balance_transaction === "object" ? charge.balance_transaction : null;
  return {
    chargeId: charge.id,
    intentId: idOf(charge.payment_intent) ?? "",
    paymentId: charge.metadata.guildhall_payment ?? null,
    amountPence: charge.amount_captured,
    currency: charge.currency,
    paid: charge.paid && charge.captured && charge.status === "succeeded",
    method: methodOf(charge.payment_method_details),
    feePence: inBalance?.fee ?? null,
    availableAt: inBalance ? date(inBalance.available_on) : null,
    reviewId: idOf(charge.review),
    losses,
  };
}

/** Stripe shows a payment through Link as a card payment: only the card's brand or wallet names Link. */
function methodOf(details: Stripe.Charge.PaymentMethodDetails | null): string | null {
  const { brand, wallet } = details?.card ?? {};
  return brand === "link" || wallet?.type === "link" ? "link" : (details?.type ?? null);
}

export function refundLoss(refund: Stripe.Refund): Loss {
  const status = refund.status ?? "pending";
  const pending = status === "pending" || status === "requires_action";
  // A pending refund is taken from the balance at once, or only when the balance suffices. The field may also be absent.
  const isGone = status === "succeeded" || (pending && Boolean(refund.balance_transaction));
  return {
    id: refund.id,
    kind: "refund",
    amountPence: refund.amount,
    status,
    gonePence: isGone ? refund.amount : 0,
    pending,
    feePence: 0,
    dueBy: null,
    actId: refund.metadata?.guildhall_act ?? null,
    createdAt: date(refund.created),
  };
}

/**
 * What a dispute has taken is what its movements of the balance sum up to, whatever its status: one that was prevented may have taken
 * money, one that was won may have returned half of it, and more may have gone than is disputed. A movement of a fee's own type is
 * all fee.
 */
export function disputeLoss(dispute: Stripe.Dispute): Loss {
  const lines = dispute.balance_transactions ?? [];
  const isFee = ({ type }: Stripe.BalanceTransaction) => FEE_TYPES.includes(type);
  return {
    id: dispute.id,
    kind: "chargeback",
    amountPence: dispute.amount,
    status: dispute.status,
    gonePence: sum(lines.map((line) => (isFee(line) ? 0 : 0 - line.amount))),
    pending: false,
    feePence: sum(lines.map((line) => line.fee - (isFee(line) ? line.amount : 0))),
    balanceTransactions: lines.map(({ id }) => id),
    dueBy: dispute.evidence_details?.due_by ? date(dispute.evidence_details.due_by) : null,
    actId: null,
    createdAt: date(dispute.created),
  };
}

export function toTransfer(transfer: Stripe.Transfer): SentTransfer {
  return {
    stripeTransferId: transfer.id,
    transferId: transfer.metadata.guildhall_transfer ?? null,
    amountPence: transfer.amount,
    currency: transfer.currency,
    accountId: idOf(transfer.destination),
    destinationPayment: idOf(transfer.destination_payment),
    group: transfer.transfer_group,
    reversals: transfer.reversals.data.map(toReversal),
  };
}

export function toReversal({ id, amount, metadata }: Stripe.TransferReversal): SentTransfer["reversals"][number] {
  return { id, amountPence: amount, actId: metadata?.guildhall_act ?? null };
}

export function toAccountV2(account: Stripe.V2.Core.Account): Account {
  const balance = account.configuration?.recipient?.capabilities?.stripe_balance;
  // What waits for Stripe itself is nothing that the provider could do.
  const due = (account.requirements?.entries ?? []).filter(
    ({ minimum_deadline: deadline, awaiting_action_from: from }) =>
      deadline.status !== "eventually_due" && from !== "stripe",
  );
  return {
    accountId: account.id,
    apiVersion: 2,
    publicId: account.metadata?.guildhall_public_id ?? null,
    transfers: balance?.stripe_transfers?.status ?? "unrequested",
    payouts: balance?.payouts?.status ?? "unrequested",
    requirementsDue: due.map(({ description }) => description),
    closed: account.closed === true,
  };
}

/** Reasons for which an account is disabled until Stripe has looked at it. */
const WAITS_FOR_STRIPE: ReadonlySet<string> = new Set(["requirements.pending_verification", "under_review"]);

export function toAccountV1(account: Stripe.Account): Account {
  const { currently_due: current, past_due: past, disabled_reason: disabled } = account.requirements ?? {};
  const isProviders = disabled && !WAITS_FOR_STRIPE.has(disabled);
  const due = new Set([...(current ?? []), ...(past ?? []), ...(isProviders ? [disabled] : [])]);
  return {
    accountId: account.id,
    apiVersion: 1,
    publicId: account.metadata?.guildhall_public_id ?? null,
    transfers: account.capabilities?.transfers ?? "unrequested",
    payouts: account.payouts_enabled === true ? "active" : "inactive",
    requirementsDue: [...due],
    closed: false,
  };
}

const PAYOUT_STATES = ["pending", "in_transit", "paid", "failed", "canceled"] as const;

export function toPayout(payout: Stripe.Payout): Payout {
  return {
    payoutId: payout.id,
    status: PAYOUT_STATES.find((status) => status === payout.status) ?? "pending",
    failure: payout.failure_message ?? payout.failure_code,
    attributable: payout.automatic !== false && payout.reconciliation_status !== "not_applicable",
    complete: payout.reconciliation_status === "completed",
    arrivesAt: date(payout.arrival_date),
    createdAt: date(payout.created),
  };
}
