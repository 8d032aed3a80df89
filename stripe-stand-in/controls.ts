import type Stripe from "stripe";
import { accountChanged, activate, newAccount } from "./accounts.ts";
import { balanceOf, enter } from "./balance.ts";
import {
  appealDispute,
  closeDispute,
  closeInquiry,
  counterDispute,
  type DisputeStart,
  escalateInquiry,
  failRefund,
  openDispute,
  refundIntent,
  settleRefund,
} from "./money-back.ts";
import { payoutArrived, payoutFailed, startPayout } from "./payouts.ts";
import { closeReview, openReview, warnOfFraud } from "./radar.ts";
import { reverseTransfer } from "./reversals.ts";
import { expireSession, payThroughLink, payWithCard } from "./sessions.ts";
import { letTimePass } from "./time.ts";
import { type ConnectedAccount, find, type RefundStart, type Requirement, type World } from "./world.ts";

/** What people, banks and time do at Stripe. Objects are given by their IDs. */
export class Controls {
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  // Customers and card holders.

  /** The customer pays by card, or the card is declined, which leaves the session open. */
  pay(session: string, outcome: "succeed" | "decline" = "succeed"): void {
    payWithCard(this.world, find(this.world.sessions, "checkout.session", session), outcome);
  }

  /** @throws Refusal where the session does not show Link */
  payThroughLink(session: string, source: "bank" | "card" = "bank"): void {
    payThroughLink(this.world, find(this.world.sessions, "checkout.session", session), source);
  }

  expire(session: string): void {
    expireSession(this.world, find(this.world.sessions, "checkout.session", session));
  }

  /** Refunds a PaymentIntent, wholly unless an amount is given. Transfers are not reversed. */
  refund(intent: string, amountPence?: number, start?: RefundStart): Stripe.Refund {
    return refundIntent(this.world, find(this.world.intents, "payment_intent", intent), amountPence, start);
  }

  /** A pending refund arrives. */
  settleRefund(refund: string): void {
    settleRefund(this.world, find(this.world.refunds, "refund", refund));
  }

  /** A refund comes back, pending or not: its money is the platform's again. */
  failRefund(refund: string): void {
    failRefund(this.world, find(this.world.refunds, "refund", refund));
  }

  /** The cardholder disputes a payment, which takes its amount and a fee, unless the start says otherwise. */
  openDispute(intent: string, start: DisputeStart = {}): Stripe.Dispute {
    return openDispute(this.world, find(this.world.intents, "payment_intent", intent), start);
  }

  /** The payer's bank asks before it takes anything. */
  openInquiry(intent: string): Stripe.Dispute {
    return this.openDispute(intent, { inquiry: true });
  }

  escalateInquiry(dispute: string): void {
    escalateInquiry(this.world, find(this.world.disputes, "dispute", dispute));
  }

  closeInquiry(dispute: string): void {
    closeInquiry(this.world, find(this.world.disputes, "dispute", dispute));
  }

  /** Answers a dispute, for another fee; `isListed` says whether the dispute itself lists that fee. */
  counterDispute(dispute: string, isListed?: boolean): void {
    counterDispute(this.world, find(this.world.disputes, "dispute", dispute), isListed);
  }

  appealDispute(dispute: string): void {
    appealDispute(this.world, find(this.world.disputes, "dispute", dispute));
  }

  /** @param backPence what comes back, if it is neither all (won) nor nothing */
  closeDispute(dispute: string, outcome: "won" | "lost" | "prevented", backPence?: number): void {
    closeDispute(this.world, find(this.world.disputes, "dispute", dispute), outcome, backPence);
  }

  /** The payer's bank warns of fraud. */
  warnOfFraud(intent: string): Stripe.Radar.EarlyFraudWarning {
    return warnOfFraud(this.world, find(this.world.intents, "payment_intent", intent));
  }

  /** A rule puts a payment under review. */
  openReview(intent: string): Stripe.Review {
    return openReview(this.world, find(this.world.intents, "payment_intent", intent));
  }

  closeReview(review: string, reason: Stripe.Review.ClosedReason = "approved"): void {
    closeReview(this.world, find(this.world.reviews, "review", review), reason);
  }

  // Connected accounts.

  /** Creates an account of API version 1. */
  createV1Account(): string {
    return newAccount(this.world, 1).id;
  }

  /** The holder has given all details: transfers and payouts are active, and nothing more is required. */
  activate(account: string): void {
    activate(this.world, find(this.world.accounts, "account", account));
  }

  /** Stripe requires something from the holder; if it is past due, transfers and payouts stop. */
  require(
    account: string,
    description: string,
    status: Requirement["status"] = "currently_due",
    awaiting?: "stripe",
  ): void {
    const { requirements } = find(this.world.accounts, "account", account);
    this.#change(account, {
      requirements: [...requirements, { description, status, ...(awaiting ? { awaiting } : {}) }],
      ...(status === "past_due" ? { transfers: "restricted", payouts: "restricted" } : {}),
    });
  }

  /** Stops transfers and payouts without requiring anything. */
  restrict(account: string): void {
    this.#change(account, { transfers: "restricted", payouts: "restricted" });
  }

  /** The account ends, with its payouts and transfers. */
  closeAccount(account: string): void {
    this.#change(account, { closed: true, transfers: "restricted", payouts: "restricted" });
  }

  /** The holder gives its money another bank account. */
  changeBank(account: string): void {
    find(this.world.accounts, "account", account);
    const bank = { id: this.world.id("ba"), object: "bank_account", account };
    this.world.emit("account.external_account.created", bank, account);
  }

  /** The holder disconnects from the platform, which can no longer read the account. */
  deauthorize(account: string): void {
    find(this.world.accounts, "account", account);
    this.world.accounts.delete(account);
    this.world.emit("account.application.deauthorized", { id: this.world.id("ca"), object: "application" }, account);
  }

  #change(id: string, change: Partial<ConnectedAccount>): void {
    const account = Object.assign(find(this.world.accounts, "account", id), change);
    accountChanged(this.world, account);
  }

  // Money between accounts and banks.

  /** Reverses a transfer, wholly unless an amount is given, even if the account's balance becomes negative. */
  reverse(transfer: string, amountPence?: number): Stripe.TransferReversal {
    return reverseTransfer(this.world, find(this.world.transfers, "transfer", transfer), amountPence, { forced: true });
  }

  /** Pays the account's available balance out to its bank. It is pending until `payoutPaid`; with an amount, it is manual. */
  payout(account: string, manualPence?: number): string {
    return startPayout(this.world, account, manualPence).id;
  }

  /** Adds the operator's own money to the platform's balance. */
  topUp(amountPence: number): void {
    enter(this.world, { type: "topup", amountPence, source: this.world.id("tu") });
  }

  /** Pays the platform's available balance out to the operator's bank, as Stripe does daily unless payouts are manual. */
  payPlatformOut(): number {
    const { available } = balanceOf(this.world);
    if (available <= 0) return 0;
    enter(this.world, { type: "payout", amountPence: -available, source: this.world.id("po") });
    return available;
  }

  payoutPaid(payout: string): void {
    payoutArrived(this.world, find(this.world.payouts, "payout", payout));
  }

  /** Can be called after `payoutPaid` too: banks may return money for days. */
  failPayout(payout: string): void {
    payoutFailed(this.world, find(this.world.payouts, "payout", payout));
  }

  /** Lets time pass: charges settle, sessions expire, idempotency keys are forgotten. */
  advance(seconds: number): void {
    this.world.advance(seconds);
    letTimePass(this.world);
  }
}
