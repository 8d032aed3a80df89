import assert from "node:assert/strict";
import { test } from "node:test";
import { covers, widthOf } from "./edge-layer.ts";

const picture = { k: 2, left: -100, top: -50, width: 800, height: 400 };
const viewAt = (k: number, x: number, y: number) => ({ k, x, y, width: 400, height: 200 });

test("a picture is reused while it covers the whole view, at any zoom", () => {
  assert.equal(covers(picture, viewAt(2, 0, 0)), true);
  assert.equal(covers(picture, viewAt(2, 200, 100)), true);
  assert.equal(covers(picture, viewAt(2, 201, 100)), false);
  assert.equal(covers(picture, viewAt(2, -201, 0)), false);
  assert.equal(covers(picture, viewAt(2, 0, 101)), false);
  assert.equal(covers(picture, viewAt(2, 0, -101)), false);
  assert.equal(covers(picture, viewAt(4, 0, 0)), true);
  assert.equal(covers(picture, viewAt(1, 0, 0)), false);
});

test("an edge with more replies is wider", () => {
  assert.deepEqual([1, 2, 3, 9, 10, 500].map(widthOf), [0, 0, 1, 1, 2, 2]);
});
