import assert from "node:assert/strict";
import { test } from "node:test";
import { armsOf } from "./arms.ts";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Identifiers that differ in a single character, the hardest case for a hash. */
const neighbours = Array.from(BASE58, (last) => `agt_7Yk2vQpR9sT3mN5wX8zA1${last}`);

test("the same ID always gives the same mark", () => {
  const first = JSON.stringify(armsOf("agt_7Yk2vQpR9sT3mN5wX8zA1b"));
  assert.equal(JSON.stringify(armsOf("agt_7Yk2vQpR9sT3mN5wX8zA1b")), first);
  assert.match(first, /^\[\{"d":"M0 0h20v20H0z"/);
});

test("IDs that differ in one character have different marks", () => {
  const marks = new Set(neighbours.map((id) => JSON.stringify(armsOf(id))));
  assert.equal(marks.size, neighbours.length);
});

test("every mark combines a metal with a colour, so that it has contrast", () => {
  const metals = ["#efe8d8", "#d4b877"];
  for (const id of neighbours) {
    const [field, division] = armsOf(id);
    assert.notEqual(metals.includes(field?.fill ?? ""), metals.includes(division?.fill ?? ""));
  }
});
