import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type Stripe from "stripe";
import { checkoutOf, RECIPIENT } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
before(async () => {
  standIn = await StripeStandIn.start();
  stripe = standIn.client();
});
after(() => standIn.close());

const press = (url: string, button: string, more: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ do: button, ...more }), redirect: "manual" });

test("on the checkout page a person can go back, be declined, and pay, once", async () => {
  const session = await stripe.checkout.sessions.create(checkoutOf(123_456));
  const url = session.url ?? "";
  const shown = await (await fetch(url)).text();
  assert.match(shown, /£1234\.56/);
  assert.match(shown, /Rehearsal/);
  const back = await press(url, "back");
  assert.deepEqual([back.status, back.headers.get("Location")], [303, session.cancel_url]);
  const declined = await press(url, "decline");
  const after = await fetch(new URL(declined.headers.get("Location") ?? "", url));
  assert.match(await after.text(), /declined/);
  const paid = await press(url, "pay");
  assert.equal(paid.headers.get("Location"), `https://guildhall.example/paid?s=${session.id}`);
  assert.equal((await stripe.checkout.sessions.retrieve(session.id)).payment_status, "paid");
  assert.match(await (await press(url, "pay")).text(), /complete/);
  assert.equal(standIn.books().intents.length, 1);
});

test("an account's holder can leave the set-up or complete it", async () => {
  const { id } = await stripe.v2.core.accounts.create(RECIPIENT);
  const link = await stripe.v2.core.accountLinks.create({
    account: id,
    use_case: {
      type: "account_onboarding",
      account_onboarding: {
        refresh_url: "https://guildhall.example/again",
        return_url: "https://guildhall.example/?a&b",
      },
    },
  });
  const shown = await (await fetch(link.url)).text();
  assert.match(shown, /value="https:\/\/guildhall\.example\/\?a&amp;b"/);
  const url = link.url.split("?")[0] ?? "";
  const to = { return: "https://guildhall.example/?a&b" };
  assert.equal((await press(url, "leave", to)).headers.get("Location"), to.return);
  assert.equal((await stripe.accounts.retrieve(id)).payouts_enabled, false);
  await press(url, "submit", to);
  assert.equal((await stripe.accounts.retrieve(id)).payouts_enabled, true);
});
