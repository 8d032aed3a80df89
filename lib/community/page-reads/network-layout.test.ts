import assert from "node:assert/strict";
import { test } from "node:test";
import { type LayoutTask, layOut } from "./network-layout.ts";

const ring: LayoutTask = {
  radii: Array.from({ length: 40 }, (_, index) => 5 + (index % 7)),
  links: Array.from({ length: 40 }, (_, index) => [index, (index + 1) % 40, 1 + (index % 3)]),
};

test("the same graph gets the same positions", () => {
  assert.deepEqual(layOut(ring), layOut(ring));
});

test("every node has a position within its group, and no two overlap", () => {
  const { places, areas } = layOut(ring);
  assert.equal(places.length, 40);
  for (const [index, { x, y, group }] of places.entries()) {
    const area = areas[group] ?? { x: 0, y: 0, radius: 0 };
    assert.ok(Math.hypot(x - area.x, y - area.y) < area.radius);
    for (const other of places.slice(index + 1)) assert.ok(Math.hypot(x - other.x, y - other.y) > 5);
  }
});

/** Two rings of ten with one weak link between them, and a node alone. */
const two: LayoutTask = {
  radii: new Array(21).fill(6),
  links: [
    ...Array.from({ length: 20 }, (_, index): [number, number, number] => {
      const first = index < 10 ? 0 : 10;
      return [index, first + ((index + 1 - first) % 10), 5];
    }),
    ...[0, 10].flatMap((first) => [2, 4, 6].map((step): [number, number, number] => [first, first + step, 5])),
    [3, 14, 1],
  ],
};

test("who replies to each other is one group, apart from others", () => {
  const { places, areas } = layOut(two);
  const groupOf = (index: number) => places[index]?.group;
  assert.notEqual(groupOf(0), groupOf(10));
  assert.notEqual(groupOf(20), groupOf(0));
  for (const [index, one] of areas.entries())
    for (const other of areas.slice(index + 1))
      assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > (one.radius + other.radius) * 0.95);
});

test("an empty graph and a node without links can be laid out", () => {
  assert.deepEqual(layOut({ radii: [], links: [] }), { places: [], areas: [] });
  assert.equal(layOut({ radii: [5], links: [] }).places.length, 1);
});
