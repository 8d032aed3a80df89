import { createECDH, hash } from "node:crypto";
import type { OwnerChannel } from "#lib/db/generated/client.ts";
import { env } from "#lib/kernel/env.ts";
import { isSealedUnderCurrentKey, seal, unseal } from "#lib/kernel/keys.ts";

/** Where a channel sends to: the secret part of it. */
export type Address = { url: string; keys?: { p256dh: string; auth: string } };
type Sealed = Pick<OwnerChannel, "id" | "kind"> & { address: Uint8Array };

const PURPOSE = "notification address";
const CURVE = "prime256v1";

export function sealAddress(address: Address, channelId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(seal(Buffer.from(JSON.stringify(address)), channelId, PURPOSE));
}

/** @returns undefined if the key that it was encrypted under is no longer configured */
export function openAddress({ id, address }: Sealed): Address | undefined {
  const bytes = unseal(address, id, PURPOSE);
  return bytes && (JSON.parse(bytes.toString()) as Address);
}

/** Whether the stored form must be renewed, because it depends on a previous `AUTH_SECRET`. */
export function isOutdated({ address }: Pick<Sealed, "address">): boolean {
  return !isSealedUnderCurrentKey(address, PURPOSE);
}

/** Identifies an owner's channels to the same place. */
export const addressDigest = ({ url }: Address) => Uint8Array.from(hash("sha256", url, "buffer"));

/** The public key that browsers subscribe with; undefined where Web Push is not set up. */
export function pushPublicKey(): string | undefined {
  const { vapidPrivateKey } = env();
  if (!vapidPrivateKey) return undefined;
  const pair = createECDH(CURVE);
  pair.setPrivateKey(Buffer.from(vapidPrivateKey, "base64url"));
  return pair.getPublicKey("base64url");
}

/** Whether a browser's key is a point of the curve, so that it can be encrypted for. */
export function isPushKey(p256dh: string): boolean {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  try {
    pair.computeSecret(Buffer.from(p256dh, "base64url"));
    return true;
  } catch {
    return false;
  }
}
