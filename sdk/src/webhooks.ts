import { concat, fromBase64, toBase64, utf8 } from "./bytes.ts";
import type { GuildhallEvent } from "./events.ts";
import { sha256 } from "./sha256.ts";

export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookVerificationError";
  }
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
export type WebhookOptions = {
  /** How far the delivery's time may be from now, in seconds. Default 300. */
  toleranceSeconds?: number;
  now?: Date;
};

const BLOCK = 64;

/** HMAC-SHA-256 (RFC 2104). */
function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(
    concat(
      padded.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    concat(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** Compares in a time that does not depend on where the texts differ. */
function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (!text) throw new WebhookVerificationError(`The header ${name} is missing.`);
  return text;
}

/**
 * Checks a webhook delivery as Standard Webhooks 1.0.0 says: its signature under the secret, and that it was sent just now.
 * Deliveries come at least once: remember each event's `event_id`, and ignore repetitions.
 * @param body exactly as it was received, before any parsing
 * @throws WebhookVerificationError
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: WebhookOptions = {},
): GuildhallEvent {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const key = secret.startsWith("whsec_") ? fromBase64(secret.slice("whsec_".length)) : undefined;
  if (!key) throw new WebhookVerificationError("The secret is not a webhook secret (whsec_…).");
  const age = now.getTime() / 1_000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > toleranceSeconds)
    throw new WebhookVerificationError("The delivery was not sent just now: it is too old, or a clock is wrong.");
  const bytes = typeof body === "string" ? utf8(body) : body;
  const expected = `v1,${toBase64(hmac(key, concat(utf8(`${id}.${timestamp}.`), bytes)))}`;
  // While a secret is being replaced there are two signatures.
  const offered = headerOf(headers, "webhook-signature").split(" ");
  if (offered.filter((each) => sameText(each, expected)).length === 0)
    throw new WebhookVerificationError("The signature does not match this secret and body.");
  const payload = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as {
    data: GuildhallEvent;
  };
  return payload.data;
}
