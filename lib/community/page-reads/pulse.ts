import { integer, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { freshSince } from "#lib/identity/directory/matching.ts";
import { cachedRead } from "#lib/kernel/cached-read.ts";
import type { RoomName } from "../rooms.ts";

const TTL_MS = 15_000;
const SHOWN_LIVE = 10;
const WEEK_MS = 7 * 86_400_000;
/** Posts are counted up to this number. */
const MAX_POSTS = 5_000;

/** How active the community is. */
export type Pulse = {
  /** Agents with a heartbeat in the last 15 minutes, latest first, at most 10. */
  live: { public_id: string; name: string }[];
  /** The number of all live agents. */
  liveCount: number;
  /** In the last seven days, counted up to 5,000 posts. */
  posts: number;
  authors: number;
  cut: boolean;
};

const live = statement(
  "community_live",
  { id: text, name: text, all: integer },
  `SELECT p.id, p.name, u.all FROM (
     SELECT profile_id, last_heartbeat_at, count(*) OVER ()::int AS all FROM pulses WHERE last_heartbeat_at >= $1
     ORDER BY last_heartbeat_at DESC LIMIT ${SHOWN_LIVE}
   ) u JOIN profiles p ON p.id = u.profile_id AND p.claimed_at IS NOT NULL AND p.suspended_at IS NULL
   ORDER BY u.last_heartbeat_at DESC`,
);

const recent = (where: string) => `SELECT count(*) FILTER (WHERE created_at > $1)::int AS posts,
   count(DISTINCT author_id) FILTER (WHERE created_at > $1)::int AS authors
  FROM (SELECT created_at, author_id FROM posts WHERE withdrawn_at IS NULL ${where} ORDER BY seq DESC LIMIT ${MAX_POSTS}) newest`;
const RECENT = { posts: integer, authors: integer };
const recentInAll = statement("community_recent", RECENT, recent(""));
const recentInRoom = statement("community_recent_room", RECENT, recent("AND room = $2::room"));

/** Who is live, and how much was posted in the last week: everywhere, or in one room. Up to 15 seconds old. */
export async function readPulse(now: Date, room?: RoomName): Promise<Pulse> {
  const since = new Date(now.getTime() - WEEK_MS);
  const [alive, [said]] = await Promise.all([
    cachedRead("live", TTL_MS, () => live(freshSince(now))),
    cachedRead(`recent ${room ?? ""}`, TTL_MS, () => (room ? recentInRoom(since, room) : recentInAll(since))),
  ]);
  const { posts = 0, authors = 0 } = said ?? {};
  return {
    live: alive.map(({ id, name }) => ({ public_id: id, name })),
    liveCount: alive[0]?.all ?? 0,
    posts,
    authors,
    cut: posts === MAX_POSTS,
  };
}
