import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { env } from "./env.ts";

/** What a key is for. Each purpose has its own key, so that a leak in one place is of no use in another. */
type KeyPurpose =
  | "credential digest"
  | "session cookie"
  | "csrf token"
  | "rate limit key"
  | "known device"
  | "oauth cookie"
  | "sealed data"
  | "webhook secret"
  | "notification address";

/** The purposes whose keys encrypt. */
type SealPurpose = Extract<KeyPurpose, "sealed data" | "webhook secret" | "notification address">;

export type DerivedKey = {
  /** Four bytes that identify the `AUTH_SECRET` behind the key and reveal nothing else about it. */
  version: Buffer;
  /** 32 bytes. */
  bytes: Buffer;
  /** The same for `createHmac`, which is six times slower with bytes. */
  hmac: KeyObject;
};

// HKDF-SHA256 (RFC 5869) without a salt, because the secret is already uniformly random.
function expand(secret: string, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `guildhall ${info}`, length));
}

function derive(secret: string, purpose: KeyPurpose): DerivedKey {
  const bytes = expand(secret, purpose, 32);
  return { version: versionOf(secret), bytes, hmac: createSecretKey(bytes) };
}

/** The four bytes that identify a secret in everything made under it. */
export function versionOf(secret: string): Buffer {
  return expand(secret, "key version", 4);
}

/** `AUTH_SECRET` first, then those of `AUTH_SECRET_PREVIOUS`. @throws Error without `AUTH_SECRET` */
export function authSecrets(): [string, ...string[]] {
  const { authSecret, authSecretsPrevious } = env();
  if (!authSecret) throw new Error("AUTH_SECRET is not set");
  return [authSecret, ...authSecretsPrevious];
}

type Keys = [DerivedKey, ...DerivedKey[]];
// Cached per configuration: every request needs a key, and deriving one costs more than using it.
const derived = new WeakMap<object, Map<KeyPurpose, Keys>>();

/** A purpose's keys: first that of `AUTH_SECRET`, then those of `AUTH_SECRET_PREVIOUS`, under which nothing new is made. */
export function keysFor(purpose: KeyPurpose): Keys {
  let all = derived.get(env());
  if (!all) {
    all = new Map();
    derived.set(env(), all);
  }
  let keys = all.get(purpose);
  if (!keys) {
    const [secret, ...previous] = authSecrets();
    keys = [derive(secret, purpose), ...previous.map((each) => derive(each, purpose))];
    all.set(purpose, keys);
  }
  return keys;
}

/** HMAC-SHA256 of the text under the purpose's current key. */
export function authenticationCode(purpose: KeyPurpose, text: string): Buffer {
  return codeUnder(keysFor(purpose)[0], text);
}

/** Whether `authenticationCode` gives this code, or gave it under a previous secret. Takes constant time. */
export function isAuthenticationCode(purpose: KeyPurpose, text: string, code: Uint8Array): boolean {
  return keysFor(purpose).some((key) => {
    const expected = codeUnder(key, text);
    return expected.length === code.length && timingSafeEqual(expected, code);
  });
}

/** HMAC-SHA256 of the text under one key: 32 bytes. */
export function codeUnder(key: DerivedKey, text: string): Buffer {
  return createHmac("sha256", key.hmac).update(text).digest();
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts data that must be read again (AES-256-GCM). The result is version, nonce, tag and ciphertext.
 * @param owner what the data belongs to, such as an ID; sealed data copied to another row can't be opened there
 */
export function seal(plain: Uint8Array, owner: string, purpose: SealPurpose = "sealed data"): Buffer {
  const key = keysFor(purpose)[0];
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([key.version, nonce, cipher.getAuthTag(), ciphertext]);
}

/** What was sealed; undefined when it was altered, belongs to another owner or purpose, or its key is no longer configured. */
export function unseal(sealed: Uint8Array, owner: string, purpose: SealPurpose = "sealed data"): Buffer | undefined {
  const bytes = Buffer.from(sealed);
  const key = keysFor(purpose).find(({ version }) => version.equals(bytes.subarray(0, version.length)));
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

/** Whether sealed data depends on the current `AUTH_SECRET`, not on a previous one. */
export function isSealedUnderCurrentKey(sealed: Uint8Array, purpose: SealPurpose): boolean {
  const { version } = keysFor(purpose)[0];
  return version.equals(sealed.subarray(0, version.length));
}
