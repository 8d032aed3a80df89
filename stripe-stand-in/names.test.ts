import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Stripe from "stripe";
import { readForm } from "./form.ts";
import type { Names } from "./names.ts";
import { checkoutOf } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
before(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
after(() => standIn.close());

/** Sends what the types of the package would not let through. */
async function raw(path: string, params: Record<string, unknown>): Promise<Stripe.errors.StripeError> {
  return stripe.rawRequest("POST", path, params).then(
    () => assert.fail("it was accepted"),
    (error: Stripe.errors.StripeError) => error,
  );
}

test("a name that the package's types lack does not compile", () => {
  // @ts-expect-error misspelt
  const misspelt: Names<Stripe.ChargeRetrieveParams> = { expnd: "texts" };
  assert.ok(misspelt);
});

test("a parameter that the stand-in does not imitate is refused, not ignored", async () => {
  const error = await raw("/v1/checkout/sessions", { ...checkoutOf(), allow_promotion_codes: true });
  assert.deepEqual([error.statusCode, error.code], [400, "parameter_unknown"]);
});

test("required parameters must be present, and values must have the right type", async () => {
  assert.equal((await raw("/v1/transfers", { amount: 1, currency: "gbp" })).code, "parameter_missing");
  const half = { amount: "1.5", currency: "gbp", destination: "acct_1" };
  assert.equal((await raw("/v1/transfers", half)).code, "parameter_invalid_integer");
  const { code } = await raw("/v1/checkout/sessions", { ...checkoutOf(), metadata: { note: "x".repeat(501) } });
  assert.equal(code, "parameter_invalid");
});

test("a wrong key, version or path is refused", async () => {
  const options = { host: "127.0.0.1", port: standIn.port, protocol: "http", maxNetworkRetries: 0 } as const;
  const stranger = new Stripe(["sk", "live", "other"].join("_"), options);
  await assert.rejects(stranger.balance.retrieve(), { statusCode: 401 });
  await assert.rejects(stripe.balance.retrieve({}, { apiVersion: "2020-08-27" }), { statusCode: 400 });
  await assert.rejects(stripe.customers.list(), { statusCode: 404 });
  await assert.rejects(stripe.balance.retrieve({}, { stripeAccount: "acct_nobody" }), { statusCode: 403 });
});

test("a form becomes nested fields", () => {
  assert.deepEqual(readForm("a[b][0][c]=1&a[b][1][c]=2&d=%26"), { a: { b: { 0: { c: "1" }, 1: { c: "2" } } }, d: "&" });
});
