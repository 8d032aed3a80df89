import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import {
  containsSecret,
  digestSecret,
  equalBytes,
  isWellFormedSecret,
  newSecret,
  type SecretPrefix,
} from "./secrets.ts";

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

test("a secret of one kind is none of another", () => {
  for (const prefix of PREFIXES)
    for (const other of PREFIXES.filter((other) => other !== prefix))
      assert.ok(!isWellFormedSecret(prefix, newSecret(other)));
});

test("one changed character is noticed, wherever it stands", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 42 }), fc.constantFrom(...BASE64URL), (position, character) => {
      const secret = newSecret("ghm");
      const changed = secret.slice(0, 4 + position) + character + secret.slice(5 + position);
      assert.equal(isWellFormedSecret("ghm", changed), changed === secret);
    }),
    { numRuns: 2_000 },
  );
});

test("of the four spellings of a secret's last character, only the one that was handed out counts", () => {
  const secret = newSecret("ghm");
  const last = BASE64URL.indexOf(secret.slice(-1));
  assert.equal(last % 4, 0);
  for (const spare of [1, 2, 3]) {
    const spelling = secret.slice(0, -1) + BASE64URL[last + spare];
    assert.deepEqual(Buffer.from(spelling.slice(4), "base64url"), Buffer.from(secret.slice(4), "base64url"));
    assert.ok(!isWellFormedSecret("ghm", spelling));
  }
});

test("no other text is a secret", () => {
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

test("private secrets are found anywhere in a text, and the public verification token is not one", () => {
  for (const prefix of ["ghm", "ghc", "ghk"] as const) assert.ok(containsSecret(`?x=1&y=a${newSecret(prefix)}b`));
  assert.ok(!containsSecret(newSecret("ghv")));
  assert.ok(!containsSecret("ghm_too_short"));
});

test("a stored digest depends on the secret and on the service's own key", () => {
  const shared = globalThis as { guildhallEnv?: { authSecret: string } };
  const secret = newSecret("ghm");
  shared.guildhallEnv = { authSecret: "one key of the service, long enough" };
  const digest = digestSecret(secret);
  assert.equal(digest.length, 32);
  assert.ok(equalBytes(digest, digestSecret(secret)));
  assert.ok(!equalBytes(digest, digestSecret(newSecret("ghm"))));
  shared.guildhallEnv = { authSecret: "another key of the service, as long" };
  assert.ok(!equalBytes(digest, digestSecret(secret)));
  assert.ok(!equalBytes(digest, digest.subarray(1)));
});
