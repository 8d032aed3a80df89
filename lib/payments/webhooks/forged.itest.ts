import assert from "node:assert/strict";
import { test } from "node:test";
import Stripe from "stripe";
import { handle } from "#lib/api/handle.ts";
import { pool } from "#lib/db/client.ts";
import { Chance } from "#stripe-stand-in/random.ts";
import type { StandInEvent } from "#stripe-stand-in/world.ts";
import { succeeded } from "#testing/factories.ts";
import { agreedLive, deliver, fund, liveService, sessionOf, work } from "#testing/live.ts";
import { CONNECT_SECRET, WEBHOOK_SECRET } from "#testing/rehearsal.ts";
import { changesNothing } from "#testing/snapshot.ts";

const ATTEMPTS = 10_000;

/** Tells truly that a payment has come which the service does not know of yet. */
let event: StandInEvent;
const live = liveService({}, async () => {
  const agreed = await agreedLive(live);
  const answer = await fund(agreed);
  succeeded(answer, 201);
  await work();
  live.stripe.pay(await sessionOf(answer.body.payment.payment_id));
  const completed = live.stripe.events.find(({ type }) => type === "checkout.session.completed");
  assert.ok(completed);
  event = completed;
});

type Attempt = { path: string; header: string | undefined; body: string };

const now = () => Math.floor(Date.now() / 1000);
const sign = (payload: string, secret: string, timestamp: number, scheme = "v1") =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp, scheme });

/** The ways in which a delivery is not one of Stripe's, for this address, lately, in this mode. */
const FORGERIES: Record<string, (chance: Chance, body: string) => Partial<Attempt>> = {
  unsigned: () => ({ header: undefined }),
  "signed by nobody": (chance) => ({ header: `t=${now()},v1=${chance.id("sig").slice(4).padEnd(64, "0")}` }),
  "signed with a guess": (chance, body) => ({ header: sign(body, chance.id("whsec"), now()) }),
  "signed for the other address": (_, body) => ({ header: sign(body, CONNECT_SECRET, now()) }),
  "brought to the other address": (_, body) => ({
    path: "webhook_connect.php",
    header: sign(body, WEBHOOK_SECRET, now()),
  }),
  stale: (chance, body) => ({ header: sign(body, WEBHOOK_SECRET, now() - chance.between(302, 1_000_000)) }),
  "from the future": (chance, body) => ({ header: sign(body, WEBHOOK_SECRET, now() + chance.between(320, 1_000_000)) }),
  "with two times": (chance, body) => {
    const old = now() - chance.between(302, 10_000);
    return { header: `t=${now()},${sign(body, WEBHOOK_SECRET, old)}` };
  },
  "in an older scheme": (_, body) => ({ header: sign(body, WEBHOOK_SECRET, now(), "v0") }),
  truncated: (chance, body) => ({ body: body.slice(0, chance.between(0, body.length - 1)) }),
  "changed by a byte": (chance, body) => {
    const at = chance.between(0, body.length - 1);
    return { body: body.slice(0, at) + (body[at] === "0" ? "1" : "0") + body.slice(at + 1) };
  },
  "truncated and signed": (chance, body) => {
    const part = body.slice(0, chance.between(1, body.length - 1));
    return { body: part, header: sign(part, WEBHOOK_SECRET, now()) };
  },
  "in the wrong mode": (_, body) => {
    const other = JSON.stringify({ ...JSON.parse(body), livemode: true });
    return { body: other, header: sign(other, CONNECT_SECRET, now()) };
  },
  "no event": (chance) => {
    const strange = chance.next() < 0.5 ? "[]" : JSON.stringify({ object: "charge", id: "ch_1", livemode: false });
    return { body: strange, header: sign(strange, WEBHOOK_SECRET, now()) };
  },
};

async function attempt(part: Partial<Attempt>, body: string): Promise<number> {
  const whole: Attempt = { path: "webhook.php", header: sign(body, WEBHOOK_SECRET, now()), body, ...part };
  const url = `http://localhost:3000/api/v1/payments/${whole.path}`;
  const headers = new Headers({ "Content-Type": "application/json" });
  if (whole.header !== undefined) headers.set("Stripe-Signature", whole.header);
  const request = new Request(url, { method: "POST", headers, body: whole.body });
  return (await handle(request, { address: "192.0.2.66" })).status;
}

const kept = async () =>
  (
    await pool().query(
      "SELECT count(*)::int AS events, (SELECT count(*)::int FROM graphile_worker.jobs WHERE task_identifier = 'process-event') AS jobs FROM stripe_events",
    )
  ).rows[0];

test(`of ${ATTEMPTS} deliveries that are not Stripe's, for this address, lately, in this mode, none is accepted and nothing changes`, async () => {
  const chance = new Chance("forgeries");
  const kinds = Object.entries(FORGERIES);
  const body = JSON.stringify(event);
  const accepted: string[] = [];
  await changesNothing("a forged delivery", async () => {
    for (let round = 0; round < ATTEMPTS; round += 1) {
      const [name, forge] = kinds[round % kinds.length] ?? assert.fail();
      const status = await attempt(forge(chance, body), body);
      if (status !== 400) accepted.push(`${name}: ${status}`);
    }
    await work();
  });
  assert.deepEqual(accepted, []);
  assert.deepEqual(await kept(), { events: 0, jobs: 0 });
  // The same event, truly delivered, is taken: it was not the event that was wrong.
  assert.equal(await deliver(live, event), 200);
  assert.deepEqual(await kept(), { events: 1, jobs: 1 });
});
