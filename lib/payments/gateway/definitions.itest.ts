import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { enter } from "#stripe-stand-in/balance.ts";
import { blankCharge } from "#stripe-stand-in/shapes.ts";
import {
  agreedLive,
  assertAgreed,
  catchUp,
  completedLive,
  fund,
  fundedLive,
  liveService,
  opened,
} from "#testing/live.ts";
import { liveGateway } from "./live.ts";
import { ProcessorError } from "./port.ts";

// What Stripe's definitions allow and its usual answers do not show.

const live = liveService({ settleSeconds: 0 });

test("a checkout is not opened in the last half-hour of its payment, which ends as expired, and a new key opens another", async () => {
  const work = await agreedLive(live);
  const key = newId("req");
  live.stripe.fail({ kind: "500", when: "before", call: "POST /v1/checkout/sessions" });
  assert.equal((await fund(work, key)).status, 503);
  await pool().query(
    `UPDATE payments SET created_at = now() - interval '11 hours 40 minutes', expires_at = now() + interval '20 minutes'
     WHERE contract_id = $1`,
    [work.contractId],
  );
  const opened = () =>
    live.stripe.calls.filter(({ method, path }) => `${method} ${path}` === "POST /v1/checkout/sessions");
  const before = opened().length;
  assert.equal((await fund(work, key)).status, 409);
  assert.equal(opened().length, before);
  const { rows } = await pool().query("SELECT status FROM payments WHERE contract_id = $1", [work.contractId]);
  assert.deepEqual(rows, [{ status: "expired" }]);
  assert.equal((await fund(work)).status, 201);
});

test("movements of other balances than the payments balance are not taken for its own", async () => {
  await completedLive(live);
  await catchUp(live);
  enter(live.stripe.world, { type: "reserve_hold", amountPence: -500, source: null });
  const reserved = enter(live.stripe.world, { type: "reserve_hold", amountPence: 500, source: null });
  reserved.balance_type = "risk_reserved";
  await assertAgreed(live);
});

test("an account that was closed after an opening without answer is found", async () => {
  const gateway = await liveGateway();
  const ids = { accountRowId: newId("acc"), publicId: newId("agt") };
  const order = { ...ids, attempt: 1, name: "Closed", contactEmail: "a@agent.example" };
  const { accountId } = await gateway.openAccount(order);
  live.stripe.closeAccount(accountId);
  const found = await gateway.findAccount(order);
  assert.deepEqual([found?.accountId, found?.closed], [accountId, true]);
});

test("a transfer group with more charges than Stripe lists is not compared as if these were all", async () => {
  const { world } = live.stripe;
  for (let at = 0; at < 101; at += 1) {
    const charge = Object.assign(blankCharge(world, "ch", 100), { transfer_group: "stl_many" });
    world.charges.set(charge.id, charge);
  }
  await assert.rejects((await liveGateway()).listCharges("stl_many"), (error) => {
    return error instanceof ProcessorError && error.code === "too_many_charges";
  });
});

test("fields that Stripe may leave out are not needed", async () => {
  const gateway = await liveGateway();
  const { intent } = await fundedLive(live);
  const refund: object = live.stripe.refund(intent, 100, "waits_for_balance");
  Object.assign(refund, { balance_transaction: undefined });
  const charge = await gateway.readCharge(intent);
  assert.deepEqual(
    charge?.losses.map(({ gonePence, pending }) => [gonePence, pending]),
    [[0, true]],
  );
  Object.assign(live.stripe.world.intents.get(intent) ?? {}, { metadata: undefined });
  assert.equal(await gateway.paymentOf(intent), undefined);
});

test("a checkout without a status is neither open nor paid, and one that was free has ended", async () => {
  const gateway = await liveGateway();
  const work = await agreedLive(live);
  const session = live.stripe.world.sessions.get(await opened(work));
  assert.ok(session);
  const statusWith = async (change: object) => {
    Object.assign(session, change);
    return (await gateway.readCheckout(session.id))?.status;
  };
  assert.equal(await statusWith({ status: null }), "unknown");
  assert.equal(await statusWith({ status: "complete", payment_status: "no_payment_required" }), "expired");
  assert.equal(await statusWith({ payment_status: "unpaid" }), "processing");
});
