import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongAnswer, wrongRequest } from "./definitions.ts";
import { checkoutOf, paidCheckout, refusal } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

test("a request that Stripe's definitions do not allow is refused, and remembered", async () => {
  const standIn = await StripeStandIn.start();
  const stripe = standIn.client();
  for (const call of [
    stripe.charges.list({ limit: 101 }),
    stripe.checkout.sessions.create({ ...checkoutOf(), client_reference_id: "x".repeat(201) }),
    stripe.checkout.sessions.list({ status: "paid" as "open" }),
    stripe.events.list({ types: Array<string>(21).fill("charge.updated") }),
    stripe.refunds.create({ payment_intent: "pi_1", reason: "regret" as "duplicate" }),
  ])
    assert.equal((await refusal(call))[0], 400);
  assert.deepEqual(
    standIn.wrongRequests.map((each) => each.replace(/ is "?x{201}"?/, "").replace(/^(.*?): (\S+).*/, "$1 $2")),
    [
      "GET /v1/charges limit",
      "POST /v1/checkout/sessions client_reference_id,",
      "GET /v1/checkout/sessions status",
      "GET /v1/events types",
      "POST /v1/refunds reason",
    ],
  );
  await standIn.close();
});

test("an answer that Stripe's definitions do not allow is not given, and fails the test that got it", async () => {
  const standIn = await StripeStandIn.start();
  const stripe = standIn.client();
  const { charge } = await paidCheckout(standIn, stripe);
  Object.assign(standIn.world.charges.get(charge) ?? {}, { amount_captured: "2000" });
  assert.equal((await refusal(stripe.charges.retrieve(charge)))[0], 500);
  await assert.rejects(standIn.close(), /GET \/v1\/charges\/\w+: charge\.amount_captured is "2000", not integer/);
});

test("requests are checked for names, types, bounds, lengths and enumerations, at any depth", () => {
  const wrong = (raw: object) => wrongRequest("POST", "/v1/checkout/sessions", raw as Record<string, string>);
  assert.deepEqual(wrong({ expires_at: "1790000000", wallet_options: { link: { display: "never" } } }), []);
  assert.deepEqual(wrong({ wallet_options: { link: { display: "seldom" } } }).length, 1);
  assert.deepEqual(wrong({ expires_at: "soon" }).length, 1);
  assert.deepEqual(wrong({ color: "blue" }), ["color is not defined"]);
  assert.deepEqual(wrongRequest("POST", "/v1/transfers", {}), ["currency is missing", "destination is missing"]);
  assert.deepEqual(wrongRequest("POST", "/v1/unknown", { anything: "goes" }), []);
});

test("answers are checked for what is missing, null or of another kind, and errors for their codes", () => {
  const balance = { object: "balance", livemode: true, available: [{ amount: 1, currency: "gbp" }], pending: [] };
  const wrong = (body: object) => wrongAnswer("GET", "/v1/balance", 200, body);
  assert.deepEqual(wrong(balance), []);
  assert.deepEqual(wrong({ ...balance, pending: null }), ["balance.pending is null"]);
  assert.equal(wrong({ ...balance, available: [{ amount: 1.5, currency: "gbp" }] }).length, 1);
  const error = (code: string) => ({ error: { code, message: "No." } });
  const list = (code: string) => wrongAnswer("GET", "/v2/core/accounts", 400, error(code));
  assert.deepEqual(list("accounts_v2_access_blocked"), []);
  assert.deepEqual(list("connect_profile_not_submitted"), ["error.code is connect_profile_not_submitted"]);
});
