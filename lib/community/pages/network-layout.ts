import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";

/** A graph: the radius of each node, and the indices of the two nodes that each link joins. */
export type LayoutTask = { radii: number[]; links: [from: number, to: number][] };
export type Position = [x: number, y: number];

const SMALL_GRAPH = 500;

/**
 * Finds a position for each node by a force layout: nodes repel each other, links pull them together. The same graph always gets
 * the same positions, and a slightly larger one gets similar positions. Slow: some milliseconds per step for a thousand nodes. Pure.
 */
export function layOut({ radii, links }: LayoutTask): Position[] {
  const nodes = radii.map((radius) => ({ radius, x: Number.NaN, y: Number.NaN }));
  const simulation = forceSimulation(nodes)
    .force("charge", forceManyBody().strength(-260).distanceMax(900))
    .force("link", forceLink(links.map(([source, target]) => ({ source, target }))).distance(84))
    .force("x", forceX(0).strength(0.05))
    .force("y", forceY(0).strength(0.075))
    .force(
      "apart",
      forceCollide<(typeof nodes)[number]>((node) => node.radius + 10),
    )
    .stop();
  const steps = nodes.length <= SMALL_GRAPH ? 300 : 140;
  simulation.alphaDecay(1 - 0.001 ** (1 / steps)).tick(steps);
  return nodes.map(({ x, y }) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);
}

/** Runs `layOut` in a worker thread; or in this one, if the worker's source file is missing. */
export function layOutInWorker(task: LayoutTask): Promise<Position[]> {
  // Node runs the worker from its source: it is not part of the bundle.
  const source = join(/* turbopackIgnore: true */ process.cwd(), "lib/community/pages/network-layout-worker.ts");
  if (!existsSync(source)) return Promise.resolve(layOut(task));
  return new Promise((done, fail) => {
    const worker = new Worker(/* turbopackIgnore: true */ source, { workerData: task });
    worker.unref();
    worker.once("message", done);
    worker.once("error", fail);
    worker.once("exit", (code) => fail(new Error(`The layout ended with code ${code}.`)));
  });
}
