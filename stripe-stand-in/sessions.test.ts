import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type Stripe from "stripe";
import { checkoutOf, paidCheckout, refusal } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
before(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
after(() => standIn.close());

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
