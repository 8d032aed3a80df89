import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { fc } from "#testing/seed.ts";
import { versionOf } from "./keys.ts";
import {
  allDigests,
  containsSecret,
  digestSecret,
  digestsOf,
  equalBytes,
  isWellFormedSecret,
  newSecret,
  type SecretPrefix,
} from "./secrets.ts";

const [ONE, OTHER] = ["one secret of the service, long enough", "another secret of the service, as long"] as const;

function use(authSecret: string, ...authSecretsPrevious: string[]): void {
  Object.assign(globalThis, { guildhallEnv: { authSecret, authSecretsPrevious } });
}

const PREFIXES: SecretPrefix[] = ["ghm", "ghc", "ghk", "ghv"];
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

test("a secret is its prefix, an underscore and 43 base64url characters: 28 random bytes and their CRC32", () => {
  for (const prefix of PREFIXES) {
    const secret = newSecret(prefix);
    assert.match(secret, new RegExp(`^${prefix}_[A-Za-z0-9_-]{43}$`));
    const bytes = Buffer.from(secret.slice(4), "base64url");
    assert.equal(bytes.length, 32);
    assert.equal(bytes.readUInt32BE(28), crc32(bytes.subarray(0, 28)));
    assert.ok(isWellFormedSecret(prefix, secret));
  }
});

test("a secret of one kind is not accepted as another", () => {
  for (const prefix of PREFIXES)
    for (const other of PREFIXES.filter((other) => other !== prefix))
      assert.ok(!isWellFormedSecret(prefix, newSecret(other)));
});

test("one changed character is detected at any position", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 42 }), fc.constantFrom(...BASE64URL), (position, character) => {
      const secret = newSecret("ghm");
      const changed = secret.slice(0, 4 + position) + character + secret.slice(5 + position);
      assert.equal(isWellFormedSecret("ghm", changed), changed === secret);
    }),
    { numRuns: 2_000 },
  );
});

test("only the original spelling of a secret's last character is accepted", () => {
  const secret = newSecret("ghm");
  const last = BASE64URL.indexOf(secret.slice(-1));
  assert.equal(last % 4, 0);
  for (const spare of [1, 2, 3]) {
    const spelling = secret.slice(0, -1) + BASE64URL[last + spare];
    assert.deepEqual(Buffer.from(spelling.slice(4), "base64url"), Buffer.from(secret.slice(4), "base64url"));
    assert.ok(!isWellFormedSecret("ghm", spelling));
  }
});

test("other text is not accepted as a secret", () => {
  const secret = newSecret("ghm");
  const bad = [
    "",
    "ghm_",
    secret.slice(0, -1),
    `${secret}A`,
    `${secret}=`,
    ` ${secret}`,
    `${secret}\n`,
    secret.toUpperCase(),
    secret.replace("_", "-"),
  ];
  for (const text of bad) assert.ok(!isWellFormedSecret("ghm", text), JSON.stringify(text));
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedSecret("ghm", text)));
});

test("private secrets are found anywhere in a text; the public verification token is not private", () => {
  for (const prefix of ["ghm", "ghc", "ghk"] as const) assert.ok(containsSecret(`?x=1&y=a${newSecret(prefix)}b`));
  assert.ok(!containsSecret(newSecret("ghv")));
  assert.ok(!containsSecret("ghm_too_short"));
});

test("a stored digest depends on the secret and on the service's own key", () => {
  const secret = newSecret("ghm");
  use(ONE);
  const digest = digestSecret(secret);
  assert.equal(digest.length, 36);
  assert.ok(!digest.includes(createHmac("sha256", ONE).update(secret).digest()));
  assert.ok(equalBytes(digest, digestSecret(secret)));
  assert.ok(!equalBytes(digest, digestSecret(newSecret("ghm"))));
  use(OTHER);
  assert.ok(!equalBytes(digest, digestSecret(secret)));
  assert.ok(!equalBytes(digest, digest.subarray(1)));
});

test("a digest begins with the version of its key, by which no secret of another version is recognised", () => {
  const secret = newSecret("ghm");
  use(ONE);
  const one = digestSecret(secret);
  assert.deepEqual(one.subarray(0, 4), versionOf(ONE));
  assert.deepEqual(digestSecret(newSecret("ghm")).subarray(0, 4), one.subarray(0, 4));
  use(OTHER, ONE);
  assert.deepEqual(digestSecret(secret).subarray(0, 4), versionOf(OTHER));
});

test("a secret is looked for under every configured secret of the service, with and without a version, the current one first", () => {
  const secret = newSecret("ghm");
  const unversioned = (key: string) => createHmac("sha256", key).update(secret).digest();
  use(ONE);
  const one = digestSecret(secret);
  assert.deepEqual(digestsOf(secret).digest, one);
  assert.deepEqual(digestsOf(secret).others(), [unversioned(ONE)]);
  use(OTHER, ONE);
  const other = digestSecret(secret);
  assert.deepEqual(digestsOf(secret).others(), [one, unversioned(OTHER), unversioned(ONE)]);
  assert.deepEqual(
    allDigests(secret).map((each) => Buffer.from(each)),
    [other, one, unversioned(OTHER), unversioned(ONE)],
  );
});
