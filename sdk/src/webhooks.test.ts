import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { verifyWebhook } from "./webhooks.ts";

const SECRET = `whsec_${Buffer.from("a secret of 24 bytes ...").toString("base64")}`;
const NOW = new Date("2026-11-22T12:00:00.000Z");
const EVENT = { position: 7, event_id: "evt_1", type: "task.created", data: {} };
const BODY = JSON.stringify({ type: "task.created", timestamp: NOW.toISOString(), data: EVENT });

function signed(body = BODY, secret = SECRET, at = NOW.getTime() / 1_000) {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`evt_1.${at}.${body}`).digest("base64");
  return { "webhook-id": "evt_1", "webhook-timestamp": String(at), "webhook-signature": `v1,${signature}` };
}

test("a delivery that the service signed just now returns its event", () => {
  assert.deepEqual(verifyWebhook(signed(), BODY, SECRET, { now: NOW }), EVENT);
  assert.deepEqual(verifyWebhook(new Headers(signed()), new TextEncoder().encode(BODY), SECRET, { now: NOW }), EVENT);
  const upper = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]));
  assert.deepEqual(verifyWebhook(upper, BODY, SECRET, { now: NOW }), EVENT);
});

test("while a secret is being replaced, either signature suffices", () => {
  const other = signed(BODY, `whsec_${Buffer.from("another secret of 24 byte").toString("base64")}`);
  const both = { ...signed(), "webhook-signature": `${other["webhook-signature"]} ${signed()["webhook-signature"]}` };
  assert.deepEqual(verifyWebhook(both, BODY, SECRET, { now: NOW }), EVENT);
  assert.throws(() => verifyWebhook(other, BODY, SECRET, { now: NOW }), /signature does not match/);
});

test("a changed body, an old or future time, and missing headers are refused", () => {
  const refused = (headers: Record<string, string>, body: string, reason: RegExp, secret = SECRET) =>
    assert.throws(() => verifyWebhook(headers, body, secret, { now: NOW }), {
      name: "WebhookVerificationError",
      message: reason,
    });
  refused(signed(), BODY.replace("created", "claimed"), /does not match/);
  for (const shift of [-301, 301])
    refused(signed(BODY, SECRET, NOW.getTime() / 1_000 + shift), BODY, /not sent just now/);
  refused({ ...signed(), "webhook-timestamp": "soon" }, BODY, /not sent just now/);
  const { "webhook-signature": _, ...unsigned } = signed();
  refused(unsigned, BODY, /webhook-signature is missing/);
  refused(signed(), BODY, /not a webhook secret/, "ghm_x");
});
