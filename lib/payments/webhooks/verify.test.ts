import assert from "node:assert/strict";
import { test } from "node:test";
import Stripe from "stripe";
import { isOurMode, TOLERANCE_SECONDS, verify } from "./verify.ts";

const SECRET = "whsec_one";
const NOW = new Date("2026-11-21T12:00:00.400Z");
const SECONDS = Math.floor(NOW.getTime() / 1000);

const SNAPSHOT = {
  object: "event",
  id: "evt_1",
  type: "payout.paid",
  livemode: true,
  created: SECONDS,
  account: "acct_1",
  data: { object: { id: "po_1", status: "paid" } },
};
const THIN = {
  object: "v2.core.event",
  id: "evt_2",
  type: "v2.core.account[requirements].updated",
  livemode: true,
  created: NOW.toISOString(),
  related_object: { id: "acct_1", type: "v2.core.account", url: "/v2/core/accounts/acct_1" },
};

/** What is read of an event that is signed at a time, in seconds from now. */
function taken(event: object | string, { at = 0, secret = SECRET, scheme = "v1", secrets = [SECRET] } = {}) {
  const payload = typeof event === "string" ? event : JSON.stringify(event);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: SECONDS + at, scheme });
  return verify(Buffer.from(payload), header, secrets, NOW);
}

test("live events belong to LIVE and test events to a rehearsal, in either form; an event without a mode is refused", () => {
  for (const event of [SNAPSHOT, THIN])
    for (const livemode of [false, true]) {
      const delivery = taken({ ...event, livemode });
      assert.ok(delivery);
      for (const rehearsal of [false, true]) assert.equal(isOurMode(delivery, { rehearsal }), livemode !== rehearsal);
    }
  for (const livemode of [undefined, null, "true", 1]) assert.equal(taken({ ...SNAPSHOT, livemode }), undefined);
});

test("any of an address's secrets is accepted, and no other secret or scheme", () => {
  const secrets = ["whsec_zero", SECRET, "whsec_two"];
  for (const secret of secrets) assert.ok(taken(SNAPSHOT, { secret, secrets }), secret);
  for (const secret of ["whsec_three", secrets.join(","), "", `${SECRET} `])
    assert.equal(taken(SNAPSHOT, { secret, secrets }), undefined, secret);
  assert.equal(taken(SNAPSHOT, { scheme: "v0" }), undefined);
});

test("a signature is valid for the same time before and after its own, and not a second longer", () => {
  for (const at of [-TOLERANCE_SECONDS + 1, 0, TOLERANCE_SECONDS]) assert.ok(taken(SNAPSHOT, { at }), `${at} s`);
  for (const at of [-TOLERANCE_SECONDS - 1, TOLERANCE_SECONDS + 1, -1e6, 1e6])
    assert.equal(taken(SNAPSHOT, { at }), undefined, `${at} s`);
});

test("a header with two times is refused, although one of them is ours and the other signed", () => {
  const payload = JSON.stringify(SNAPSHOT);
  const later = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp: SECONDS + 1e6 });
  assert.equal(verify(Buffer.from(payload), `t=${SECONDS},${later}`, [SECRET], NOW), undefined);
});

test("what is signed and is no whole event is refused", () => {
  const whole = JSON.stringify(SNAPSHOT);
  for (const text of ["", "[]", whole.slice(0, -1), whole.slice(1), whole.replace("event", "charge")])
    assert.equal(taken(text), undefined, text);
});

test("only an event's object and account are stored, and nothing of its content", () => {
  assert.deepEqual(taken(SNAPSHOT), {
    id: "evt_1",
    type: "payout.paid",
    livemode: true,
    account: "acct_1",
    objectId: "po_1",
    createdAt: new Date(SECONDS * 1000),
  });
  assert.deepEqual(taken(THIN), {
    id: "evt_2",
    type: "v2.core.account[requirements].updated",
    livemode: true,
    account: null,
    objectId: "acct_1",
    createdAt: NOW,
  });
});

test("a thin event about part of an account names the account as its context", () => {
  const about = { id: "person_1", type: "v2.core.account_person", url: "/v2/core/accounts/acct_1/persons/person_1" };
  const accountOf = (context: unknown) => taken({ ...THIN, context, related_object: about })?.account;
  assert.equal(accountOf("acct_1"), "acct_1");
  assert.equal(accountOf("org_1/acct_2"), "acct_2");
  for (const context of [null, undefined, "org_1", "acct_1/", "acct_ 1"]) assert.equal(accountOf(context), null);
});
