import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import type Stripe from "stripe";
import { checkoutOf, paidCheckout, RECIPIENT, readyAccount, refusal } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
beforeEach(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
afterEach(() => standIn.close());

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

test("a checkout expires in time or by a call, but not once it is paid", async () => {
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

test("card-only is a filter: without it the checkout offers everything that the platform has enabled", async () => {
  const { allowed_payment_method_types: _, ...open } = checkoutOf();
  assert.deepEqual((await stripe.checkout.sessions.create(open)).payment_method_types, ["card", "link", "klarna"]);
});

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

const press = (url: string, button: string, more: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ do: button, ...more }), redirect: "manual" });

test("on the checkout page a person can go back, be declined, and pay, once", async () => {
  const session = await stripe.checkout.sessions.create(checkoutOf(123_456));
  const url = session.url ?? "";
  const shown = await (await fetch(url)).text();
  assert.match(shown, /£1234\.56/);
  assert.match(shown, /Rehearsal/);
  const back = await press(url, "back");
  assert.deepEqual([back.status, back.headers.get("Location")], [303, session.cancel_url]);
  const declined = await press(url, "decline");
  const after = await fetch(new URL(declined.headers.get("Location") ?? "", url));
  assert.match(await after.text(), /declined/);
  const paid = await press(url, "pay");
  assert.equal(paid.headers.get("Location"), `https://guildhall.example/paid?s=${session.id}`);
  assert.equal((await stripe.checkout.sessions.retrieve(session.id)).payment_status, "paid");
  assert.match(await (await press(url, "pay")).text(), /complete/);
  assert.equal(standIn.books().intents.length, 1);
});

test("an account's holder can leave the set-up or complete it", async () => {
  const { id } = await stripe.v2.core.accounts.create(RECIPIENT);
  const link = await stripe.v2.core.accountLinks.create({
    account: id,
    use_case: {
      type: "account_onboarding",
      account_onboarding: {
        refresh_url: "https://guildhall.example/again",
        return_url: "https://guildhall.example/?a&b",
      },
    },
  });
  const shown = await (await fetch(link.url)).text();
  assert.match(shown, /value="https:\/\/guildhall\.example\/\?a&amp;b"/);
  const url = link.url.split("?")[0] ?? "";
  const to = { return: "https://guildhall.example/?a&b" };
  assert.equal((await press(url, "leave", to)).headers.get("Location"), to.return);
  assert.equal((await stripe.accounts.retrieve(id)).payouts_enabled, false);
  await press(url, "submit", to);
  assert.equal((await stripe.accounts.retrieve(id)).payouts_enabled, true);
});
