import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type Stripe from "stripe";
import { checkoutOf, RECIPIENT, readyAccount, refusal } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
beforeEach(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
afterEach(() => standIn.close());

const LACKS = [403, "more_permissions_required"];

test("a restricted key can lack a right to write, to read, or both, of the platform or of connected accounts", async () => {
  const account = await readyAccount(standIn, stripe);
  standIn.rights.limit("Checkout Sessions", "read");
  standIn.rights.limit("Payouts", "none", "connected");
  standIn.rights.limit("Balance settings", "none");
  assert.deepEqual(await refusal(stripe.checkout.sessions.create(checkoutOf())), LACKS);
  assert.deepEqual((await stripe.checkout.sessions.list({ limit: 1 })).data, []);
  assert.deepEqual(await refusal(stripe.payouts.list({}, { stripeAccount: account })), LACKS);
  assert.deepEqual(await refusal(stripe.balanceSettings.retrieve()), LACKS);
  assert.equal((await stripe.balance.retrieve({}, { stripeAccount: account })).object, "balance");
  standIn.rights.restore();
  assert.equal((await stripe.checkout.sessions.create(checkoutOf())).status, "open");
});

test("a platform whose Connect set-up is incomplete cannot create accounts, and says why", async () => {
  const { platform } = standIn.world;
  platform.connectRefusal = "connect_profile_not_submitted";
  assert.deepEqual(await refusal(stripe.v2.core.accounts.create(RECIPIENT)), [400, "connect_profile_not_submitted"]);
  assert.deepEqual((await stripe.v2.core.accounts.list()).data, []);
  platform.connectRefusal = "accounts_v2_access_blocked";
  assert.deepEqual(await refusal(stripe.v2.core.accounts.list()), [400, "accounts_v2_access_blocked"]);
  platform.connectRefusal = null;
  assert.equal((await stripe.v2.core.accounts.create(RECIPIENT)).object, "v2.core.account");
});
