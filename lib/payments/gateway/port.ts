/** What is to be paid, from the frozen terms, under the ID of a row that was written first. */
export type CheckoutOrder = {
  paymentId: string;
  /** Goes up after an attempt that can no longer have an effect, so that the next one has a new key at the processor. */
  attempt: number;
  contractId: string;
  taskId: string;
  settlementId: string;
  providerId: string;
  amountPence: number;
  termsHash: string;
  /** Shown to the payer. */
  title: string;
  expiresAt: Date;
};

/** A checkout as the processor has it now. */
export type Checkout = {
  sessionId: string;
  url: string | null;
  /** `expired`: it has ended and nothing was taken. `unknown`: the processor does not say, or in a way that this version does not know. */
  status: "open" | "processing" | "paid" | "expired" | "unknown";
  amountPence: number;
  currency: string;
  /** It can be paid by card and in no other way. */
  cardOnly: boolean;
  paymentId: string | null;
  intentId: string | null;
};

/** The transfer of a settlement's net amount to its provider, likewise. */
export type TransferOrder = {
  transferId: string;
  attempt: number;
  settlementId: string;
  contractId: string;
  providerId: string;
  amountPence: number;
  /** The provider's account, and the charge that pays for it; null if the platform's available balance does. */
  accountId: string | null;
  chargeId: string | null;
};

export type SentTransfer = {
  stripeTransferId: string;
  transferId: string | null;
  amountPence: number;
  currency: string;
  accountId: string | null;
  /** The ID of the same money on the connected account, which payouts refer to. */
  destinationPayment: string | null;
  group: string | null;
  /** `actId` names the act of an administrator that made it. */
  reversals: { id: string; amountPence: number; actId: string | null }[];
};

/** A refund or a reversal, under the ID of an act that was written first. */
type ActOrder = { actId: string; attempt: number; settlementId: string; amountPence: number };

/** A refund or dispute of a charge. */
export type Loss = {
  id: string;
  kind: "refund" | "chargeback";
  amountPence: number;
  status: string;
  /** What has left the platform's balance because of it, in pence, without fees; less again what has come back. */
  gonePence: number;
  /** A refund that may still fail, whether or not the money has left. */
  pending: boolean;
  /** What the processor kept for itself because of it. */
  feePence: number;
  /** Of a dispute: the IDs of the movements of the balance which these two sum up. */
  balanceTransactions?: string[];
  /** Until when a dispute must be answered. */
  dueBy: Date | null;
  /** The act of an administrator that made the refund. */
  actId: string | null;
  createdAt: Date;
};

export type Charge = {
  chargeId: string;
  intentId: string;
  /** The payment that it names. */
  paymentId: string | null;
  amountPence: number;
  currency: string;
  paid: boolean;
  /** The method of payment, if the processor gives it. `link` if it was paid through Link, which may take it from a bank account. */
  method: string | null;
  /** What the processor kept of it for itself; null until the charge has reached the balance. */
  feePence: number | null;
  /** When its money becomes available there, known with the fee. */
  availableAt: Date | null;
  /** The processor's review of it, open or closed. */
  reviewId: string | null;
  losses: Loss[];
};

/** Something that warns of fraud about a charge. */
type Warning = { id: string; kind: "early_fraud_warning" | "review"; isOpen: boolean; createdAt: Date };

export type AccountOrder = {
  accountRowId: string;
  attempt: number;
  publicId: string;
  name: string;
  /** Where the processor writes to the account's holder; undefined if no verified address is known. */
  contactEmail: string | undefined;
};

export type Account = {
  accountId: string;
  apiVersion: 1 | 2;
  /** The public_id in the account's own metadata. */
  publicId: string | null;
  transfers: string;
  payouts: string;
  /** What the processor still asks for, in its own words. */
  requirementsDue: string[];
  closed: boolean;
};

export type Payout = {
  payoutId: string;
  status: "pending" | "in_transit" | "paid" | "failed" | "canceled";
  failure: string | null;
  /** The processor says what it consists of; of manual and instant payouts it does not. */
  attributable: boolean;
  /** The processor has put it together: its contents no longer change. */
  complete: boolean;
  arrivesAt: Date;
  createdAt: Date;
};

/** What a payout consists of: the IDs of payments that came by transfer, and of earlier payouts that were returned. */
type PayoutContents = { payments: string[]; returnedPayouts: string[] };

/** Types of movements of the balance that are the processor's own fees. */
export const FEE_TYPES: readonly string[] = ["stripe_fee", "stripe_fx_fee", "tax_fee"];

/** A movement of the platform's own balance, in pence: net is the amount less the fee. */
export type BalanceLine = {
  id: string;
  type: string;
  source: string | null;
  amountPence: number;
  feePence: number;
  netPence: number;
  createdAt: Date;
  availableAt: Date;
};

/** An event in the processor's own list. */
type ListedEvent = { id: string; type: string; livemode: boolean; objectId: string | null; createdAt: Date };

/** What was read, or the code with which the processor refused to answer. */
export type Answered<Value> = { value: Value } | { refused: string };

/** Where the processor sends events, in which form, and from whom. */
export type EventDestination = {
  id: string;
  url: string;
  payload: string;
  from: string[];
  events: string[];
  apiVersion: string | null;
  enabled: boolean;
};

/** `interval` is `manual`, or how often; `minimumPence` is what always stays. */
export type PayoutSchedule = { interval: string | null; minimumPence: number | null };

