import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { fc } from "../../testing/seed.ts";
import { fromBase64, fromBase64url, fromHex, toBase64, toHex } from "./bytes.ts";
import { sha256, sha256Text } from "./sha256.ts";

test("any message has the SHA-256 hash that OpenSSL computes", () => {
  const lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000, 70_000];
  for (const length of lengths) {
    const message = Uint8Array.from({ length }, (_, index) => index * 7);
    assert.equal(toHex(sha256(message)), createHash("sha256").update(message).digest("hex"), `${length} bytes`);
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
      assert.equal(toHex(sha256(message)), createHash("sha256").update(message).digest("hex"));
    }),
  );
});

test("a text is hashed over its UTF-8 bytes", () => {
  assert.equal(sha256Text("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha256Text("é"), "sha256:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
});

test("bytes come back from each text form, and each value has exactly one", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (array) => {
      const bytes = new Uint8Array(array);
      assert.deepEqual(fromHex(toHex(bytes)), bytes);
      assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
      assert.deepEqual(fromBase64url(Buffer.from(bytes).toString("base64url")), bytes);
    }),
  );
  for (const text of ["A", "AB==", "AAB=", "AA", "AA=", "AAA", "AA==AA==", "A A=", "_-==", "AA==\n"])
    assert.equal(fromBase64(text), undefined, text);
  for (const text of ["A", "AB", "AA==", "+/", "AAB"]) assert.equal(fromBase64url(text), undefined, text);
  for (const text of ["a", "AB", "0g", " 00"]) assert.equal(fromHex(text), undefined, text);
});
