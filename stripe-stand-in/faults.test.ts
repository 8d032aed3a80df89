import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type Stripe from "stripe";
import type { Fault, FaultKind } from "./faults.ts";
import { checkoutOf } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
beforeEach(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
afterEach(() => standIn.close());

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

test("a share of the calls can fail, and the same seed makes the same ones fail", async () => {
  const course = async (): Promise<number[]> => {
    const twin = await StripeStandIn.start({ seed: "share" });
    const fault: Fault = { call: "GET /v1/*", kind: "500", when: "before", probability: 0.3 };
    twin.fail(fault);
    const client = twin.client();
    for (let call = 0; call < 40; call++) await client.balance.retrieve().catch(() => undefined);
    await twin.close();
    return twin.calls.map(({ status }) => status);
  };
  const first = await course();
  assert.deepEqual(first, await course());
  const failed = first.filter((status) => status === 500).length;
  assert.ok(failed > 4 && failed < 20, `${failed} of 40`);
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
