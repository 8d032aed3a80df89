import assert from "node:assert/strict";
import { test } from "node:test";
import { type LayoutTask, layOut } from "./network-layout.ts";

const ring: LayoutTask = {
  radii: Array.from({ length: 40 }, (_, index) => 5 + (index % 7)),
  links: Array.from({ length: 40 }, (_, index) => [index, (index + 1) % 40]),
};

test("the same graph gets the same positions", () => {
  assert.deepEqual(layOut(ring), layOut(ring));
});

test("every node has a position, and no two overlap", () => {
  const places = layOut(ring);
  assert.equal(places.length, 40);
  for (const [index, [x, y]] of places.entries()) {
    assert.ok(Number.isFinite(x) && Number.isFinite(y));
    for (const [otherX, otherY] of places.slice(index + 1)) assert.ok(Math.hypot(x - otherX, y - otherY) > 5);
  }
});

test("an empty graph and a node without links can be laid out", () => {
  assert.deepEqual(layOut({ radii: [], links: [] }), []);
  assert.deepEqual(layOut({ radii: [5], links: [] }).length, 1);
});
