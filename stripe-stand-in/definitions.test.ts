import assert from "node:assert/strict";
import { test } from "node:test";
import Stripe from "stripe";
import { readRequest, wrongAnswer } from "./definitions.ts";
import { readForm } from "./form.ts";
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
  const wrong = (raw: object) => readRequest("POST", "/v1/checkout/sessions", raw as Record<string, string>).wrong;
  assert.deepEqual(wrong({ expires_at: "1790000000", wallet_options: { link: { display: "never" } } }), []);
  assert.deepEqual(wrong({ wallet_options: { link: { display: "seldom" } } }).length, 1);
  assert.deepEqual(wrong({ expires_at: "soon" }).length, 1);
  assert.deepEqual(wrong({ color: "blue" }), ["color is not defined"]);
  assert.deepEqual(wrong({ allow_promotion_codes: "true" }), ["allow_promotion_codes is not imitated"]);
  assert.deepEqual(readRequest("POST", "/v1/transfers", {}).wrong, ["currency is missing", "destination is missing"]);
});

test("numbers, flags, lists and ranges of a form are read", () => {
  const form = readForm("created[gte]=1790000000&limit=3&types[0]=charge.updated&types[1]=payout.*");
  const { params } = readRequest("GET", "/v1/events", form);
  assert.deepEqual(params, { created: { gte: 1_790_000_000 }, limit: 3, types: ["charge.updated", "payout.*"] });
  const { params: session } = readRequest("POST", "/v1/checkout/sessions", readForm("adaptive_pricing[enabled]=false"));
  assert.deepEqual(session, { adaptive_pricing: { enabled: false } });
});

test("a parameter that is unknown, missing or of the wrong form is refused with the code for that", async () => {
  const standIn = await StripeStandIn.start();
  const stripe = standIn.client();
  const raw = (path: string, params: object) => refusal(stripe.rawRequest("POST", path, { ...params }));
  const transfer = { amount: 1, currency: "gbp" };
  assert.deepEqual(
    [
      await raw("/v1/checkout/sessions", { ...checkoutOf(), allow_promotion_codes: true }),
      await raw("/v1/transfers", transfer),
      await raw("/v1/transfers", { ...transfer, amount: "1.5", destination: "acct_1" }),
      await raw("/v1/checkout/sessions", { ...checkoutOf(), metadata: { note: "x".repeat(501) } }),
    ],
    ["unknown", "missing", "invalid", "invalid"].map((what) => [400, `parameter_${what}`]),
  );
  await standIn.close();
});

test("a wrong key, version or path is refused", async () => {
  const standIn = await StripeStandIn.start();
  const stripe = standIn.client();
  const options = { host: "127.0.0.1", port: standIn.port, protocol: "http", maxNetworkRetries: 0 } as const;
  const stranger = new Stripe(["sk", "live", "other"].join("_"), options);
  await assert.rejects(stranger.balance.retrieve(), { statusCode: 401 });
  await assert.rejects(stripe.balance.retrieve({}, { apiVersion: "2020-08-27" }), { statusCode: 400 });
  await assert.rejects(stripe.customers.list(), { statusCode: 404 });
  await assert.rejects(stripe.balance.retrieve({}, { stripeAccount: "acct_nobody" }), { statusCode: 403 });
  await standIn.close();
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
