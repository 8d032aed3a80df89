import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import type { StandInEvent } from "#stripe-stand-in/world.ts";
import {
  agreedLive,
  balancesOf,
  catchUp,
  completedLive,
  deliver,
  fund,
  liveService,
  sessionOf,
  settlementOf,
  transfersOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { listStripeEvents } from "../read.ts";
import { retryEvent } from "./process.ts";

const live = liveService();

/** The same story, in another order each time: everything that is read of it afterwards. */
async function story(order: (events: StandInEvent[]) => StandInEvent[]) {
  const work = await completedLive(live);
  await catchUp(live);
  const from = live.stripe.events.length;
  const [transfer] = transfersOf(live, work);
  live.stripe.refund(work.intent, 300);
  live.stripe.refund(work.intent, 200);
  live.stripe.reverse(transfer?.id ?? "", 400);
  const dispute = live.stripe.openDispute(work.intent);
  live.stripe.closeDispute(dispute.id, "lost");
  for (const event of order(live.stripe.events.slice(from))) {
    assert.equal(await deliver(live, event), 200);
    await workOff();
  }
  const { transfer: state, payout, funding } = await settlementOf(work);
  return { books: await balancesOf(work), state, payout, funding };
}

test("events in order, in reverse, twice, or only the last of them lead to the same ledger", async () => {
  const inOrder = await story((events) => events);
  assert.deepEqual(inOrder.books, {
    cash: 2_001 - 1_800 - 500 + 400 - 1_501,
    // Of £15.01 the provider's share would have been £13.50, and £14.00 stayed with it.
    refunds: 50,
    chargebacks: 1_350,
  });
  assert.deepEqual(await story((events) => events.toReversed()), inOrder);
  assert.deepEqual(await story((events) => [...events, ...events]), inOrder);
  const last = (events: StandInEvent[], type: string) =>
    events.findLast((event) => event.type === type) as StandInEvent;
  assert.deepEqual(
    await story((events) => [last(events, "charge.dispute.closed"), last(events, "transfer.reversed")]),
    inOrder,
  );
});

test("an event that arrives before we have recorded the checkout still finds its payment", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  const session = await sessionOf(payment.payment_id);
  await pool().query("UPDATE payments SET stripe_session_id = NULL WHERE id = $1", [payment.payment_id]);
  live.stripe.pay(session);
  await catchUp(live);
  assert.equal(await sessionOf(payment.payment_id), session);
  assert.equal((await settlementOf(work)).funding, "confirmed");
});

test("an event that could not be processed shows why, and can be processed again", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  live.stripe.pay(await sessionOf(payment.payment_id));
  const event = live.stripe.events.findLast(({ type }) => type === "checkout.session.completed") as StandInEvent;
  live.stripe.fail({ kind: "500", when: "before", call: "GET /v1/checkout/sessions/*" });
  await deliver(live, event);
  await workOff();
  const failed = await listStripeEvents({ state: "failed" });
  assert.deepEqual(
    failed.events.map(({ id, problem }) => [id, problem]),
    [[event.id, "Stripe: unknown (APIError)"]],
  );
  await retryEvent(workerContext(), event.id);
  await workOff();
  const processed = await listStripeEvents({ state: "processed" });
  assert.ok(processed.events.some(({ id }) => id === event.id));
  assert.equal((await settlementOf(work)).funding, "confirmed");
});
