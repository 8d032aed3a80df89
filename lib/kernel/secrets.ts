import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { authSecrets, codeUnder, type DerivedKey, keysFor } from "./keys.ts";

/** `ghm` management token, `gha` access token, `ghc` community key, `ghk` claim token; `ghv`, the verification token, is public. */
export type SecretPrefix = "ghm" | "gha" | "ghc" | "ghk" | "ghv";

const RANDOM_BYTES = 28;

/** prefix, `_` and 43 base64url characters: 28 random bytes and, big-endian, the CRC32 of them. */
export function newSecret(prefix: SecretPrefix): string {
  const bytes = randomBytes(RANDOM_BYTES + 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, RANDOM_BYTES)), RANDOM_BYTES);
  return `${prefix}_${bytes.toString("base64url")}`;
}

/** Whether the text can be a secret of this kind at all: mistyped and made-up ones are refused without asking the database. */
export function isWellFormedSecret(prefix: SecretPrefix, text: string): boolean {
  if (text.length !== prefix.length + 44 || !text.startsWith(`${prefix}_`)) return false;
  const body = text.slice(prefix.length + 1);
  if (!/^[A-Za-z0-9_-]{43}$/.test(body)) return false;
  const bytes = Buffer.from(body, "base64url");
  // The last character carries two spare bits: only their zero form is the secret that was handed out.
  return (
    bytes.toString("base64url") === body && crc32(bytes.subarray(0, RANDOM_BYTES)) === bytes.readUInt32BE(RANDOM_BYTES)
  );
}

const PRIVATE_SECRET = /gh[amck]_[A-Za-z0-9_-]{43}|whsec_[A-Za-z0-9+/]{43}=/;

/** Whether a text holds something that looks like a private secret. */
export function containsSecret(text: string): boolean {
  return PRIVATE_SECRET.test(text);
}

/**
 * What is stored instead of a secret, so that a copied table gives no access: the key's version and HMAC-SHA256 under the key,
 * 36 bytes. To find a secret that was stored earlier use `digestsOf`, because its digest may have been made under another key.
 */
export function digestSecret(secret: string): Buffer {
  return digestUnder(keysFor("credential digest")[0], secret);
}

/** The digests under which one secret may be stored. */
export type Digests = {
  /** What `digestSecret` gives. */
  digest: Buffer;
  /** Digests under previous secrets, and for every secret the 32-byte form without a version of earlier releases. */
  others(): Buffer[];
};

/** Computes the current digest at once, and the others only when it is not found. */
export function digestsOf(secret: string): Digests {
  return {
    digest: digestSecret(secret),
    others: () => [
      ...keysFor("credential digest")
        .slice(1)
        .map((key) => digestUnder(key, secret)),
      ...authSecrets().map((key) => createHmac("sha256", key).update(secret).digest()),
    ],
  };
}

/** Every digest under which a secret may be stored, the current one first. */
export function allDigests(secret: string): Uint8Array<ArrayBuffer>[] {
  const { digest, others } = digestsOf(secret);
  return [digest, ...others()].map((each) => Uint8Array.from(each));
}

function digestUnder(key: DerivedKey, secret: string): Buffer {
  return Buffer.concat([key.version, codeUnder(key, secret)]);
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

const START = /gh[amck]_/g;
const SECRET_LENGTH = 47;
/** The last of the 43 characters has two bits that are always zero, so it alone rules out most look-alikes. */
const LAST = new Set("AEIMQUYcgkosw048");
/** Nobody has a reason to write this many look-alikes in one text: beyond this, the text counts as containing a secret. */
const MOST_CANDIDATES = 1_000;

/**
 * The private secrets of this service (correct prefix and CRC32) anywhere in a text, even inside a look-alike; at most `most`
 * of them.
 */
export function findSecrets(text: string, most = 1): string[] {
  const found: string[] = [];
  let candidates = 0;
  for (const { 0: start, index } of text.matchAll(START)) {
    if (!LAST.has(text.charAt(index + SECRET_LENGTH - 1))) continue;
    const candidate = text.slice(index, index + SECRET_LENGTH);
    candidates += 1;
    if (isWellFormedSecret(start.slice(0, 3) as SecretPrefix, candidate) || candidates > MOST_CANDIDATES)
      found.push(candidate);
    if (found.length >= most) break;
  }
  return found;
}
