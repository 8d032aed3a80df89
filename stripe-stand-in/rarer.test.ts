import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type Stripe from "stripe";
import { paidCheckout, readyAccount, refusal } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
beforeEach(async () => {
  standIn = await StripeStandIn.start({ settleSeconds: 0, platformPence: 100_000 });
  stripe = standIn.client();
});
afterEach(() => standIn.close());

const types = (from: number) => standIn.events.slice(from).map(({ type }) => type);
const platformPence = () => {
  const { availablePence, pendingPence } = standIn.books().platform;
  return availablePence + pendingPence;
};

test("a charge can reach the balance later: its refund waits for that, and no transfer can draw on it before", async () => {
  standIn.world.balanceDelaySeconds = 600;
  const destination = await readyAccount(standIn, stripe);
  const { intent, charge } = await paidCheckout(standIn, stripe);
  assert.equal((await stripe.charges.retrieve(charge)).balance_transaction, null);
  assert.equal(platformPence(), 100_000);
  const draw = { amount: 100, currency: "gbp", destination, source_transaction: charge };
  assert.deepEqual(await refusal(stripe.transfers.create(draw)), [400, "resource_invalid_state"]);
  const refund = standIn.refund(intent, 500);
  assert.deepEqual([refund.status, refund.pending_reason], ["pending", "charge_pending"]);
  const from = standIn.events.length;
  standIn.advance(600);
  assert.deepEqual(types(from), ["charge.updated", "refund.updated", "charge.refund.updated"]);
  assert.equal((await stripe.refunds.retrieve(refund.id)).status, "succeeded");
  assert.equal(platformPence(), 100_000 + 2_000 - 50 - 500);
});

test("what a dispute takes and returns is in its balance transactions, whatever its status", async () => {
  const one = async (play: (intent: string) => string) => {
    const { intent } = await paidCheckout(standIn, stripe);
    const { status, balance_transactions: lines } = await stripe.disputes.retrieve(play(intent));
    return [status, lines.map(({ type, net }) => [type, net])];
  };
  const taken = ["adjustment", -4_000];
  assert.deepEqual(await one((intent) => standIn.openDispute(intent, { decided: "prevented" }).id), [
    "prevented",
    [taken],
  ]);
  assert.deepEqual(await one((intent) => standIn.openDispute(intent, { decided: "lost", takenPence: 2_100 }).id), [
    "lost",
    [["adjustment", -4_100]],
  ]);
  const half = (intent: string) => {
    const { id } = standIn.openDispute(intent);
    standIn.closeDispute(id, "won", 1_000);
    return id;
  };
  assert.deepEqual(await one(half), ["won", [taken, ["adjustment", 1_000]]]);
  const countered = (intent: string) => {
    const { id } = standIn.openDispute(intent);
    standIn.counterDispute(id);
    standIn.closeDispute(id, "lost");
    standIn.appealDispute(id);
    return id;
  };
  assert.deepEqual(await one(countered), ["appeal_under_review", [taken, ["stripe_fee", -2_000]]]);
});

test("whether the reversal of a transfer frees its charge is a switch", async () => {
  const destination = await readyAccount(standIn, stripe);
  for (const frees of [true, false]) {
    standIn.world.reversalFreesCharge = frees;
    const { charge } = await paidCheckout(standIn, stripe);
    const draw = { amount: 1_800, currency: "gbp", destination, source_transaction: charge };
    standIn.reverse((await stripe.transfers.create(draw)).id);
    const again = stripe.transfers.create(draw);
    if (frees) assert.equal((await again).amount, 1_800);
    else assert.deepEqual(await refusal(again), [400, "transfer_source_amount_exceeded"]);
  }
});

test("a fraud warning can be acted on until the charge is disputed, and a review until it is closed", async () => {
  const { intent, charge } = await paidCheckout(standIn, stripe);
  const { id } = standIn.warnOfFraud(intent);
  const review = standIn.openReview(intent);
  assert.equal((await stripe.charges.retrieve(charge)).review, review.id);
  const warnings = async () =>
    (await stripe.radar.earlyFraudWarnings.list({ charge })).data.map((each) => [each.id, each.actionable]);
  assert.deepEqual(await warnings(), [[id, true]]);
  standIn.openDispute(intent);
  assert.deepEqual(await warnings(), [[id, false]]);
  standIn.closeReview(review.id, "disputed");
  const { open, closed_reason: reason } = await stripe.reviews.retrieve(review.id);
  assert.deepEqual([open, reason], [false, "disputed"]);
});
