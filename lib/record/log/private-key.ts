import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";
import { fromBase64 } from "#sdk/bytes.ts";
import { isKeyName, keyId, type Signer } from "#sdk/tlog/note.ts";

/*
 * Private keys in the text form of Go's note package: `PRIVATE+KEY+name+id+base64(type and seed)`.
 */

/** What precedes the 32 bytes of an Ed25519 seed in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** Undefined unless the text is a private key with the ID that follows from its name and public key. */
export function parsePrivateKey(text: string): Signer | undefined {
  const [, name = "", id, encoded = ""] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || bytes?.length !== 33) return undefined;
  const [type = 0] = bytes;
  const signer = signerOf(name, type, bytes.subarray(1));
  return signer.id === id ? signer : undefined;
}

/** A new key in its text form. */
export function newPrivateKey(name: string, type: number): string {
  const seed = randomBytes(32);
  const { id } = signerOf(name, type, seed);
  return `PRIVATE+KEY+${name}+${id}+${Buffer.concat([Buffer.of(type), seed]).toString("base64")}`;
}

function signerOf(name: string, type: number, seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32));
  return { name, type, publicKey, id: keyId(name, type, publicKey), sign: (message) => sign(null, message, key) };
}
