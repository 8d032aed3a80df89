import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import {
  agreedLive,
  balancesOf,
  catchUp,
  fund,
  fundedLive,
  liveService,
  sessionOf,
  sessionsOf,
  settlementOf,
  workerContext,
} from "#testing/live.ts";
import { did, perform } from "#testing/workflow.ts";
import { reconcile } from "../reconciliation/reconcile.ts";

const live = liveService();

test("work cannot start before Stripe confirms the payment, whatever the browser reports", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  assert.equal((await perform(work.provider, "start", work)).error?.code, "funding_required");
  work.paymentId = payment.payment_id;
  assert.equal((await perform(work.requester, "confirm", work)).error?.code, "forbidden");
  live.stripe.pay(await sessionOf(payment.payment_id), "decline");
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "pending");
  live.stripe.pay(await sessionOf(payment.payment_id));
  await catchUp(live);
  const funded = await settlementOf(work);
  assert.deepEqual([funded.funding, funded.is_charge], ["confirmed", true]);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, held: -2_001 });
  await did(work.provider, "start", work);
});

test("after a checkout expires, the agreement waits for funding and another can be opened", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  live.stripe.expire(await sessionOf(payment.payment_id));
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "required");
  const next = await fund(work);
  assert.equal(next.status, 201);
  assert.notEqual(next.body.payment.payment_id, payment.payment_id);
});

test("a charge that does not match the order funds nothing, and is reported", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  const session = await sessionOf(payment.payment_id);
  live.stripe.pay(session);
  const intent = live.stripe.world.intents.get(String(live.stripe.world.sessions.get(session)?.payment_intent));
  const charge = live.stripe.world.charges.get(String(intent?.latest_charge));
  Object.assign(charge ?? {}, { amount_captured: 1, amount: 1 });
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "required");
  assert.deepEqual(await balancesOf(work), {});
  const { differences } = await reconcile(workerContext());
  assert.deepEqual(differences.map(({ kind }) => kind).sort(), ["cash", "payment_misfit"]);
  Object.assign(charge ?? {}, { amount_captured: 2_001, amount: 2_001 });
  assert.deepEqual((await reconcile(workerContext())).differences, []);
  assert.equal((await settlementOf(work)).funding, "confirmed");
});

test("a charge that funds nothing is reported until it is refunded", async () => {
  const work = await agreedLive(live);
  const session = await sessionOf((await fund(work)).body.payment.payment_id);
  live.stripe.pay(session);
  const intent = String(live.stripe.world.sessions.get(session)?.payment_intent);
  const charge = live.stripe.world.charges.get(String(live.stripe.world.intents.get(intent)?.latest_charge));
  Object.assign(charge ?? {}, { payment_method_details: { type: "link" } });
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "required");
  const reported = async () => (await reconcile(workerContext())).differences.map(({ kind }) => kind).sort();
  assert.deepEqual(await reported(), ["cash", "payment_misfit"]);
  live.stripe.refund(intent);
  await catchUp(live);
  assert.deepEqual(await reported(), []);
  assert.deepEqual(await balancesOf(work), {});
});

test("a payment that does not match ends as declined with its problem, and a new key opens a new checkout", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  const session = live.stripe.world.sessions.get(await sessionOf(payment.payment_id));
  live.stripe.pay(session?.id ?? "");
  Object.assign(session ?? {}, { amount_total: 2_000 });
  await catchUp(live);
  const { rows } = await pool().query(
    "SELECT status, problem, stripe_charge_id AS charge FROM payments WHERE id = $1",
    [payment.payment_id],
  );
  assert.deepEqual([rows[0].status, typeof rows[0].problem, typeof rows[0].charge], ["declined", "string", "string"]);
  const next = (await fund(work)).body.payment;
  assert.notEqual(next.payment_id, payment.payment_id);
  live.stripe.pay(await sessionOf(next.payment_id));
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "confirmed");
  const { differences } = await reconcile(workerContext());
  const misfits = differences.filter(({ kind }) => kind === "payment_misfit").map(({ subjectId }) => subjectId);
  assert.deepEqual(misfits, [payment.payment_id]);
  live.stripe.refund(String(session?.payment_intent));
  await catchUp(live);
  assert.deepEqual((await reconcile(workerContext())).differences, []);
});

test("checkouts do not show Link, and a charge that was paid through Link funds nothing", async () => {
  for (const source of ["bank", "card"] as const) {
    const work = await agreedLive(live);
    const { payment } = (await fund(work)).body;
    const session = await sessionOf(payment.payment_id);
    assert.throws(() => live.stripe.payThroughLink(session, source), /does not show Link/);
    Object.assign(live.stripe.world.sessions.get(session) ?? {}, { wallet_options: null });
    live.stripe.payThroughLink(session, source);
    await catchUp(live);
    assert.equal((await settlementOf(work)).funding, "required");
    const { rows } = await pool().query("SELECT status, problem FROM payments WHERE id = $1", [payment.payment_id]);
    assert.deepEqual(rows, [{ status: "declined", problem: "It was paid through Link, not by card." }]);
    live.stripe.refund(String(live.stripe.world.sessions.get(session)?.payment_intent));
  }
});

test("cancelling closes the open checkout at Stripe, and a funded task can no longer be cancelled", async () => {
  const work = await agreedLive(live);
  await fund(work);
  await did(work.requester, "cancel", work);
  await catchUp(live);
  assert.deepEqual(
    sessionsOf(live, work).map(({ status }) => status),
    ["expired"],
  );
  assert.equal((await settlementOf(work)).state, "void");
  const funded = await fundedLive(live);
  assert.equal((await perform(funded.requester, "cancel", funded)).error?.code, "state_conflict");
});

test("a payment that arrives before the cancellation is booked as due, and reported until it is refunded", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  const session = await sessionOf(payment.payment_id);
  live.stripe.pay(session);
  await did(work.requester, "cancel", work);
  await catchUp(live);
  const settlement = await settlementOf(work);
  assert.deepEqual([settlement.state, settlement.funding, settlement.is_charge], ["void", "confirmed", true]);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, refund_due: -2_001 });
  const before = await reconcile(workerContext());
  assert.deepEqual(
    [before.differences, before.waiting.map(({ subjectId }) => subjectId)],
    [[], [settlement.settlement_id]],
  );
  live.stripe.refund(String(live.stripe.world.sessions.get(session)?.payment_intent));
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), {});
  assert.deepEqual((await reconcile(workerContext())).waiting, []);
});
