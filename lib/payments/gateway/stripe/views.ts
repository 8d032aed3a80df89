import type Stripe from "stripe";
import type { Account, Charge, Checkout, Loss, Payout, SentTransfer } from "../port.ts";

// Stripe's objects in the port's terms. Pure.

type Ref = string | { id: string } | null | undefined;

export const idOf = (ref: Ref): string | null => (typeof ref === "string" ? ref : (ref?.id ?? null));
export const date = (seconds: number) => new Date(seconds * 1000);

export function toCheckout(session: Stripe.Checkout.Session): Checkout {
  const done = session.status === "complete";
  return {
    sessionId: session.id,
    url: session.url,
    status: done
      ? session.payment_status === "paid"
        ? "paid"
        : "processing"
      : session.status === "expired"
        ? "expired"
        : "open",
    amountPence: session.amount_total ?? 0,
    currency: session.currency ?? "",
    cardOnly: session.payment_method_types.length === 1 && session.payment_method_types[0] === "card",
    paymentId: session.client_reference_id ?? session.metadata?.guildhall_payment ?? null,
    intentId: idOf(session.payment_intent),
  };
}

export function toCharge(charge: Stripe.Charge, losses: Loss[]): Charge {
  return {
    chargeId: charge.id,
    intentId: idOf(charge.payment_intent) ?? "",
    paymentId: charge.metadata.guildhall_payment ?? null,
    amountPence: charge.amount_captured,
    currency: charge.currency,
    paid: charge.paid && charge.captured && charge.status === "succeeded",
    method: methodOf(charge.payment_method_details),
    feePence: typeof charge.balance_transaction === "object" ? (charge.balance_transaction?.fee ?? null) : null,
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
  return {
    id: refund.id,
    kind: "refund",
    amountPence: refund.amount,
    status,
    // A pending refund is taken from the balance at once, or only when the balance suffices.
    gone: status === "succeeded" || (pending && refund.balance_transaction !== null),
    pending,
    feePence: 0,
    dueBy: null,
    actId: refund.metadata?.guildhall_act ?? null,
    createdAt: date(refund.created),
  };
}

/** Statuses in which a dispute has taken no money: an inquiry takes none, and a dispute that is won or prevented gives it back. */
const WITHOUT_MONEY: ReadonlySet<Stripe.Dispute.Status> = new Set([
  "won",
  "prevented",
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
]);

export function disputeLoss(dispute: Stripe.Dispute): Loss {
  return {
    id: dispute.id,
    kind: "chargeback",
    amountPence: dispute.amount,
    status: dispute.status,
    gone: !WITHOUT_MONEY.has(dispute.status),
    pending: false,
    feePence: (dispute.balance_transactions ?? []).reduce((sum, { fee }) => sum + fee, 0),
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
    payouts: account.payouts_enabled ? "active" : "inactive",
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
