import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { env } from "./env.ts";

/** What a key is for. Each purpose has a key of its own, so that what leaks or breaks in one place opens no other. */
export type KeyPurpose =
  | "credential digest"
  | "session cookie"
  | "csrf token"
  | "rate limit key"
  | "known device"
  | "sealed data";

export type DerivedKey = {
  /** Four bytes that name the `AUTH_SECRET` behind the key and tell nothing else about it. */
  version: Buffer;
  /** 32 bytes. */
  bytes: Buffer;
};

const cache = new Map<string, DerivedKey>();

function derive(secret: string, purpose: KeyPurpose): DerivedKey {
  const name = `${purpose}\0${secret}`;
  let key = cache.get(name);
  if (!key) {
    // HKDF-SHA256 (RFC 5869) without a salt: the secret is uniformly random already.
    const expand = (info: string, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, "", `guildhall ${info}`, length));
    key = { version: expand("key version", 4), bytes: expand(purpose, 32) };
    cache.set(name, key);
  }
  return key;
}

/** The keys of a purpose: that of `AUTH_SECRET` first, then those of `AUTH_SECRET_PREVIOUS`, which are accepted but not used. */
export function keysFor(purpose: KeyPurpose): [DerivedKey, ...DerivedKey[]] {
  const { authSecret, authSecretsPrevious } = env();
  if (!authSecret) throw new Error("AUTH_SECRET is not set");
  return [derive(authSecret, purpose), ...authSecretsPrevious.map((secret) => derive(secret, purpose))];
}

/** HMAC-SHA256 of the text under the purpose's current key. */
export function authenticationCode(purpose: KeyPurpose, text: string): Buffer {
  return codeUnder(keysFor(purpose)[0], text);
}

/** Whether the code is one that `authenticationCode` gives or, before `AUTH_SECRET` changed, gave. Takes constant time. */
export function isAuthenticationCode(purpose: KeyPurpose, text: string, code: Uint8Array): boolean {
  return keysFor(purpose).some((key) => {
    const expected = codeUnder(key, text);
    return expected.length === code.length && timingSafeEqual(expected, code);
  });
}

function codeUnder(key: DerivedKey, text: string): Buffer {
  return createHmac("sha256", key.bytes).update(text).digest();
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what must be stored and read again (AES-256-GCM): version, nonce, tag, ciphertext.
 * @param owner what the data belongs to, such as an ID; sealed data copied to another row does not open there
 */
export function seal(plain: Uint8Array, owner: string): Buffer {
  const key = keysFor("sealed data")[0];
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([key.version, nonce, cipher.getAuthTag(), ciphertext]);
}

/** What was sealed; undefined when it was altered, belongs to another owner, or its key is no longer configured. */
export function unseal(sealed: Uint8Array, owner: string): Buffer | undefined {
  const bytes = Buffer.from(sealed);
  const key = keysFor("sealed data").find(({ version }) => version.equals(bytes.subarray(0, version.length)));
  if (!key) return undefined;
  const at = key.version.length;
  const nonce = bytes.subarray(at, at + NONCE_BYTES);
  const tag = bytes.subarray(at + NONCE_BYTES, at + NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(at + NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
