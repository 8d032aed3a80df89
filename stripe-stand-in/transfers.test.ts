import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type Stripe from "stripe";
import { paidCheckout, RECIPIENT, readyAccount, refusal } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
before(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
after(() => standIn.close());

test("a transfer without a charge needs settled money; with a charge it does not, but cannot exceed the charge", async () => {
  const fresh = await StripeStandIn.start({ seed: "funds" });
  const client = fresh.client();
  try {
    const destination = await readyAccount(fresh, client);
    const { charge } = await paidCheckout(fresh, client, 5_000);
    const order = { amount: 4_500, currency: "gbp", destination };
    assert.deepEqual(await refusal(client.transfers.create(order)), [400, "balance_insufficient"]);
    await client.transfers.create({ ...order, source_transaction: charge });
    assert.deepEqual(await refusal(client.transfers.create({ ...order, source_transaction: charge })), [
      400,
      "transfer_source_amount_exceeded",
    ]);
    fresh.advance(2 * 86_400);
    assert.deepEqual(await refusal(client.transfers.create(order)), [400, "balance_insufficient"]);
    assert.equal((await client.transfers.create({ ...order, amount: 405 })).source_transaction, null);
  } finally {
    await fresh.close();
  }
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

test("a refund leaves the transfer, a dispute takes the money at once, and winning brings it back without the fee", async () => {
  const fresh = await StripeStandIn.start({ seed: "losses", settleSeconds: 0 });
  const client = fresh.client();
  try {
    const destination = await readyAccount(fresh, client);
    const first = await paidCheckout(fresh, client, 10_000, "set_1");
    const second = await paidCheckout(fresh, client, 10_000, "set_2");
    const sent = { amount: 9_000, currency: "gbp", destination, source_transaction: first.charge };
    const transfer = await client.transfers.create(sent);
    fresh.refund(first.intent, 4_000);
    const dispute = fresh.openDispute(second.intent);
    assert.equal((await client.charges.retrieve(second.charge)).disputed, true);
    const during = fresh.books();
    assert.deepEqual(
      during.intents.map(({ refundedPence, disputedPence }) => [refundedPence, disputedPence]),
      [
        [4_000, 0],
        [0, 10_000],
      ],
    );
    assert.equal(during.platform.availablePence, 20_000 - 2 * 170 - 9_000 - 4_000 - 10_000 - 2_000);
    fresh.closeDispute(dispute.id, "won");
    await client.transfers.createReversal(transfer.id, { amount: 1_000 });
    const after = fresh.books();
    assert.equal(after.platform.availablePence, during.platform.availablePence + 10_000 + 1_000);
    assert.deepEqual([after.transfers[0]?.reversedPence, after.accounts[0]?.availablePence], [1_000, 8_000]);
    assert.equal((await client.disputes.list({ charge: second.charge })).data[0]?.status, "won");
    assert.equal((await client.refunds.list({ charge: first.charge })).data[0]?.amount, 4_000);
  } finally {
    await fresh.close();
  }
});

test("a payout that was paid may fail for days, and the next one carries its money on", async () => {
  const destination = await readyAccount(standIn, stripe);
  const { charge } = await paidCheckout(standIn, stripe);
  await stripe.transfers.create({ amount: 700, currency: "gbp", destination, source_transaction: charge });
  standIn.advance(3 * 86_400);
  const payout = standIn.payout(destination);
  standIn.payoutPaid(payout);
  standIn.advance(4 * 86_400);
  standIn.failPayout(payout);
  const own = { stripeAccount: destination };
  assert.equal((await stripe.payouts.retrieve(payout, {}, own)).status, "failed");
  const next = standIn.payout(destination);
  const parts = await stripe.balanceTransactions.list({ payout: next }, own);
  assert.deepEqual(
    parts.data.map(({ type, source }) => [type, source]),
    [
      ["payout", next],
      ["payout_failure", payout],
    ],
  );
  assert.equal((await refusal(stripe.payouts.retrieve(payout)))[0], 400);
});
