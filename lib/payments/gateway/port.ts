/** What is to be paid: from the frozen terms, under the ID of the intent row that was written first. */
export type CheckoutOrder = {
  paymentId: string;
  /** Counts on when an attempt was refused for good, so that the next one is a new one for the processor too. */
  attempt: number;
  contractId: string;
  taskId: string;
  settlementId: string;
  providerId: string;
  amountPence: number;
  /** Of the frozen terms that are paid for. */
  termsHash: string;
  /** What the payer reads. */
  title: string;
  expiresAt: Date;
};

/** A checkout as the processor knows it now. */
export type Checkout = {
  sessionId: string;
  url: string | null;
  status: "open" | "processing" | "paid" | "expired";
  amountPence: number;
  currency: string;
  /** Cards, and nothing else, can pay it. */
  cardOnly: boolean;
  paymentId: string | null;
  intentId: string | null;
};

/** The transfer of a settlement's net to its provider, likewise. */
export type TransferOrder = {
  transferId: string;
  attempt: number;
  settlementId: string;
  contractId: string;
  providerId: string;
  amountPence: number;
  /** The provider's account and the charge that pays for it. */
  accountId: string | null;
  chargeId: string | null;
};

export type SentTransfer = {
  stripeTransferId: string;
  transferId: string | null;
  amountPence: number;
  currency: string;
  accountId: string | null;
  /** The same money as the connected account sees it, by which payouts name it. */
  destinationPayment: string | null;
  group: string | null;
  reversals: { id: string; amountPence: number }[];
};

/** A refund or dispute of a charge. */
export type Loss = {
  id: string;
  kind: "refund" | "chargeback";
  amountPence: number;
  status: string;
  /** The money has left, or is on its way out. False again when a refund failed or a dispute was won. */
  gone: boolean;
  createdAt: Date;
};

export type Charge = {
  chargeId: string;
  intentId: string;
  amountPence: number;
  currency: string;
  paid: boolean;
  /** What it was paid with, where the processor says so. */
  method: string | null;
  losses: Loss[];
};

export type AccountOrder = { accountRowId: string; attempt: number; publicId: string; name: string };

export type Account = {
  accountId: string;
  apiVersion: 1 | 2;
  /** The public_id that the account itself names. */
  publicId: string | null;
  transfers: string;
  payouts: string;
  /** What the processor still asks for, in its words. */
  requirementsDue: string[];
  closed: boolean;
};

export type Payout = {
  payoutId: string;
  status: "pending" | "in_transit" | "paid" | "failed" | "canceled";
  failure: string | null;
  arrivesAt: Date;
  createdAt: Date;
};

/** What a payout consists of: payments that came in by transfer, and earlier payouts that came back. */
export type PayoutContents = { payments: string[]; returnedPayouts: string[] };

/** An event as the processor's own list has it. */
export type ListedEvent = { id: string; type: string; livemode: boolean; objectId: string | null; createdAt: Date };

/** What LIVE needs of its card processor. TEST has no gateway: its payments and transfers are simulated in our own records. */
export interface LiveGateway {
  /** Opens the checkout of an order; the same order again gives the same checkout. */
  openCheckout(order: CheckoutOrder): Promise<Checkout>;
  /** Sends a transfer; the same order again gives the same transfer. */
  sendTransfer(order: TransferOrder): Promise<SentTransfer>;
  readCheckout(sessionId: string): Promise<Checkout | undefined>;
  /** The checkout of a payment whose opening had no known outcome. */
  findCheckout(paymentId: string, since: Date): Promise<Checkout | undefined>;
  /** Ends an open checkout; one that is paid or expired stays so, and is given back as it is. */
  closeCheckout(sessionId: string, paymentId: string): Promise<Checkout | undefined>;
  readCharge(intentId: string): Promise<Charge | undefined>;
  /** The payment of ours that a payment intent, charge, refund or dispute belongs to. */
  paymentOf(objectId: string): Promise<string | undefined>;
  readTransfer(stripeTransferId: string): Promise<SentTransfer | undefined>;
  /** Every transfer of a settlement. */
  listTransfers(settlementId: string): Promise<SentTransfer[]>;
  openAccount(order: AccountOrder): Promise<Account>;
  findAccount(order: AccountOrder): Promise<Account | undefined>;
  readAccount(accountId: string, apiVersion: number): Promise<Account | undefined>;
  onboardingUrl(accountId: string, key: string): Promise<string>;
  readPayout(accountId: string, payoutId: string): Promise<Payout | undefined>;
  readPayoutContents(accountId: string, payoutId: string): Promise<PayoutContents>;
  listPayouts(accountId: string, since: Date): Promise<Payout[]>;
  listEvents(since: Date): Promise<ListedEvent[]>;
}

/**
 * How a call of the processor failed:
 * `refused` for good, nothing came into being, and the key is spent;
 * `busy` nothing happened yet, the same key may be sent again;
 * `unknown` nobody knows: to be looked up before anything is sent again. `answered` tells that the processor at least said
 * so itself, and would say the same to the same key.
 */
export class ProcessorError extends Error {
  readonly kind: "refused" | "busy" | "unknown";
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
