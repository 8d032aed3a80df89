import assert from "node:assert/strict";
import { test } from "node:test";
import { placeFor } from "./labels.ts";

const view = { width: 200, height: 100 };
const size = { width: 40, height: 10 };
const mark = { x: 100, y: 50, radius: 8 };
const place = (taken: Parameters<typeof placeFor>[3], marks: Parameters<typeof placeFor>[4], at = mark) =>
  placeFor(at, size, view, taken, [at, ...marks]);

test("words stand beneath their mark, or above, right or left of it where they would cover marks or words", () => {
  const beneath = { x: 100, y: 66, radius: 4 };
  const above = { left: 70, right: 130, top: 20, bottom: 40 };
  assert.deepEqual(place([], []), { left: 80, top: 62, right: 120, bottom: 72 });
  assert.deepEqual(place([], [beneath])?.bottom, 38);
  assert.deepEqual(place([above], [beneath])?.left, 112);
  assert.deepEqual(place([above], [beneath, { x: 130, y: 50, radius: 5 }])?.right, 88);
  assert.equal(place([above], [beneath, { x: 130, y: 50, radius: 5 }, { x: 70, y: 50, radius: 5 }]), undefined);
});

test("words stay within the view", () => {
  assert.deepEqual(place([], [], { x: 100, y: 92, radius: 8 })?.bottom, 80);
  assert.equal(place([], [], { x: 5, y: 50, radius: 4 })?.left, 13);
});
