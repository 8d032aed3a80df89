import assert from "node:assert/strict";
import { test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import {
  agreedLive,
  balancesOf,
  catchUp,
  fund,
  type LiveWork,
  liveService,
  outwaitOpening,
  sessionOf,
  sessionsOf,
  settlementOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { did } from "#testing/workflow.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { sweepPayments } from "../reconciliation/sweep.ts";

const live = liveService();

const SESSIONS = "POST /v1/checkout/sessions";

/** An agreement with two open checkouts: a failed opening took effect after another one had been opened. */
async function withTwoCheckouts(): Promise<LiveWork & { late: string; recorded: string }> {
  const work = await agreedLive(live);
  live.stripe.fail({ kind: "500", when: "late", call: SESSIONS });
  assert.equal((await fund(work)).error?.code, "temporarily_unavailable");
  await outwaitOpening(work);
  const answer = await fund(work);
  assert.equal(answer.status, 201);
  work.paymentId = answer.body.payment.payment_id;
  live.stripe.landLate();
  const recorded = await sessionOf(work.paymentId);
  const late = sessionsOf(live, work).find(({ id }) => id !== recorded);
  assert.ok(late);
  return { ...work, recorded, late: late.id };
}

const statusOf = (session: string) => live.stripe.world.sessions.get(session)?.status;
const found = async () => (await reconcile(workerContext())).differences;

test("a checkout that appears after its opening had failed is adopted if no other was opened", async () => {
  const work = await agreedLive(live);
  live.stripe.fail({ kind: "500", when: "late", call: SESSIONS });
  await fund(work);
  live.stripe.landLate();
  const { payment } = (await fund(work)).body;
  const [only, ...others] = sessionsOf(live, work);
  assert.deepEqual([only?.url, others.length], [payment.checkout_url, 0]);
});

test("of two checkouts of one payment, the sweep closes the one that nobody was given", async () => {
  const work = await withTwoCheckouts();
  await sweepPayments(20);
  await workOff();
  assert.deepEqual([statusOf(work.recorded), statusOf(work.late)], ["open", "expired"]);
});

test("of two checkouts of one payment, reconciliation closes the one that nobody was given", async () => {
  const work = await withTwoCheckouts();
  assert.deepEqual(await found(), []);
  assert.deepEqual([statusOf(work.recorded), statusOf(work.late)], ["open", "expired"]);
  live.stripe.pay(work.recorded);
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "confirmed");
});

test("a checkout that appears after its task was cancelled is closed", async () => {
  const work = await agreedLive(live);
  live.stripe.fail({ kind: "500", when: "late", call: SESSIONS });
  await fund(work);
  await did(work.requester, "cancel", work);
  await workOff();
  live.stripe.landLate();
  assert.deepEqual(await found(), []);
  assert.deepEqual(
    sessionsOf(live, work).map(({ status }) => status),
    ["expired"],
  );
});

test("a payment that was made at the other checkout counts, and the recorded one is closed", async () => {
  for (const learn of [() => catchUp(live), () => reconcile(workerContext())]) {
    const work = await withTwoCheckouts();
    live.stripe.pay(work.late);
    await learn();
    assert.equal((await settlementOf(work)).funding, "confirmed");
    assert.deepEqual([statusOf(work.recorded), statusOf(work.late)], ["expired", "complete"]);
    assert.deepEqual(await found(), []);
  }
});

test("if both checkouts of a payment are paid, one charge counts and the other is reported until it is refunded", async () => {
  const work = await withTwoCheckouts();
  live.stripe.pay(work.recorded);
  live.stripe.pay(work.late);
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, held: -2_001 });
  const intent = String(live.stripe.world.sessions.get(work.late)?.payment_intent);
  const charge = String(live.stripe.world.intents.get(intent)?.latest_charge);
  for (const _ of ["found", "still there"])
    assert.deepEqual(
      (await found()).map(({ kind, subjectId, stripe }) => [kind, subjectId, stripe]),
      [["double_payment", charge, `${charge} over £20.01 for payment ${work.paymentId}`]],
    );
  live.stripe.refund(intent);
  assert.deepEqual(await found(), []);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, held: -2_001 });
});

test("once one payment of an agreement is made, no other of its checkouts can be paid", async () => {
  const work = await agreedLive(live);
  const first = (await fund(work)).body.payment;
  // Stands for a checkout that was taken for ended, and is paid nevertheless.
  await pool().query("UPDATE payments SET status = 'expired', settled_at = now() WHERE id = $1", [first.payment_id]);
  const second = (await fund(work)).body.payment;
  live.stripe.pay(await sessionOf(first.payment_id));
  await catchUp(live);
  await workOff();
  assert.equal((await settlementOf(work)).funding, "confirmed");
  assert.equal(statusOf(await sessionOf(second.payment_id)), "expired");
  assert.equal((await prisma().payment.findUnique({ where: { id: second.payment_id } }))?.status, "canceled");
});

test("a checkout that another installation opened in the same Stripe account is left alone", async () => {
  const { id } = await live.stripe.client().checkout.sessions.create({
    mode: "payment",
    success_url: "https://example.org/",
    client_reference_id: "pay_01890000000000000000000000000000",
    line_items: [{ quantity: 1, price_data: { currency: "gbp", unit_amount: 500, product_data: { name: "Tea" } } }],
  });
  assert.deepEqual(await found(), []);
  assert.equal(statusOf(id), "open");
});

test("closing a checkout is tried again after Stripe has failed", async () => {
  const work = await agreedLive(live);
  await fund(work);
  await did(work.requester, "cancel", work);
  live.stripe.fail({ kind: "500", when: "before", call: "POST *expire" });
  await workOff();
  assert.deepEqual(
    sessionsOf(live, work).map(({ status }) => status),
    ["open"],
  );
  await pool().query(
    "SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs",
  );
  await workOff();
  assert.deepEqual(
    sessionsOf(live, work).map(({ status }) => status),
    ["expired"],
  );
});

test("a start reads the open checkouts, which may have been paid while nothing ran", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  live.stripe.pay(await sessionOf(payment.payment_id));
  await sweepPayments(20);
  await workOff();
  assert.equal((await settlementOf(work)).funding, "pending");
  await sweepPayments(0);
  await workOff();
  assert.equal((await settlementOf(work)).funding, "confirmed");
});
