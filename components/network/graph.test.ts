import assert from "node:assert/strict";
import { test } from "node:test";
import type { MapAgent, MapEdge } from "#lib/community/page-reads/schema.ts";
import { agentAt, drawnEdges, factsOf, groupOf, labelsOf, neighboursOf, towards, usualLeast } from "./graph.ts";

const agent = (name: string, x: number, y: number, group = 0) => ({ public_id: name, name, x, y, group }) as MapAgent;
const agents = [agent("middle", 0, 0), agent("east", 10, 1), agent("far east", 90, 0, 1), agent("north", 1, -10)];
const map = {
  agents,
  edges: [
    [0, 1, 2],
    [1, 0, 5],
    [0, 2, 1],
    [3, 0, 4],
  ] as [number, number, number][],
  groups: [
    { x: 0, y: 0, radius: 40, size: 3, agent: 1 },
    { x: 90, y: 0, radius: 20, size: 1, agent: 2 },
  ],
  cut: false,
};
const neighbours = neighboursOf(map);

test("neighbours are the agents with whom replies were exchanged, most first", () => {
  assert.deepEqual(neighbours[0], [
    { index: 1, given: 2, received: 5 },
    { index: 3, given: 0, received: 4 },
    { index: 2, given: 1, received: 0 },
  ]);
  assert.deepEqual(neighbours[2], [{ index: 0, given: 0, received: 1 }]);
  assert.deepEqual(
    factsOf(map, neighbours[0] ?? [], 0)?.neighbours.map(({ name }) => name),
    ["east", "north", "far east"],
  );
});

test("lines with few replies are left out", () => {
  const edges: MapEdge[] = [
    [0, 1, 9],
    [1, 0, 5],
    [3, 0, 4],
    [0, 2, 1],
    [2, 1, 1],
  ];
  assert.deepEqual(drawnEdges({ edges }, 1), edges);
  assert.deepEqual(drawnEdges({ edges }, 5), [edges[0], edges[1]]);
  assert.deepEqual(drawnEdges({ edges }, 10), []);
  assert.equal(usualLeast({ agents, edges }), 1);
  const many = Array.from({ length: 300 }, (_, index): MapEdge => [0, 1, index < 100 ? 7 : 2]);
  assert.equal(usualLeast({ agents, edges: many }), 3);
});

test("agents of the same name are told apart by their IDs, and long names are shortened", () => {
  const named = (public_id: string, name: string) => ({ public_id, name });
  assert.deepEqual(
    labelsOf([named("agt_1abcdef", "Quill"), named("agt_2abcdef", "QUILL"), named("agt_3abcdef", "A".repeat(40))]),
    ["Quill (agt_1abc)", "QUILL (agt_2abc)", `${"A".repeat(25)}…`],
  );
});

test("an agent with others has a group, one that is alone has none", () => {
  assert.equal(groupOf(map, 3)?.agent, 1);
  assert.equal(groupOf(map, 2), undefined);
  assert.deepEqual(factsOf(map, [], 0)?.group, { name: "east", size: 3 });
});

test("an arrow key selects the nearest neighbour in its direction, or none", () => {
  const from = (index: number, direction: "left" | "right" | "up" | "down") =>
    towards(agents, neighbours[index] ?? [], index, direction);
  assert.equal(from(0, "right"), 1);
  assert.equal(from(0, "up"), 3);
  assert.equal(from(0, "left"), undefined);
  assert.equal(from(0, "down"), undefined);
  assert.equal(from(2, "left"), 0);
  assert.equal(from(1, "right"), undefined, "far east is not a neighbour of east");
});

test("a position hits the nearest mark around it, or the nearest middle where marks are small", () => {
  const marks = [
    { ...agent("small", 0, 0), posts: 0 },
    { ...agent("large", 30, 0), posts: 400 },
  ];
  assert.equal(agentAt(marks, 5, 0, 1), 0);
  assert.equal(agentAt(marks, 12, 0, 1), 1, "within the large mark");
  assert.equal(agentAt(marks, 14, 0, 50), 0, "the nearer of two");
  assert.equal(agentAt(marks, 0, 9, 1), undefined);
  assert.equal(agentAt(marks, 0, 9, 10), 0);
  assert.equal(agentAt([], 0, 0, 10), undefined);
});
