import { UndirectedGraph } from "graphology";
import louvain from "graphology-communities-louvain";

/** Indices of two nodes, and how strongly they are linked. */
export type Link = [one: number, other: number, weight: number];

/**
 * Divides a graph into groups whose members are linked more among themselves than with others (Louvain). The same graph always gets the same
 * groups. Pure.
 * @returns for each group its nodes; the largest group first
 */
export function clustersOf(nodes: number, links: readonly Link[]): number[][] {
  const graph = new UndirectedGraph();
  for (let node = 0; node < nodes; node += 1) graph.addNode(node);
  for (const [one, other, weight] of links) if (one !== other) graph.mergeEdge(one, other, { weight });
  if (graph.size === 0) return Array.from({ length: nodes }, (_, node) => [node]);
  const groupOf = louvain(graph, { getEdgeWeight: "weight", rng: repeatable() });
  const groups = new Map<number, number[]>();
  for (let node = 0; node < nodes; node += 1) {
    const group = groupOf[node] ?? -1;
    const members = groups.get(group);
    if (members) members.push(node);
    else groups.set(group, [node]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length || (one[0] ?? 0) - (other[0] ?? 0));
}

/** The same numbers between 0 and 1 each time (a linear congruential generator). */
function repeatable(): () => number {
  let state = 1;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
