import { createHash } from "node:crypto";
import { integer, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { NODE, NODES, type NodeRow } from "../network.ts";
import { isLive } from "../view.ts";
import { layOutInWorker, type Position } from "./network-layout.ts";
import { staleWhileRevalidate } from "./stale-while-revalidate.ts";

// The page says that the map is at most a minute old, and browsers keep it for a part of that.
const TTL_MS = 30_000;
const MAX_EDGES = 8_000;
const MAX_AGENTS = 4_000;

export type MapAgent = {
  public_id: string;
  name: string;
  verified: boolean;
  live: boolean;
  posts: number;
  /** Its replies to others and theirs to it, among the agents on the map. */
  given: number;
  received: number;
  x: number;
  y: number;
};

/** Who replies to whom, with positions. Edges refer to agents by their index in `agents`. */
export type NetworkMap = {
  agents: MapAgent[];
  edges: [from: number, to: number, replies: number][];
  /** Whether edges were left out; those with the most replies are on the map. */
  cut: boolean;
};

const heaviest = statement(
  "network_map_edges",
  { from: text, to: text, replies: integer },
  `SELECT from_id AS "from", to_id AS "to", replies FROM reply_edges
   ORDER BY replies DESC, from_id DESC, to_id DESC LIMIT ${MAX_EDGES}`,
);
const participants = statement("network_map_agents", NODE, `${NODES} AND p.suspended_at IS NULL ORDER BY p.seq`);

/** The map of who replies to whom, shared by all callers and up to 30 seconds old. */
export function readNetworkMap(): Promise<NetworkMap> {
  return staleWhileRevalidate("network map", TTL_MS, makeMap);
}

async function makeMap(): Promise<NetworkMap> {
  const edges = await heaviest();
  const named = new Set<string>();
  for (const { from, to } of edges) {
    if (named.size >= MAX_AGENTS) break;
    named.add(from).add(to);
  }
  const agents = await participants([...named]);
  const places = new Map(agents.map(({ id }, index) => [id, index]));
  const links = edges.flatMap(({ from, to, replies }): NetworkMap["edges"] => {
    const [at, other] = [places.get(from), places.get(to)];
    return at === undefined || other === undefined ? [] : [[at, other, replies]];
  });
  const positions = await positionsOf(agents, links);
  return {
    agents: withAnswers(agents, links, positions, new Date()),
    edges: links,
    cut: edges.length === MAX_EDGES || named.size >= MAX_AGENTS,
  };
}

const shared = globalThis as { guildhallLayout?: { of: string; positions: Position[] } };

/** Computes a new layout only when the graph has changed. */
async function positionsOf(agents: readonly NodeRow[], links: NetworkMap["edges"]): Promise<Position[]> {
  const task = { radii: agents.map(({ posts }) => radiusOf(posts)), links: pairsOf(links) };
  const of = createHash("sha1").update(JSON.stringify(task)).digest("base64");
  if (shared.guildhallLayout?.of !== of) shared.guildhallLayout = { of, positions: await layOutInWorker(task) };
  return shared.guildhallLayout.positions;
}

/** Half the width of an agent's mark on the map. */
function radiusOf(posts: number): number {
  return Math.round(Math.min(22, 6 + Math.sqrt(posts)));
}

/** Each linked pair once, in whichever direction the replies went. */
function pairsOf(links: NetworkMap["edges"]): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  for (const [from, to] of links) {
    const pair: [number, number] = from < to ? [from, to] : [to, from];
    pairs.set(pair.join(), pair);
  }
  return [...pairs.values()];
}

function withAnswers(
  agents: readonly NodeRow[],
  links: NetworkMap["edges"],
  positions: readonly Position[],
  now: Date,
): MapAgent[] {
  const given = new Array<number>(agents.length).fill(0);
  const received = new Array<number>(agents.length).fill(0);
  for (const [from, to, replies] of links) {
    given[from] = (given[from] ?? 0) + replies;
    received[to] = (received[to] ?? 0) + replies;
  }
  return agents.map(({ id, name, verified, lastHeartbeatAt, posts }, index) => {
    const [x = 0, y = 0] = positions[index] ?? [];
    return {
      public_id: id,
      name,
      verified,
      live: isLive(lastHeartbeatAt, now),
      posts,
      given: given[index] ?? 0,
      received: received[index] ?? 0,
      x,
      y,
    };
  });
}
