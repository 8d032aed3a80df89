import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type Stripe from "stripe";
import { paidCheckout, RECIPIENT, readyAccount, refusal } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
beforeEach(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
afterEach(() => standIn.close());

test("a transfer without a charge needs settled money; with a charge it does not, but cannot exceed the charge", async () => {
  const destination = await readyAccount(standIn, stripe);
  const { charge } = await paidCheckout(standIn, stripe, 5_000);
  const order = { amount: 4_500, currency: "gbp", destination };
  const drawn = { ...order, source_transaction: charge };
  assert.deepEqual(await refusal(stripe.transfers.create(order)), [400, "balance_insufficient"]);
  await stripe.transfers.create(drawn);
  assert.deepEqual(await refusal(stripe.transfers.create(drawn)), [400, "transfer_source_amount_exceeded"]);
  standIn.advance(2 * 86_400);
  assert.deepEqual(await refusal(stripe.transfers.create(order)), [400, "balance_insufficient"]);
  assert.equal((await stripe.transfers.create({ ...order, amount: 405 })).source_transaction, null);
});

test("an account that is not ready gets neither transfers nor payouts", async () => {
  const { id: destination } = await stripe.v2.core.accounts.create(RECIPIENT);
  const { charge } = await paidCheckout(standIn, stripe);
  const order = { amount: 100, currency: "gbp", destination, source_transaction: charge };
  const refused = [400, "insufficient_capabilities_for_transfer"];
  assert.deepEqual(await refusal(stripe.transfers.create(order)), refused);
  standIn.activate(destination);
  await stripe.transfers.create(order);
  standIn.require(destination, "identity.individual.document", "past_due");
  assert.deepEqual(await refusal(stripe.transfers.create(order)), refused);
  assert.throws(() => standIn.payout(destination), /not enabled/);
  const seen = await stripe.accounts.retrieve(destination);
  assert.deepEqual([seen.payouts_enabled, seen.requirements?.past_due], [false, ["identity.individual.document"]]);
});

test("an account of version 1 can be read through version 1 only", async () => {
  const id = standIn.createV1Account();
  assert.deepEqual((await stripe.accounts.retrieve(id)).payouts_enabled, false);
  assert.deepEqual(await refusal(stripe.v2.core.accounts.retrieve(id)), [400, "v1_account_instead_of_v2_account"]);
});

test("a charge can reach the balance later: its refund waits for that, and no transfer can draw on it before", async () => {
  standIn.world.balanceDelaySeconds = 600;
  const destination = await readyAccount(standIn, stripe);
  const { intent, charge } = await paidCheckout(standIn, stripe);
  assert.equal((await stripe.charges.retrieve(charge)).balance_transaction, null);
  const draw = { amount: 100, currency: "gbp", destination, source_transaction: charge };
  assert.deepEqual(await refusal(stripe.transfers.create(draw)), [400, "resource_invalid_state"]);
  const refund = standIn.refund(intent, 500);
  assert.deepEqual([refund.status, refund.pending_reason], ["pending", "charge_pending"]);
  const from = standIn.events.length;
  standIn.advance(600);
  const types = standIn.events.slice(from).map(({ type }) => type);
  assert.deepEqual(types, ["charge.updated", "refund.updated", "charge.refund.updated"]);
  assert.equal((await stripe.refunds.retrieve(refund.id)).status, "succeeded");
  assert.equal(standIn.books().platform.pendingPence + standIn.books().platform.availablePence, 2_000 - 50 - 500);
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
