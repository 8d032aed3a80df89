import assert from "node:assert/strict";
import { test } from "node:test";
import { sha256 } from "./canonical-json.ts";

test("the hash is SHA-256 over UTF-8", () => {
  assert.equal(sha256("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha256("€"), sha256(Buffer.from([0xe2, 0x82, 0xac]).toString("utf8")));
});
