import assert from "node:assert/strict";
import { test } from "node:test";
import { handle } from "#lib/api/handle.ts";
import { pool } from "#lib/db/client.ts";
import { log } from "#lib/kernel/log.ts";
import type { StandInEvent } from "#stripe-stand-in/world.ts";
import {
  agreedLive,
  catchUp,
  deliver,
  work as doWork,
  fund,
  fundedLive,
  liveService,
  opened,
  paid,
  sessionOf,
  settlementOf,
  workerContext,
} from "#testing/live.ts";
import { CONNECT_SECRET, THIN_SECRET, WEBHOOK_SECRET } from "#testing/rehearsal.ts";
import { listStripeEvents } from "../read.ts";
import { retryEvent } from "./process.ts";

const live = liveService();

const kept = async (id: string) => (await pool().query("SELECT * FROM stripe_events WHERE id = $1", [id])).rows[0];
const jobs = async () => Number((await pool().query("SELECT count(*) FROM graphile_worker.jobs")).rows[0].count);

/** An event about nothing of ours, under its own ID. */
function anEvent(overrides: object = {}): StandInEvent {
  const event = live.stripe.world.emit("charge.updated", { id: "ch_foreign", object: "charge" });
  return { ...event, ...overrides } as StandInEvent;
}

async function send(body: string | Buffer, headers: Record<string, string>, path = "webhook", method = "POST") {
  const url = `http://localhost:3000/api/v1/payments/${path}.php`;
  const init = method === "POST" ? { method, headers, body: new Uint8Array(Buffer.from(body)) } : { method, headers };
  return handle(new Request(url, init), { address: "192.0.2.9" });
}

test("a delivery is accepted when it is signed, timely and an event; anything else leaves no trace", async () => {
  const now = Math.floor(Date.now() / 1000);
  const good = anEvent();
  assert.equal(await deliver(live, good), 200);
  assert.ok(await kept(good.id));

  const planned = await jobs();
  const refused: [string, () => Promise<number>][] = [
    ["too old", () => deliver(live, anEvent(), { timestamp: now - 301 })],
    ["from the future", () => deliver(live, anEvent(), { timestamp: now + 302 })],
    ["another secret", () => deliver(live, anEvent(), { secret: "whsec_other" })],
    ["the other address's secret", () => deliver(live, anEvent(), { secret: CONNECT_SECRET })],
    ["at the other address", () => deliver(live, anEvent(), { endpoint: "connect", secret: WEBHOOK_SECRET })],
    ["without a mode", () => deliver(live, anEvent({ livemode: undefined }))],
    ["no event", () => deliver(live, anEvent({ object: "charge" }))],
  ];
  const events = live.stripe.events.length;
  for (const [what, attempt] of refused) assert.equal(await attempt(), 400, what);
  for (const event of live.stripe.events.slice(events)) assert.equal(await kept(event.id), undefined);
  assert.equal(await jobs(), planned);
  for (const timestamp of [now - 295, now + 295]) assert.equal(await deliver(live, anEvent(), { timestamp }), 200);
});

test("a well-signed event of the other mode is acknowledged and dropped, at either address", async () => {
  const planned = await jobs();
  for (const endpoint of ["platform", "connect", "accounts"] as const) {
    const event = anEvent({ livemode: true });
    assert.equal(await deliver(live, event, { endpoint }), 200);
    assert.equal(await kept(event.id), undefined);
    assert.equal(await deliver(live, event, { endpoint, secret: "whsec_other" }), 400);
  }
  assert.equal(await jobs(), planned);
});

test("an address accepts the secret of each of its destinations, and of no other", async () => {
  const thin = live.stripe.world.emitThin("v2.core.account.created", "acct_foreign");
  assert.equal(await deliver(live, thin, { endpoint: "platform", secret: THIN_SECRET }), 400);
  assert.equal(await deliver(live, thin), 200);
  assert.equal((await kept(thin.id)).endpoint, "connect");
  assert.equal(await deliver(live, anEvent({ account: "acct_foreign" })), 200);
});

