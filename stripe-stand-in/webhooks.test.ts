import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import type Stripe from "stripe";
import type { DeliveryPolicy } from "./deliveries.ts";
import { checkoutOf, paidCheckout, readyAccount } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";
import type { StandInEvent } from "./world.ts";

type Received = { path: string; body: string; signature: string; event: StandInEvent };

let server: Server;
let received: Received[];
let answers: number[];
let standIn: StripeStandIn;
let stripe: Stripe;
beforeEach(async () => {
  received = [];
  answers = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const signature = String(request.headers["stripe-signature"]);
    received.push({ path: request.url ?? "", body, signature, event: JSON.parse(body) });
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await standIn.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const SECRETS = { platform: "whsec_platform", connect: "whsec_connect", accounts: "whsec_accounts" };

async function start(delivery?: DeliveryPolicy): Promise<void> {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  standIn = await StripeStandIn.start({
    ...(delivery ? { delivery } : {}),
    settleSeconds: 0,
    endpoints: {
      platform: { url: `${base}/platform`, secret: SECRETS.platform },
      connect: { url: `${base}/connect`, secret: SECRETS.connect },
      accounts: { url: `${base}/accounts`, secret: SECRETS.accounts },
    },
  });
  stripe = standIn.client();
}

const types = () => received.map(({ event }) => event.type);

test("events are signed and delivered to the right endpoint, those of version 2 without the object", async () => {
  await start({});
  const destination = await readyAccount(standIn, stripe);
  const { charge } = await paidCheckout(standIn, stripe);
  await stripe.transfers.create({ amount: 100, currency: "gbp", destination, source_transaction: charge });
  standIn.payout(destination);
  await standIn.deliveries.settled();
  assert.deepEqual(
    received.map(({ path, event }) => [path, event.type]),
    [
      ["/accounts", "v2.core.account.created"],
      ["/accounts", "v2.core.account[requirements].updated"],
      ["/accounts", "v2.core.account[configuration.recipient].capability_status_updated"],
      ["/platform", "payment_intent.created"],
      ["/platform", "charge.succeeded"],
      ["/platform", "payment_intent.succeeded"],
      ["/platform", "checkout.session.completed"],
      ["/platform", "transfer.created"],
      ["/connect", "payout.created"],
    ],
  );
  for (const { path, body, signature, event } of received) {
    const secret = SECRETS[path.slice(1) as keyof typeof SECRETS];
    if (event.object === "event") {
      assert.equal(stripe.webhooks.constructEvent(body, signature, secret).livemode, true);
    } else {
      const notification = stripe.parseEventNotification(body, signature, secret);
      assert.equal(notification.id, event.id);
      assert.equal("data" in event, false);
    }
    assert.throws(() => stripe.webhooks.signature?.verifyHeader(`${body} `, signature, secret, 300));
  }
});

test("events can be delivered several times and out of order", async () => {
  await start({ copies: 5, reorder: true });
  for (let story = 0; story < 10; story++) {
    await paidCheckout(standIn, stripe);
    await standIn.deliveries.settled();
  }
  const made = standIn.events.map(({ id }) => id);
  const seen = new Set(received.map(({ event }) => event.id));
  assert.ok(received.length > seen.size, "none came twice");
  assert.deepEqual([...seen].sort(), made.toSorted(), "not all of them came");
  assert.notDeepEqual([...seen], made, "they came in order");
});

test("an event is sent again until it is accepted", async () => {
  await start({ retries: 3 });
  answers = [500, 503];
  await stripe.checkout.sessions.create(checkoutOf()).then(({ id }) => standIn.expire(id));
  await standIn.deliveries.settled();
  assert.deepEqual(types(), Array(3).fill("checkout.session.expired"));
});

test("the platform's events can be listed by type and time", async () => {
  await start();
  const before = standIn.world.now();
  standIn.advance(100);
  for (let story = 0; story < 4; story++) await paidCheckout(standIn, stripe);
  const completed = stripe.events.list({ types: ["checkout.session.completed"], created: { gt: before }, limit: 3 });
  assert.equal((await completed.autoPagingToArray({ limit: 100 })).length, 4);
  assert.deepEqual((await stripe.events.list({ created: { lt: before } })).data, []);
});
