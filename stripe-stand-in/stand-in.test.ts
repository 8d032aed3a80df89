import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type Stripe from "stripe";
import { checkoutOf, paidCheckout, RECIPIENT } from "./samples.ts";
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

test("the same seed gives the same IDs", async () => {
  const ids = async () => {
    const twin = await StripeStandIn.start({ seed: "twin" });
    const made = await paidCheckout(twin, twin.client());
    await twin.close();
    return made;
  };
  assert.deepEqual(await ids(), await ids());
});

test("the stand-in imports only its own files, Node and the stripe package", () => {
  const files = globSync("**/*.ts", { cwd: import.meta.dirname });
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, file), "utf8");
    for (const [, from = ""] of text.matchAll(/^(?:import|export|\}).*\bfrom "([^"]+)"/gm))
      assert.match(from, /^(\.\/([a-z-]+\/)?[a-z-]+\.ts|node:[a-z/_]+|stripe)$/, file);
  }
});