test("a body that was cut, changed or never signed gets an ordinary API error", async () => {
  const { headers, body } = live.stripe.sign(anEvent());
  const attempts: [Record<string, string>, string][] = [
    [headers, body.slice(0, -1)],
    [headers, `${body} `],
    [headers, body.replace("ch_foreign", "ch_foreigm")],
    [{ "Content-Type": "application/json" }, body],
    [{ ...headers, "Stripe-Signature": "" }, body],
    [{ ...headers, "Stripe-Signature": "t=1,v1=zz" }, body],
    [{ ...headers, "Stripe-Signature": `${headers["Stripe-Signature"]},t=9999999999` }, body],
    [{ ...headers, "Stripe-Signature": "v1=".repeat(2_000) }, body],
  ];
  for (const [sent, text] of attempts) {
    const answer = await send(text, sent);
    const { ok, error } = (await answer.json()) as { ok: boolean; error: { code: string } };
    assert.deepEqual([answer.status, ok, error.code], [400, false, "webhook_refused"]);
  }
  assert.equal((await send(Buffer.alloc(256 * 1024 + 1), headers)).status, 413);
  assert.equal((await send("", {}, "webhook", "GET")).status, 405);
  assert.equal((await send(body, { ...headers, "Content-Type": "text/plain" })).status, 200);
});

test("an event that is delivered many times at once is stored and processed once", async () => {
  const event = anEvent();
  const statuses = await Promise.all(Array.from({ length: 20 }, () => deliver(live, event)));
  assert.ok(statuses.every((status) => status === 200));
  assert.equal((await kept(event.id)).deliveries, 20);
  const { rows } = await pool().query("SELECT 1 FROM graphile_worker.jobs WHERE key = $1", [`event:${event.id}`]);
  assert.equal(rows.length, 1);
  await doWork();
  const { state, attempts } = await kept(event.id);
  assert.deepEqual([state, attempts], ["ignored", 1]);
});

test("receiving a delivery calls no other service", async () => {
  const calls = live.stripe.calls.length;
  for (let index = 0; index < 10; index += 1) await deliver(live, anEvent());
  assert.equal(live.stripe.calls.length, calls);
  await doWork();
});

test("no secret appears in a refusal or in the log", async () => {
  const lines: string[] = [];
  const { warn, error } = log();
  Object.assign(log(), {
    warn: (line: object) => lines.push(JSON.stringify(line)),
    error: (line: object) => lines.push(JSON.stringify(line)),
  });
  const work = await fundedLive(live);
  live.stripe.fail({ kind: "500", when: "before", call: "GET /v2/core/accounts/*" });
  const again = await agreedLive(live).then(fund);
  Object.assign(log(), { warn, error });
  live.stripe.heal();
  assert.equal(again.error?.code, "temporarily_unavailable");
  assert.ok(lines.length > 0 && work.paymentId);
  for (const secret of [live.stripe.secretKey, WEBHOOK_SECRET, CONNECT_SECRET])
    assert.ok(![...lines, JSON.stringify(again)].some((line) => line.includes(secret)));
});

test("an event that arrives before we have recorded the checkout still finds its payment", async () => {
  const work = await agreedLive(live);
  const session = await opened(work);
  await pool().query("UPDATE payments SET stripe_session_id = NULL WHERE id = $1", [work.paymentId]);
  live.stripe.pay(session);
  await catchUp(live);
  assert.equal(await sessionOf(work.paymentId), session);
  assert.equal((await settlementOf(work)).funding, "confirmed");
});

test("an event that could not be processed shows why, and can be processed again", async () => {
  const work = await agreedLive(live);
  await paid(live, work);
  const event = live.stripe.events.findLast(({ type }) => type === "checkout.session.completed") as StandInEvent;
  live.stripe.fail({ kind: "500", when: "before", call: "GET /v1/checkout/sessions/*" });
  await deliver(live, event);
  await doWork();
  const failed = await listStripeEvents({ state: "failed" });
  assert.deepEqual(
    failed.events.map(({ id, problem }) => [id, problem]),
    [[event.id, "Stripe: unknown (APIError)"]],
  );
  await retryEvent(workerContext(), event.id);
  await doWork();
  const processed = await listStripeEvents({ state: "processed" });
  assert.ok(processed.events.some(({ id }) => id === event.id));
  assert.equal((await settlementOf(work)).funding, "confirmed");
});
