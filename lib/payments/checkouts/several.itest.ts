import assert from "node:assert/strict";
import { test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import {
  agreedLive,
  assertAgreed,
  balancesOf,
  catchUp,
  chargeOf,
  differences,
  fund,
  intentOf,
  type LiveWork,
  liveService,
  opened,
  outwaitOpening,
  paid,
  sessionsOf,
  settlementOf,
  work as workOff,
} from "#testing/live.ts";
import { did } from "#testing/workflow.ts";
import { sweepPayments } from "../reconciliation/sweep.ts";

const live = liveService();

const SESSIONS = "POST /v1/checkout/sessions";

/** An agreement with two open checkouts: a failed opening took effect after another one had been opened. */
async function withTwoCheckouts(): Promise<LiveWork & { late: string; recorded: string }> {
  const work = await agreedLive(live);
  live.stripe.fail({ kind: "500", when: "late", call: SESSIONS });
  assert.equal((await fund(work)).error?.code, "temporarily_unavailable");
  await outwaitOpening(work);
  const recorded = await opened(work);
  live.stripe.landLate();
  const late = sessionsOf(live, work).find(({ id }) => id !== recorded);
  assert.ok(late);
  return { ...work, recorded, late: late.id };
}

const statusOf = (session: string) => live.stripe.world.sessions.get(session)?.status;

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
  await assertAgreed();
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
  await assertAgreed();
  assert.deepEqual(
    sessionsOf(live, work).map(({ status }) => status),
    ["expired"],
  );
});

test("a payment that was made at the other checkout counts, and the recorded one is closed", async () => {
  for (const learn of [() => catchUp(live), differences]) {
    const work = await withTwoCheckouts();
    live.stripe.pay(work.late);
    await learn();
    assert.equal((await settlementOf(work)).funding, "confirmed");
    assert.deepEqual([statusOf(work.recorded), statusOf(work.late)], ["expired", "complete"]);
    await assertAgreed();
  }
});

test("if both checkouts of a payment are paid, one charge counts and the other is reported until it is refunded", async () => {
  const work = await withTwoCheckouts();
  live.stripe.pay(work.recorded);
  live.stripe.pay(work.late);
  await catchUp(live);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, held: -2_001 });
  const intent = intentOf(live, work.late);
  const { id: charge } = chargeOf(live, intent);
  for (const _ of ["found", "still there"])
    assert.deepEqual(
      (await differences()).map(({ kind, subjectId, stripe }) => [kind, subjectId, stripe]),
      [["double_payment", charge, `${charge} over £20.01 for payment ${work.paymentId}`]],
    );
  live.stripe.refund(intent);
  await assertAgreed();
  assert.deepEqual(await balancesOf(work), { cash: 2_001, held: -2_001 });
});

test("once one payment of an agreement is made, no other of its checkouts can be paid", async () => {
  const work = await agreedLive(live);
  const first = await opened(work);
  // Stands for a checkout that was taken for ended, and is paid nevertheless.
  await pool().query("UPDATE payments SET status = 'expired', settled_at = now() WHERE id = $1", [work.paymentId]);
  const second = await opened(work);
  live.stripe.pay(first);
  await catchUp(live);
  await workOff();
  assert.equal((await settlementOf(work)).funding, "confirmed");
  assert.equal(statusOf(second), "expired");
  assert.equal((await prisma().payment.findUnique({ where: { id: work.paymentId } }))?.status, "canceled");
});

test("a checkout that another installation opened in the same Stripe account is left alone", async () => {
  const { id } = await live.stripe.client().checkout.sessions.create({
    mode: "payment",
    success_url: "https://example.org/",
    client_reference_id: "pay_01890000000000000000000000000000",
    line_items: [{ quantity: 1, price_data: { currency: "gbp", unit_amount: 500, product_data: { name: "Tea" } } }],
  });
  await assertAgreed();
  assert.equal(statusOf(id), "open");
});

test("closing a checkout is tried again after Stripe has failed", async () => {
  const work = await agreedLive(live);
  const session = await opened(work);
  await did(work.requester, "cancel", work);
  live.stripe.fail({ kind: "500", when: "before", call: "POST *expire" });
  await workOff();
  assert.equal(statusOf(session), "open");
  await pool().query(
    "SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs",
  );
  await workOff();
  assert.equal(statusOf(session), "expired");
});

test("a start reads the open checkouts, which may have been paid while nothing ran", async () => {
  const work = await agreedLive(live);
  await paid(live, work);
  await sweepPayments(20);
  await workOff();
  assert.equal((await settlementOf(work)).funding, "pending");
  await sweepPayments(0);
  await workOff();
  assert.equal((await settlementOf(work)).funding, "confirmed");
});
