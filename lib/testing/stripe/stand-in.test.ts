import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type Stripe from "stripe";
import { checkoutOf, paidCheckout, RECIPIENT, readyAccount } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
before(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
after(() => standIn.close());

test("money goes from a card through the platform to a connected account and its bank", async () => {
  const session = await stripe.checkout.sessions.create(checkoutOf(2_000, "con_1"), { idempotencyKey: "whole-story" });
  assert.deepEqual(session.payment_method_types, ["card"]);
  assert.equal(session.payment_intent, null);
  standIn.pay(session.id);
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ["payment_intent.latest_charge"] });
  const intent = paid.payment_intent as Stripe.PaymentIntent;
  const charge = intent.latest_charge as Stripe.Charge;
  assert.deepEqual([paid.payment_status, paid.status, intent.status], ["paid", "complete", "succeeded"]);
  assert.deepEqual([charge.amount, intent.transfer_group, intent.metadata.payment_id], [2_000, "con_1", "pay_1"]);

  const account = await stripe.v2.core.accounts.create(RECIPIENT);
  assert.equal(account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status, "restricted");
  assert.equal(account.requirements?.entries?.length, 2);
  const link = await stripe.v2.core.accountLinks.create({
    account: account.id,
    use_case: {
      type: "account_onboarding",
      account_onboarding: {
        refresh_url: "https://guildhall.example/again",
        return_url: "https://guildhall.example/done",
      },
    },
  });
  await fetch(link.url, { method: "POST", body: new URLSearchParams({ do: "submit" }) });
  const ready = await stripe.v2.core.accounts.retrieve(account.id, {
    include: ["configuration.recipient", "identity", "requirements"],
  });
  const capabilities = ready.configuration?.recipient?.capabilities?.stripe_balance;
  assert.deepEqual([capabilities?.stripe_transfers?.status, capabilities?.payouts?.status], ["active", "active"]);
  assert.deepEqual(ready.requirements?.entries, []);

  // The charge has not settled: a transfer that names it may be made all the same.
  const transfer = await stripe.transfers.create({
    amount: 1_800,
    currency: "gbp",
    destination: account.id,
    source_transaction: charge.id,
    metadata: { settlement_id: "set_1" },
  });
  assert.equal(transfer.transfer_group, "con_1");
  assert.deepEqual(
    (await stripe.transfers.list({ transfer_group: "con_1" })).data.map(({ id }) => id),
    [transfer.id],
  );
  const own = { stripeAccount: account.id };
  assert.equal((await stripe.balance.retrieve({}, own)).pending[0]?.amount, 1_800);
  standIn.advance(3 * 86_400);
  assert.equal((await stripe.balance.retrieve({}, own)).available[0]?.amount, 1_800);

  const payoutId = standIn.payout(account.id);
  standIn.payoutPaid(payoutId);
  assert.equal((await stripe.payouts.retrieve(payoutId, {}, own)).status, "paid");
  const covered = await stripe.balanceTransactions.list(
    { payout: payoutId, type: "payment", expand: ["data.source.source_transfer"] },
    own,
  );
  const source = covered.data[0]?.source as Stripe.Charge;
  assert.equal((source.source_transfer as Stripe.Transfer).id, transfer.id);

  assert.deepEqual(standIn.books(), {
    intents: [
      {
        paymentIntent: intent.id,
        transferGroup: "con_1",
        metadata: { payment_id: "pay_1" },
        chargedPence: 2_000,
        refundedPence: 0,
        disputedPence: 0,
      },
    ],
    transfers: [
      {
        transfer: transfer.id,
        transferGroup: "con_1",
        metadata: { settlement_id: "set_1" },
        destination: account.id,
        sentPence: 1_800,
        reversedPence: 0,
      },
    ],
    accounts: [{ account: account.id, availablePence: 0, pendingPence: 0, paidOutPence: 1_800 }],
    platform: { availablePence: 150, pendingPence: 0, feesPence: 50 },
  });
});

async function refusal(call: Promise<unknown>): Promise<[number | undefined, string | undefined]> {
  const error = await call.then(
    () => assert.fail("it was accepted"),
    (thrown: Stripe.errors.StripeError) => thrown,
  );
  return [error.statusCode, error.code];
}

test("a card that is declined leaves the checkout open for another", async () => {
  const { id } = await stripe.checkout.sessions.create(checkoutOf());
  standIn.pay(id, "decline");
  const open = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
  const intent = open.payment_intent as Stripe.PaymentIntent;
  assert.deepEqual([open.status, open.payment_status, intent.status], ["open", "unpaid", "requires_payment_method"]);
  assert.equal(intent.last_payment_error?.decline_code, "generic_decline");
  standIn.pay(id);
  assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, "succeeded");
});

test("a checkout expires by its time or by a call, and never once it is paid", async () => {
  const expiresAt = Math.floor(standIn.world.nowMs() / 1000) + 1_900;
  const { id } = await stripe.checkout.sessions.create({ ...checkoutOf(), expires_at: expiresAt });
  standIn.advance(2_000);
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, "expired");
  assert.throws(() => standIn.pay(id), /expired/);
  const other = await stripe.checkout.sessions.create(checkoutOf());
  assert.deepEqual([(await stripe.checkout.sessions.expire(other.id)).status], ["expired"]);
  const { session } = await paidCheckout(standIn, stripe);
  assert.deepEqual(await refusal(stripe.checkout.sessions.expire(session)), [400, "resource_invalid_state"]);
  const soon = Math.floor(standIn.world.nowMs() / 1000) + 60;
  assert.equal((await refusal(stripe.checkout.sessions.create({ ...checkoutOf(), expires_at: soon })))[0], 400);
});

test("card-only is a filter: without it the checkout offers what the platform has switched on", async () => {
  const { allowed_payment_method_types: _, ...open } = checkoutOf();
  assert.deepEqual((await stripe.checkout.sessions.create(open)).payment_method_types, ["card", "link", "klarna"]);
});

test("a transfer without a charge needs money that has settled; with one it does not, and takes no more than the charge", async () => {
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

test("an account that is not ready gets no transfer and no payout", async () => {
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

test("an account of version 1 answers in version 1 alone", async () => {
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

test("the same seed gives the same IDs", async () => {
  const ids = async () => {
    const twin = await StripeStandIn.start({ seed: "twin" });
    const made = await paidCheckout(twin, twin.client());
    await twin.close();
    return made;
  };
  assert.deepEqual(await ids(), await ids());
});
