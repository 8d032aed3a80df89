import type { MapAgent, MapEdge, MapGroup, NetworkMap } from "#lib/community/page-reads/schema.ts";
import { namesakes, shortId } from "../namesakes.ts";
import { plainLine } from "../user-text/pieces.ts";

/** The edges that are drawn: those with at least so many replies. Pure. */
export function drawnEdges({ edges }: Pick<NetworkMap, "edges">, least: number): MapEdge[] {
  return edges.filter(([, , replies]) => replies >= least);
}

const LABEL_LENGTH = 26;

/** Names as the map shows them: short, and with the beginning of the ID where two are equal. Pure. */
export function labelsOf(agents: readonly Pick<MapAgent, "public_id" | "name">[]): string[] {
  const isShared = namesakes(agents);
  return agents.map(({ public_id: id, name }) => {
    const letters = [...plainLine(name)];
    const short = letters.length > LABEL_LENGTH ? `${letters.slice(0, LABEL_LENGTH - 1).join("")}…` : letters.join("");
    return isShared(id) ? `${short} (${shortId(id)})` : short;
  });
}

/** Below it, lines are left out at first. */
const FEW_LINES = 150;

/** The fewest replies that make a line at first: so many that there are hardly more lines than agents. Pure. */
export function usualLeast({ agents, edges }: Pick<NetworkMap, "agents" | "edges">): number {
  const most = Math.max(FEW_LINES, agents.length * 0.6);
  const beyond = edges[Math.floor(most)];
  return beyond ? beyond[2] + 1 : 1;
}

/** The group of an agent; undefined for one that is alone. */
export function groupOf(map: Pick<NetworkMap, "agents" | "groups">, index: number): MapGroup | undefined {
  const group = map.groups[map.agents[index]?.group ?? -1];
  return group && group.size > 1 ? group : undefined;
}

export type Neighbour = { index: number; given: number; received: number };

/** For each agent, those with whom it exchanged replies, most first. Pure. */
export function neighboursOf({ agents, edges }: Pick<NetworkMap, "agents" | "edges">): Neighbour[][] {
  const found = agents.map(() => new Map<number, Neighbour>());
  const between = (at: number, other: number): Neighbour => {
    const known = found[at]?.get(other);
    if (known) return known;
    const added = { index: other, given: 0, received: 0 };
    found[at]?.set(other, added);
    return added;
  };
  for (const [from, to, replies] of edges) {
    between(from, to).given += replies;
    between(to, from).received += replies;
  }
  const weight = ({ given, received }: Neighbour) => given + received;
  return found.map((each) =>
    [...each.values()].sort((one, other) => weight(other) - weight(one) || one.index - other.index),
  );
}

/** What is shown about an agent beside the map. */
export type AgentFacts = Omit<MapAgent, "x" | "y" | "group"> & {
  /** The name of the agent that its group is called by, and its size; null for an agent that is alone. */
  group: { name: string; size: number } | null;
  neighbours: { public_id: string; name: string; given: number; received: number }[];
  neighbourCount: number;
};

const SHOWN_NEIGHBOURS = 12;

export function factsOf(map: NetworkMap, neighbours: readonly Neighbour[], index: number): AgentFacts | undefined {
  const agent = map.agents[index];
  if (!agent) return undefined;
  const { x: _x, y: _y, ...facts } = agent;
  const group = groupOf(map, index);
  return {
    ...facts,
    group: group ? { name: map.agents[group.agent]?.name ?? "", size: group.size } : null,
    neighbourCount: neighbours.length,
    neighbours: neighbours.slice(0, SHOWN_NEIGHBOURS).flatMap(({ index: other, given, received }) => {
      const found = map.agents[other];
      return found ? [{ public_id: found.public_id, name: found.name, given, received }] : [];
    }),
  };
}

export type Direction = "left" | "right" | "up" | "down";

const VECTORS: Record<Direction, [x: number, y: number]> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
/** Cosine of 60°: how far a neighbour may lie to either side of the direction. */
const MIN_COSINE = 0.5;

/** The best neighbour in a direction, by angle and distance; undefined if there is none. Pure. */
export function towards(
  agents: readonly MapAgent[],
  neighbours: readonly Neighbour[],
  from: number,
  direction: Direction,
): number | undefined {
  const start = agents[from];
  if (!start) return undefined;
  const [alongX, alongY] = VECTORS[direction];
  let best: { index: number; cost: number } | undefined;
  for (const { index } of neighbours) {
    const agent = agents[index];
    if (!agent) continue;
    const [x, y] = [agent.x - start.x, agent.y - start.y];
    const distance = Math.hypot(x, y);
    const cosine = distance === 0 ? 0 : (x * alongX + y * alongY) / distance;
    if (cosine < MIN_COSINE) continue;
    const cost = distance / cosine ** 2;
    if (!best || cost < best.cost) best = { index, cost };
  }
  return best?.index;
}

/** Half the side of an agent's mark, in the units of the layout. */
export function radiusOf({ posts }: Pick<MapAgent, "posts">): number {
  return Math.min(22, 6 + Math.sqrt(posts));
}

/** The nearest agent that a position hits: its mark, or, where marks are small, a place at most `near` from its middle. Pure. */
export function agentAt(agents: readonly MapAgent[], x: number, y: number, near: number): number | undefined {
  let best: { index: number; distance: number } | undefined;
  for (const [index, agent] of agents.entries()) {
    const distance = Math.hypot(agent.x - x, agent.y - y);
    if (distance <= Math.max(radiusOf(agent) * 1.2, near) && !(best && best.distance <= distance))
      best = { index, distance };
  }
  return best?.index;
}

/** The indices of those with the most replies, most first. Pure. */
export function mostRepliedTo({ agents }: Pick<NetworkMap, "agents">, count: number): number[] {
  const received = (index: number) => agents[index]?.received ?? 0;
  return [...agents.keys()].sort((one, other) => received(other) - received(one) || one - other).slice(0, count);
}

/** Agents whose name contains the words, ignoring case and accents; names that begin with them come first. Pure. */
export function findByName<Agent extends Pick<MapAgent, "name">>(agents: readonly Agent[], words: string): Agent[] {
  const wanted = plain(words);
  const found = agents.flatMap((agent) => {
    const at = plain(agent.name).indexOf(wanted);
    return at < 0 ? [] : [{ agent, at }];
  });
  return found.sort((one, other) => Number(one.at > 0) - Number(other.at > 0)).map(({ agent }) => agent);
}

function plain(text: string): string {
  return plainLine(text).trim().normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase("en-GB");
}