/** How the platform's own account is set up. */
export type PlatformFacts = {
  apiVersion: string;
  account: Answered<{
    id: string;
    country: string;
    currency: string;
    chargesEnabled: boolean;
    payoutsEnabled: boolean;
    due: string[];
    /** What payers and providers are not shown yet: an icon, a name on card statements, where to ask. */
    unshown: string[];
    capabilities: Record<string, string | undefined>;
  }>;
  payouts: Answered<PayoutSchedule>;
  destinations: Answered<EventDestination[]>;
  /** Whether any account is connected. */
  hasAccounts: Answered<boolean>;
  missingRights: string[];
  /** Rights to read connected accounts' objects, which can be tried only once there is one. */
  untriedRights: string[];
};

/** What LIVE needs of its card processor. TEST has no gateway: its payments and transfers are simulated in our own records. */
export interface LiveGateway {
  /** Opens the checkout of an order; the same order again gives the same checkout. */
  openCheckout(order: CheckoutOrder): Promise<Checkout>;
  /** Sends a transfer; the same order again gives the same transfer. */
  sendTransfer(order: TransferOrder): Promise<SentTransfer>;
  readCheckout(sessionId: string): Promise<Checkout | undefined>;
  /** All checkouts that name a payment, oldest first. An opening without a known outcome may have left more than one. */
  findCheckouts(paymentId: string, since: Date): Promise<Checkout[]>;
  /** All checkouts that can still be paid. */
  listOpenCheckouts(since: Date): Promise<Checkout[]>;
  /** Expires an open checkout. One that is already paid or expired is returned as it is. */
  closeCheckout(sessionId: string, paymentId: string): Promise<Checkout | undefined>;
  readCharge(intentId: string): Promise<Charge | undefined>;
  /** What warns of fraud about a charge. */
  readWarnings(charge: Pick<Charge, "chargeId" | "reviewId">): Promise<Warning[]>;
  /** All successful charges for a settlement, without their refunds and disputes. */
  listCharges(settlementId: string): Promise<Charge[]>;
  /** The ID of our payment to which a payment intent, charge, refund or dispute belongs. */
  paymentOf(objectId: string): Promise<string | undefined>;
  readTransfer(stripeTransferId: string): Promise<SentTransfer | undefined>;
  /** All transfers of a settlement. */
  listTransfers(settlementId: string): Promise<SentTransfer[]>;
  /** Refunds a charge; the same order again gives the same refund. */
  refund(order: ActOrder & { intentId: string }): Promise<Loss>;
  /** Reverses a transfer; the same order again gives the same reversal. */
  reverseTransfer(order: ActOrder & { stripeTransferId: string }): Promise<void>;
  /** The platform's own balance, in pence. */
  readBalance(): Promise<{ availablePence: number; pendingPence: number }>;
  /**
   * The movements of that balance in GBP, created from `since` and before `until`, newest first. Undefined if there are more than
   * it reads at once.
   */
  listBalance(since: Date, until: Date): Promise<BalanceLine[] | undefined>;
  openAccount(order: AccountOrder): Promise<Account>;
  findAccount(order: AccountOrder): Promise<Account | undefined>;
  readAccount(accountId: string, apiVersion: number): Promise<Account | undefined>;
  onboardingUrl(accountId: string, key: string): Promise<string>;
  /** A link that signs the account's holder in to the processor's dashboard. It works once. */
  dashboardUrl(accountId: string): Promise<string>;
  /** For how many days more the processor keeps an account's money before paying it out; 0 for its usual time. */
  setPayoutDelay(accountId: string, days: number): Promise<void>;
  readPayout(accountId: string, payoutId: string): Promise<Payout | undefined>;
  readPayoutContents(accountId: string, payoutId: string): Promise<PayoutContents>;
  listPayouts(accountId: string, since: Date): Promise<Payout[]>;
  /** @param types only events of these types */
  listEvents(since: Date, types: readonly string[]): Promise<ListedEvent[]>;
  readPlatform(): Promise<PlatformFacts>;
  /** The ID of the platform's own account. */
  readOwnAccount(): Promise<string>;
  /** When the processor pays the platform's own balance out to its bank. */
  readPayoutSchedule(): Promise<PayoutSchedule>;
}

/** The same gateway, each call of which is made by `make`. */
export function everyCall(
  gateway: LiveGateway,
  make: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
): LiveGateway {
  const calls = Object.entries(gateway).map(([name, call]) => [
    name,
    (...args: unknown[]) => make(name, () => (call as (...args: unknown[]) => Promise<unknown>)(...args)),
  ]);
  return Object.fromEntries(calls) as LiveGateway;
}

/**
 * How a call to the processor failed:
 * `refused`: it had no effect, and its key is used up;
 * `misconfigured`: the processor does not accept our key, or the key lacks a right. It had no effect, and the same key may be sent
 * again once the operator has put that right;
 * `busy`: it has had no effect yet, and the same key may be sent again;
 * `unknown`: it may have had an effect, which is looked up before anything is sent again. `answered` means that the processor
 * itself reported the failure, and would repeat that answer to the same key.
 */
export class ProcessorError extends Error {
  readonly kind: "refused" | "misconfigured" | "busy" | "unknown";
  readonly code: string;
  readonly answered: boolean;
  constructor(kind: ProcessorError["kind"], code: string, message: string, answered = false) {
    super(message);
    this.name = "ProcessorError";
    this.kind = kind;
    this.code = code;
    this.answered = answered;
  }
}
