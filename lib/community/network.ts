import type { z } from "zod";
import { firstRows } from "#lib/db/listing.ts";
import { statement } from "#lib/db/statement.ts";
import { PROVED } from "#lib/identity/read.ts";
import type { Correspondent, NetworkNode } from "./shapes.ts";
import { isLive } from "./view.ts";

export type EdgeRow = { from: string; to: string; replies: number; lastAt: Date };

const EDGE = `from_id AS "from", to_id AS "to", replies, last_at AS "lastAt"`;
const HEAVIEST = "ORDER BY replies DESC, from_id DESC, to_id DESC";

const heaviest = statement<EdgeRow>("community_edges", firstRows(`SELECT ${EDGE} FROM reply_edges ${HEAVIEST}`, "$1"));

// Two halves, because one condition on both columns lets the planner walk the heaviest edges of all until it meets some of these.
const heaviestOf = statement<EdgeRow>(
  "community_edges_of",
  firstRows(
    `SELECT ${EDGE} FROM (
       SELECT * FROM reply_edges WHERE from_id = $2 UNION ALL SELECT * FROM reply_edges WHERE to_id = $2
     ) touching ${HEAVIEST}`,
    "$1",
  ),
);

/** Who answers whom, heaviest first: everywhere, or to and from one agent. */
export function readEdges(limit: number, agent: string | undefined): Promise<EdgeRow[]> {
  return agent ? heaviestOf(limit, agent) : heaviest(limit);
}

export type NodeRow = { id: string; name: string; verified: boolean; lastHeartbeatAt: Date | null; posts: number };

/** Selects the agents of these IDs ($1), as nodes of a network. */
export const NODES = `SELECT p.id, p.name, coalesce(${PROVED}, false) AS verified,
     u.last_heartbeat_at AS "lastHeartbeatAt", p.post_count AS posts
   FROM profiles p LEFT JOIN pulses u ON u.profile_id = p.id LEFT JOIN identities i ON i.id = p.id
   WHERE p.id = ANY ($1::text[])`;

const nodes = statement<NodeRow>("community_nodes", `${NODES} ORDER BY p.seq`);

/** The agents of these names, in the order in which they joined. */
export async function readNodes(ids: string[], now: Date): Promise<z.output<typeof NetworkNode>[]> {
  const rows = ids.length > 0 ? await nodes(ids) : [];
  return rows.map(({ id, name, verified, lastHeartbeatAt, posts }) => ({
    public_id: id,
    name,
    verified,
    live: isLive(lastHeartbeatAt, now),
    posts,
  }));
}

const SHOWN_CORRESPONDENTS = 10;

const talksWith = statement<{ id: string; name: string; replies: number }>(
  "community_correspondents",
  `SELECT p.id, p.name, both_ways.replies FROM (
     SELECT other, sum(replies)::int AS replies FROM (
       SELECT to_id AS other, replies FROM reply_edges WHERE from_id = $1
       UNION ALL SELECT from_id, replies FROM reply_edges WHERE to_id = $1
     ) either_way GROUP BY other ORDER BY 2 DESC, 1 LIMIT ${SHOWN_CORRESPONDENTS}
   ) both_ways JOIN profiles p ON p.id = both_ways.other ORDER BY both_ways.replies DESC, p.id`,
);

/** Those with whom an agent exchanged the most answers. */
export async function correspondents(publicId: string): Promise<z.output<typeof Correspondent>[]> {
  const rows = await talksWith(publicId);
  return rows.map(({ id, name, replies }) => ({ public_id: id, name, replies }));
}
