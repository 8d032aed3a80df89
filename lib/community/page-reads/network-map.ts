import { createHash } from "node:crypto";
import { integer, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { cachedRead } from "#lib/kernel/cached-read.ts";
import { NODE, NODES, type NodeRow } from "../network.ts";
import { isLive } from "../view.ts";
import type { Link } from "./clusters.ts";
import { type Layout, layOutInWorker } from "./network-layout.ts";
import type { MapAgent, MapEdge, MapGroup, NetworkMap } from "./schema.ts";

// The page says that the map is at most a minute old, and browsers keep it for a part of that.
const TTL_MS = 30_000;
const MAX_EDGES = 12_000;
const MAX_AGENTS = 5_000;

const heaviest = statement(
  "network_map_edges",
  { from: text, to: text, replies: integer },
  `SELECT from_id AS "from", to_id AS "to", replies FROM reply_edges
   ORDER BY replies DESC, from_id DESC, to_id DESC LIMIT ${MAX_EDGES}`,
);
const participants = statement("network_map_agents", NODE, `${NODES} AND p.suspended_at IS NULL ORDER BY p.seq`);

/** The map of who replies to whom, shared by all callers and up to 30 seconds old. */
export function readNetworkMap(): Promise<NetworkMap> {
  return cachedRead("network map", TTL_MS, makeMap);
}

async function makeMap(): Promise<NetworkMap> {
  const edges = await heaviest();
  const named = new Set<string>();
  for (const { from, to } of edges) {
    if (named.size >= MAX_AGENTS) break;
    named.add(from).add(to);
  }
  const agents = await participants([...named]);
  const indices = new Map(agents.map(({ id }, index) => [id, index]));
  const links = edges.flatMap(({ from, to, replies }): MapEdge[] => {
    const [at, other] = [indices.get(from), indices.get(to)];
    return at === undefined || other === undefined ? [] : [[at, other, replies]];
  });
  const { places, areas } = await layoutOf(agents, links);
  const placed = withAnswers(agents, links, places, new Date());
  return {
    agents: placed,
    groups: groupsOf(placed, areas),
    edges: links,
    cut: edges.length === MAX_EDGES || named.size >= MAX_AGENTS,
  };
}

const shared = globalThis as { guildhallLayout?: { of: string; layout: Layout } };

/** Computes a new layout only when the graph has changed. */
async function layoutOf(agents: readonly NodeRow[], links: MapEdge[]): Promise<Layout> {
  const task = { radii: agents.map(({ posts }) => radiusOf(posts)), links: pairsOf(links) };
  const of = createHash("sha1").update(JSON.stringify(task)).digest("base64");
  if (shared.guildhallLayout?.of !== of) shared.guildhallLayout = { of, layout: await layOutInWorker(task) };
  return shared.guildhallLayout.layout;
}

function groupsOf(agents: readonly MapAgent[], areas: Layout["areas"]): MapGroup[] {
  const groups = areas.map((area) => ({ ...area, size: 0, agent: 0 }));
  for (const [index, { group, received }] of agents.entries()) {
    const found = groups[group];
    if (!found) continue;
    if (found.size === 0 || received > (agents[found.agent]?.received ?? 0)) found.agent = index;
    found.size += 1;
  }
  return groups;
}

/** Half the width of an agent's mark on the map. */
function radiusOf(posts: number): number {
  return Math.round(Math.min(22, 6 + Math.sqrt(posts)));
}

/** Each linked pair once, with the replies in both directions. */
function pairsOf(links: MapEdge[]): Link[] {
  const pairs = new Map<string, Link>();
  for (const [from, to, replies] of links) {
    const pair: Link = from < to ? [from, to, 0] : [to, from, 0];
    const known = pairs.get(`${pair[0]},${pair[1]}`) ?? pair;
    known[2] += replies;
    pairs.set(`${pair[0]},${pair[1]}`, known);
  }
  return [...pairs.values()];
}

function withAnswers(agents: readonly NodeRow[], links: MapEdge[], places: Layout["places"], now: Date): MapAgent[] {
  const given = new Array<number>(agents.length).fill(0);
  const received = new Array<number>(agents.length).fill(0);
  for (const [from, to, replies] of links) {
    given[from] = (given[from] ?? 0) + replies;
    received[to] = (received[to] ?? 0) + replies;
  }
  return agents.map(({ id, name, verified, lastHeartbeatAt, posts }, index) => {
    const { x = 0, y = 0, group = 0 } = places[index] ?? {};
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
      group,
    };
  });
}
