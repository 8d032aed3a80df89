import { createHmac, randomBytes } from "node:crypto";
import { statement } from "#lib/db/statement.ts";
import { isSealedUnderCurrentKey, seal, unseal } from "#lib/kernel/keys.ts";

const PURPOSE = "webhook secret";
/** Standard Webhooks asks for 24 to 64. */
const BYTES = 32;

/** How long a replaced secret signs together with the new one. */
export const OLD_SECRET_SECONDS = 24 * 3600;

/** A new secret: as its holder sees it, once, and as it is stored. */
export function newSecret(identityId: string): { shown: string; sealed: Uint8Array<ArrayBuffer> } {
  const bytes = randomBytes(BYTES);
  return { shown: `whsec_${bytes.toString("base64")}`, sealed: sealed(bytes, identityId) };
}

const sealed = (bytes: Uint8Array, identityId: string) => Uint8Array.from(seal(bytes, identityId, PURPOSE));

type Stored = { identityId: string; secret: Buffer; previousSecret: Buffer | null; previousUntil: Date | null };

const renew = statement(
  "webhook_renew_secret",
  {},
  "UPDATE webhooks SET secret = $3 WHERE identity_id = $1 AND secret = $2",
);

/**
 * The secrets that sign now, the current one first. A secret that was stored under a previous `AUTH_SECRET` is stored again under
 * the current one.
 * @returns undefined if the current secret can no longer be read
 */
export async function readSecrets(stored: Stored, now: Date): Promise<Buffer[] | undefined> {
  const { identityId, secret, previousSecret, previousUntil } = stored;
  const current = unseal(secret, identityId, PURPOSE);
  if (!current) return undefined;
  if (!isSealedUnderCurrentKey(secret, PURPOSE)) await renew(identityId, secret, sealed(current, identityId));
  const previous =
    previousSecret && previousUntil && previousUntil > now && unseal(previousSecret, identityId, PURPOSE);
  return previous ? [current, previous] : [current];
}

/** What the delivery needs to know of an event; its other fields are passed on as they are. */
export type DeliverableEvent = { event_id: string; position: number; type: string; at: string };

type Message = { body: string; headers: Record<string, string> };

/** One attempt at delivering an event, signed by Standard Webhooks 1.0.0. Receivers recognise repetitions by `webhook-id`. */
export function writeMessage(event: DeliverableEvent, secrets: readonly Uint8Array[], now: Date): Message {
  const body = JSON.stringify({ type: event.type, timestamp: event.at, data: event });
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    body,
    headers: {
      "Content-Type": "application/json",
      "webhook-id": event.event_id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatures(secrets, event.event_id, timestamp, body),
    },
  };
}

/** The value of `webhook-signature`: one signature for each secret, the current one first. */
function signatures(secrets: readonly Uint8Array[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`)
    .join(" ");
}
