import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type Stripe from "stripe";
import type { FaultKind } from "./faults.ts";
import { checkoutOf, paidCheckout, RECIPIENT, readyAccount } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
beforeEach(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
afterEach(() => standIn.close());

const replayed = ({ lastResponse }: { lastResponse: { headers: Record<string, string> } }) =>
  lastResponse.headers["idempotent-replayed"];

test("the same key with the same body replays the first answer, and creates nothing", async () => {
  const first = await stripe.checkout.sessions.create(checkoutOf(), { idempotencyKey: "k" });
  const again = await stripe.checkout.sessions.create(checkoutOf(), { idempotencyKey: "k" });
  assert.equal(again.id, first.id);
  assert.deepEqual([replayed(first), replayed(again)], [undefined, "true"]);
  assert.equal(standIn.world.sessions.size, 1);
});

test("the same key with another body or on another path is an error", async () => {
  await stripe.checkout.sessions.create(checkoutOf(2_000), { idempotencyKey: "k" });
  const other = { type: "StripeIdempotencyError", statusCode: 400 };
  await assert.rejects(stripe.checkout.sessions.create(checkoutOf(2_001), { idempotencyKey: "k" }), other);
  const order = { amount: 1, currency: "gbp", destination: "acct_1" };
  await assert.rejects(stripe.transfers.create(order, { idempotencyKey: "k" }), other);
  await stripe.v2.core.accounts.create(RECIPIENT, { idempotencyKey: "a" });
  await assert.rejects(stripe.v2.core.accounts.create({ ...RECIPIENT, display_name: "B" }, { idempotencyKey: "a" }), {
    type: "StripeIdempotencyError",
    statusCode: 409,
    code: "idempotency_error",
  });
});

test("a failure inside Stripe is replayed under its key, whether or not it took effect; version 2 tries again", async () => {
  for (const when of ["before", "after"] as const) {
    standIn.fail({ call: "POST /v1/checkout/sessions", kind: "500", when });
    const call = () => stripe.checkout.sessions.create(checkoutOf(), { idempotencyKey: when });
    await assert.rejects(call(), { statusCode: 500 });
    await assert.rejects(call(), (error: Stripe.errors.StripeError) => {
      assert.deepEqual([error.statusCode, error.headers?.["idempotent-replayed"]], [500, "true"]);
      return true;
    });
  }
  assert.equal(standIn.world.sessions.size, 1);
  standIn.fail({ call: "POST /v2/core/accounts", kind: "500", when: "before" });
  const account = () => stripe.v2.core.accounts.create(RECIPIENT, { idempotencyKey: "a" });
  await assert.rejects(account(), { statusCode: 500 });
  assert.match((await account()).id, /^acct_/);
});

test("a refusal for invalid parameters does not use up the key; a refusal for the state of an object does", async () => {
  const bad = { ...checkoutOf(), expires_at: "soon" as unknown as number };
  await assert.rejects(stripe.checkout.sessions.create(bad, { idempotencyKey: "k" }), { statusCode: 400 });
  await stripe.checkout.sessions.create(checkoutOf(), { idempotencyKey: "k" });
  standIn.fail({ call: "POST /v1/transfers", kind: "429", when: "before" });
  const destination = await readyAccount(standIn, stripe);
  const { charge } = await paidCheckout(standIn, stripe);
  const order = { amount: 1_000, currency: "gbp", destination };
  const send = (key: string, more = {}) => stripe.transfers.create({ ...order, ...more }, { idempotencyKey: key });
  await assert.rejects(send("t", { source_transaction: charge }), { statusCode: 429 });
  await send("t", { source_transaction: charge });
  await assert.rejects(send("u"), { code: "balance_insufficient" });
  standIn.advance(3 * 86_400);
  await assert.rejects(send("u"), { code: "balance_insufficient" });
});

test("a key is forgotten after a day, and then the call takes effect again", async () => {
  const call = () => stripe.checkout.sessions.create(checkoutOf(), { idempotencyKey: "k" });
  const first = await call();
  standIn.advance(86_399);
  assert.equal((await call()).id, first.id);
  standIn.advance(1);
  assert.notEqual((await call()).id, first.id);
});

const CALL = "POST /v1/checkout/sessions";
const KINDS: [FaultKind, number | undefined][] = [
  ["403", 403],
  ["429", 429],
  ["409", 409],
  ["500", 500],
  ["timeout", undefined],
  ["reset", undefined],
  ["truncated", undefined],
];

for (const when of ["before", "after"] as const)
  for (const [kind, status] of KINDS)
    test(`a call can fail by ${kind} ${when} it took effect`, async () => {
      // The package itself retries once after a reset.
      standIn.fail({ call: CALL, kind, when, times: kind === "reset" ? 2 : 1 });
      const impatient = standIn.client({ timeout: kind === "timeout" ? 200 : 60_000 });
      const failed = impatient.checkout.sessions.create(checkoutOf(), { idempotencyKey: "k" });
      await assert.rejects(failed, (error: Stripe.errors.StripeError) => {
        assert.equal(error.statusCode, status);
        if (status === undefined) assert.equal(error.type, "StripeConnectionError");
        return true;
      });
      assert.equal(standIn.world.sessions.size, when === "after" ? 1 : 0);
      if (kind === "500") return;
      const { id } = await stripe.checkout.sessions.create(checkoutOf(), { idempotencyKey: "k" });
      assert.deepEqual([...standIn.world.sessions.keys()], [id]);
    });

test("a call can be held back, and calls and connections are counted", async () => {
  assert.deepEqual([standIn.connections, standIn.calls.length], [0, 0]);
  const { release } = standIn.pause(CALL, "before");
  let answered = false;
  const call = stripe.checkout.sessions.create(checkoutOf(), { idempotencyKey: "k" }).then(() => {
    answered = true;
  });
  await stripe.balance.retrieve();
  assert.equal(answered, false);
  release();
  await call;
  assert.deepEqual(
    standIn.calls.map(({ method, path, key }) => [method, path, key]),
    [
      ["GET", "/v1/balance", undefined],
      ["POST", "/v1/checkout/sessions", "k"],
    ],
  );
  assert.ok(standIn.connections >= 1);
});
