import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";

/** A graph by numbers: how large each node is drawn, and which two each link joins. */
export type LayoutTask = { radii: number[]; links: [from: number, to: number][] };
export type Position = [x: number, y: number];

const SMALL = 500;

/**
 * Finds a place for each node, by forces: all push each other away, links pull together. The same graph always gets the same
 * places, and one that grew a little gets nearly the same. Costly: some milliseconds a step for a thousand nodes. Pure.
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
  const steps = nodes.length <= SMALL ? 300 : 140;
  simulation.alphaDecay(1 - 0.001 ** (1 / steps)).tick(steps);
  return nodes.map(({ x, y }) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);
}
