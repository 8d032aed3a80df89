import { createHmac, randomBytes } from "node:crypto";
import { isSealedUnderCurrentKey, seal, unseal } from "#lib/kernel/keys.ts";

const PURPOSE = "webhook secret";
/** Standard Webhooks asks for 24 to 64. */
const BYTES = 32;

/** How long a replaced secret signs together with the new one. */
export const OLD_SECRET_SECONDS = 24 * 3600;

/** A new secret: as its holder sees it, once, and as it is stored. */
export function newSecret(identityId: string): { shown: string; sealed: Uint8Array<ArrayBuffer> } {
  const bytes = randomBytes(BYTES);
  return { shown: `whsec_${bytes.toString("base64")}`, sealed: sealSecret(bytes, identityId) };
}

export function sealSecret(bytes: Uint8Array, identityId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(seal(bytes, identityId, PURPOSE));
}

/** The bytes that sign; undefined if the key that they were encrypted under is no longer configured. */
export function openSecret(sealed: Uint8Array, identityId: string): Buffer | undefined {
  return unseal(sealed, identityId, PURPOSE);
}

/** Whether the stored form must be renewed, because it depends on a previous `AUTH_SECRET`. */
export function isOutdated(sealed: Uint8Array): boolean {
  return !isSealedUnderCurrentKey(sealed, PURPOSE);
}

/** The value of `webhook-signature`: one signature for each secret, the current one first. */
export function signatures(secrets: readonly Uint8Array[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`)
    .join(" ");
}
