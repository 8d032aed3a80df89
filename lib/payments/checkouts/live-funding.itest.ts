import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import {
  agreedLive,
  assertAgreed,
  balancesOf,
  catchUp,
  chargeOf,
  differences,
  differing,
  fund,
  fundedLive,
  intentOf,
  liveService,
  opened,
  paid,
  sessionsOf,
  settlementOf,
} from "#testing/live.ts";
import { did, perform } from "#testing/workflow.ts";

const live = liveService();

test("work cannot start before Stripe confirms the payment, whatever the browser reports", async () => {
  const work = await agreedLive(live);
  const session = await opened(work);
  assert.equal((await perform(work.provider, "start", work)).error?.code, "funding_required");
  assert.equal((await perform(work.requester, "confirm", work)).error?.code, "forbidden");
  live.stripe.pay(session, "decline");
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "pending");
  live.stripe.pay(session);
  await catchUp(live);
  const funded = await settlementOf(work);
  assert.deepEqual([funded.funding, funded.is_charge], ["confirmed", true]);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, held: -2_001 });
  await did(work.provider, "start", work);
});

test("after a checkout expires, the agreement waits for funding and another can be opened", async () => {
  const work = await agreedLive(live);
  const session = await opened(work);
  live.stripe.expire(session);
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "required");
  assert.notEqual(await opened(work), session);
});

test("a charge that does not match the order funds nothing, and is reported", async () => {
  const work = await agreedLive(live);
  const charge = chargeOf(live, await paid(live, work));
  Object.assign(charge, { amount_captured: 1, amount: 1 });
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "required");
  assert.deepEqual(await balancesOf(work), {});
  assert.deepEqual(await differing(), ["cash", "payment_misfit"]);
  Object.assign(charge, { amount_captured: 2_001, amount: 2_001 });
  await assertAgreed();
  assert.equal((await settlementOf(work)).funding, "confirmed");
});

test("a payment that does not match ends as declined with its problem, and a new key opens a new checkout", async () => {
  const work = await agreedLive(live);
  const intent = await paid(live, work);
  const { paymentId } = work;
  for (const session of sessionsOf(live, work)) session.amount_total = 2_000;
  await catchUp(live);
  const { rows } = await pool().query(
    "SELECT status, problem, stripe_charge_id AS charge FROM payments WHERE id = $1",
    [paymentId],
  );
  assert.deepEqual([rows[0].status, typeof rows[0].problem, typeof rows[0].charge], ["declined", "string", "string"]);
  await paid(live, work);
  assert.notEqual(work.paymentId, paymentId);
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "confirmed");
  const misfits = (await differences()).filter(({ kind }) => kind === "payment_misfit");
  assert.deepEqual(
    misfits.map(({ subjectId }) => subjectId),
    [paymentId],
  );
  live.stripe.refund(intent);
  await catchUp(live);
  await assertAgreed();
});

test("checkouts do not show Link, and a charge that was paid through Link funds nothing", async () => {
  for (const source of ["bank", "card"] as const) {
    const work = await agreedLive(live);
    const session = await opened(work);
    assert.throws(() => live.stripe.payThroughLink(session, source), /does not show Link/);
    Object.assign(live.stripe.world.sessions.get(session) ?? {}, { wallet_options: null });
    live.stripe.payThroughLink(session, source);
    await catchUp(live);
    assert.equal((await settlementOf(work)).funding, "required");
    const { rows } = await pool().query("SELECT status, problem FROM payments WHERE id = $1", [work.paymentId]);
    assert.deepEqual(rows, [{ status: "declined", problem: "It was paid through Link, not by card." }]);
    live.stripe.refund(intentOf(live, session));
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
