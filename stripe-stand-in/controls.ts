import { activate, changeBank, closeAccount, deauthorize, newAccount, requireDetails, restrict } from "./accounts.ts";
import { balanceOf, enter } from "./balance.ts";
import {
  appealDispute,
  closeDispute,
  closeInquiry,
  counterDispute,
  escalateInquiry,
  failRefund,
  openDispute,
  refundIntent,
  settleRefund,
} from "./money-back.ts";
import { payoutArrived, payoutFailed, startPayout } from "./payouts.ts";
import { closeReview, openReview, warnOfFraud } from "./radar.ts";
import { reverseInDashboard } from "./reversals.ts";
import { expireSession, payThroughLink, payWithCard } from "./sessions.ts";
import { letTimePass } from "./time.ts";
import { find, type World } from "./world.ts";

/** An act on the object whose ID the control is called with. */
function on<Thing, Details extends unknown[], Result>(
  kind: string,
  things: (world: World) => ReadonlyMap<string, Thing>,
  act: (world: World, thing: Thing, ...details: Details) => Result,
) {
  return function (this: Controls, id: string, ...details: Details): Result {
    return act(this.world, find(things(this.world), kind, id), ...details);
  };
}

const sessions = (world: World) => world.sessions;
const intents = (world: World) => world.intents;
const refunds = (world: World) => world.refunds;
const disputes = (world: World) => world.disputes;
const reviews = (world: World) => world.reviews;
const accounts = (world: World) => world.accounts;
const transfers = (world: World) => world.transfers;
const payouts = (world: World) => world.payouts;

/** What people, banks and time do at Stripe. Objects are given by their IDs; each act is explained where it is defined. */
export class Controls {
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  // Customers and card holders.
  pay = on("checkout.session", sessions, payWithCard);
  payThroughLink = on("checkout.session", sessions, payThroughLink);
  expire = on("checkout.session", sessions, expireSession);
  refund = on("payment_intent", intents, refundIntent);
  settleRefund = on("refund", refunds, settleRefund);
  failRefund = on("refund", refunds, failRefund);
  openDispute = on("payment_intent", intents, openDispute);
  escalateInquiry = on("dispute", disputes, escalateInquiry);
  closeInquiry = on("dispute", disputes, closeInquiry);
  counterDispute = on("dispute", disputes, counterDispute);
  appealDispute = on("dispute", disputes, appealDispute);
  closeDispute = on("dispute", disputes, closeDispute);
  warnOfFraud = on("payment_intent", intents, warnOfFraud);
  openReview = on("payment_intent", intents, openReview);
  closeReview = on("review", reviews, closeReview);

  // Connected accounts.
  activate = on("account", accounts, activate);
  require = on("account", accounts, requireDetails);
  restrict = on("account", accounts, restrict);
  closeAccount = on("account", accounts, closeAccount);
  changeBank = on("account", accounts, changeBank);
  deauthorize = on("account", accounts, deauthorize);

  // Money between accounts and banks.
  reverse = on("transfer", transfers, reverseInDashboard);
  payout = on("account", accounts, startPayout);
  payoutPaid = on("payout", payouts, payoutArrived);
  failPayout = on("payout", payouts, payoutFailed);

  /** Creates an account of API version 1. */
  createV1Account(): string {
    return newAccount(this.world, 1).id;
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

  /** Lets time pass: charges settle, sessions expire, idempotency keys are forgotten. */
  advance(seconds: number): void {
    this.world.advance(seconds);
    letTimePass(this.world);
  }
}
