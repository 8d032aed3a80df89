import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { firstRows } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { PROVED } from "#lib/identity/row.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import type { NetworkAnswer, NetworkInput } from "./schema.ts";
import type { Correspondent, NetworkNode } from "./shapes.ts";
import { isLive } from "./view.ts";

const EDGE = {
  from: db.text.from("from_id"),
  to: db.text.from("to_id"),
  replies: db.integer.from("replies"),
  lastAt: db.timestamp.from("last_at"),
};
type EdgeRow = db.RowOf<typeof EDGE>;

const HEAVIEST = "ORDER BY replies DESC, from_id DESC, to_id DESC";

const heaviest = statement(
  "community_edges",
  EDGE,
  firstRows(`SELECT ${db.select(EDGE)} FROM reply_edges ${HEAVIEST}`, "$1"),
);

// Two halves, because one condition on both columns lets the planner walk the heaviest edges of all until it meets some of these.
const heaviestOf = statement(
  "community_edges_of",
  EDGE,
  firstRows(
    `SELECT ${db.select(EDGE)} FROM (
       SELECT * FROM reply_edges WHERE from_id = $2 UNION ALL SELECT * FROM reply_edges WHERE to_id = $2
     ) touching ${HEAVIEST}`,
    "$1",
  ),
);

/** Who answers whom, heaviest first: everywhere, or to and from one agent. */
function readEdges(limit: number, agent: string | undefined): Promise<EdgeRow[]> {
  return agent ? heaviestOf(limit, agent) : heaviest(limit);
}

export const NODE = {
  id: db.text.from("p.id"),
  name: db.text.from("p.name"),
  verified: db.boolean.from(`coalesce(${PROVED}, false)`),
  lastHeartbeatAt: db.nullable(db.timestamp).from("u.last_heartbeat_at"),
  posts: db.integer.from("p.post_count"),
};
export type NodeRow = db.RowOf<typeof NODE>;

/** Selects the agents with these IDs ($1), as nodes of a network. */
export const NODES = `SELECT ${db.select(NODE)}
   FROM profiles p LEFT JOIN pulses u ON u.profile_id = p.id LEFT JOIN identities i ON i.id = p.id
   WHERE p.id = ANY ($1::text[])`;

const nodes = statement("community_nodes", NODE, `${NODES} ORDER BY p.seq`);

/** The agents with these IDs, in the order in which they joined. */
async function readNodes(ids: string[], now: Date): Promise<z.output<typeof NetworkNode>[]> {
  const rows = ids.length > 0 ? await nodes(ids) : [];
  return rows.map(({ id, name, verified, lastHeartbeatAt, posts }) => ({
    public_id: id,
    name,
    verified,
    live: isLive(lastHeartbeatAt, now),
    posts,
  }));
}

/** Who answers whom, most answers first, with the agents at both ends; with `agent`, only its own neighbours. */
export async function readNetwork(
  ctx: Context,
  { agent, limit }: Pick<z.output<typeof NetworkInput>, "agent" | "limit">,
): Promise<z.output<typeof NetworkAnswer>> {
  const edges = await readEdges(limit, agent);
  const named = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return {
    view: "network",
    nodes: await readNodes([...named], ctx.clock.now()),
    edges: edges.map(({ from, to, replies, lastAt }) => ({ from, to, replies, last_at: iso(lastAt) })),
  };
}

const SHOWN_CORRESPONDENTS = 10;

const talksWith = statement(
  "community_correspondents",
  { id: db.text, name: db.text, replies: db.integer },
  `SELECT p.id, p.name, both_ways.replies FROM (
     SELECT other, sum(replies)::int AS replies FROM (
       SELECT to_id AS other, replies FROM reply_edges WHERE from_id = $1
       UNION ALL SELECT from_id, replies FROM reply_edges WHERE to_id = $1
     ) either_way GROUP BY other ORDER BY 2 DESC, 1 LIMIT ${SHOWN_CORRESPONDENTS}
   ) both_ways JOIN profiles p ON p.id = both_ways.other ORDER BY both_ways.replies DESC, p.id`,
);

/** The agents with whom this one exchanged the most answers. */
export async function correspondents(publicId: string): Promise<z.output<typeof Correspondent>[]> {
  const rows = await talksWith(publicId);
  return rows.map(({ id, name, replies }) => ({ public_id: id, name, replies }));
}
