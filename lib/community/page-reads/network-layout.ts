import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import { clustersOf, type Link } from "./clusters.ts";

/** A graph: the radius of each node, and its links. */
export type LayoutTask = { radii: number[]; links: Link[] };
/** Where a node is, and the index of its group. */
type Position = { x: number; y: number; group: number };
/** A circle around the members of a group. */
type Area = { x: number; y: number; radius: number };
export type Layout = { places: Position[]; areas: Area[] };

/** Room between marks, around the members of a group, and between groups. */
const GAP = { marks: 7, border: 14, groups: 40 };
const SMALL_GRAPH = 500;

type Node = { radius: number; x: number; y: number };

/**
 * Finds a position for each node: those of a group together, and groups beside those with which they have most links. The same graph always
 * gets the same positions. Slow: about a second for thousands of nodes. Pure.
 */
export function layOut({ radii, links }: LayoutTask): Layout {
  const groups = clustersOf(radii.length, links);
  const groupOf = new Array<number>(radii.length).fill(0);
  for (const [group, members] of groups.entries()) for (const member of members) groupOf[member] = group;
  const inside = groups.map((): Link[] => []);
  const between = new Map<string, Link>();
  for (const [one, other, weight] of links) {
    const [at = 0, beside = 0] = [groupOf[one], groupOf[other]];
    if (at === beside) inside[at]?.push([one, other, weight]);
    else {
      const ends = at < beside ? ([at, beside] as const) : ([beside, at] as const);
      const known = between.get(ends.join()) ?? [...ends, 0];
      known[2] += weight;
      between.set(ends.join(), known);
    }
  }
  const placed = groups.map((members, group) => placeMembers(members, radii, inside[group] ?? []));
  const areas = placeGroups(
    placed.map(({ radius }) => radius),
    [...between.values()],
  );
  const places = new Array<Position>(radii.length);
  for (const [group, members] of groups.entries()) {
    const { x = 0, y = 0 } = areas[group] ?? {};
    for (const [index, member] of members.entries()) {
      const at = placed[group]?.nodes[index] ?? { x: 0, y: 0 };
      places[member] = { x: tenth(x + at.x), y: tenth(y + at.y), group };
    }
  }
  return { places, areas };
}

const tenth = (number: number) => Math.round(number * 10) / 10;

const stepsFor = (nodes: number) => (nodes <= SMALL_GRAPH ? 300 : 120);

/** The members of a group around its middle. */
function placeMembers(members: readonly number[], radii: readonly number[], links: readonly Link[]) {
  const at = new Map(members.map((member, index) => [member, index]));
  const nodes = members.map((member): Node => ({ radius: radii[member] ?? 0, x: Number.NaN, y: Number.NaN }));
  const heaviest = Math.max(1, ...links.map(([, , weight]) => weight));
  const joined = links.map(([one, other, weight]) => ({
    source: at.get(one) ?? 0,
    target: at.get(other) ?? 0,
    weight,
  }));
  const steps = stepsFor(radii.length);
  forceSimulation(nodes)
    .force("charge", forceManyBody().strength(-50).distanceMax(300))
    .force(
      "link",
      forceLink<Node, (typeof joined)[number]>(joined).distance(({ weight }) => 52 - 20 * Math.sqrt(weight / heaviest)),
    )
    .force("x", forceX(0).strength(0.1))
    .force("y", forceY(0).strength(0.1))
    .force(
      "apart",
      forceCollide<Node>(({ radius }) => radius + GAP.marks),
    )
    .stop()
    .alphaDecay(1 - 0.001 ** (1 / steps))
    .tick(steps);
  const middle = { x: 0, y: 0 };
  for (const { x, y } of nodes) {
    middle.x += x / nodes.length;
    middle.y += y / nodes.length;
  }
  const centred = nodes.map(({ x, y, radius }) => ({ x: x - middle.x, y: y - middle.y, radius }));
  const radius = Math.max(...centred.map((node) => Math.hypot(node.x, node.y) + node.radius)) + GAP.border;
  return { nodes: centred, radius };
}

/** The groups as circles that do not overlap, near those with which they have links. */
function placeGroups(radii: readonly number[], links: readonly Link[]): Area[] {
  const nodes = radii.map((radius): Node => ({ radius, x: Number.NaN, y: Number.NaN }));
  const heaviest = Math.max(1, ...links.map(([, , weight]) => weight));
  const joined = links.map(([source, target, weight]) => ({ source, target, weight }));
  const reach = (at: number) => (radii[at] ?? 0) + GAP.groups / 2;
  const steps = stepsFor(nodes.length);
  const distances = joined.map(({ source, target }) => reach(source) + reach(target));
  forceSimulation(nodes)
    .force(
      "link",
      forceLink<Node, (typeof joined)[number]>(joined)
        .distance((_link, index) => distances[index] ?? 0)
        .strength(({ weight }) => 0.3 * Math.sqrt(weight / heaviest)),
    )
    // A page is wider than it is high.
    .force("x", forceX(0).strength(0.05))
    .force("y", forceY(0).strength(0.09))
    .force(
      "apart",
      forceCollide<Node>(({ radius }) => radius + GAP.groups / 2)
        .strength(1)
        .iterations(2),
    )
    .stop()
    .alphaDecay(1 - 0.001 ** (1 / steps))
    .tick(steps);
  return nodes.map(({ x, y, radius }) => ({ x: tenth(x), y: tenth(y), radius: tenth(radius) }));
}

/** Runs `layOut` in a worker thread; or in this one, if the worker's source file is missing. */
export function layOutInWorker(task: LayoutTask): Promise<Layout> {
  // Node runs the worker from its source: it is not part of the bundle.
  const source = join(/* turbopackIgnore: true */ process.cwd(), "lib/community/page-reads/network-layout-worker.ts");
  if (!existsSync(source)) return Promise.resolve(layOut(task));
  return new Promise((done, fail) => {
    const worker = new Worker(/* turbopackIgnore: true */ source, { workerData: task });
    worker.unref();
    worker.once("message", done);
    worker.once("error", fail);
    worker.once("exit", (code) => fail(new Error(`The layout ended with code ${code}.`)));
  });
}
