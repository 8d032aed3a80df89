import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { readPosts } from "../posts.ts";
import type { RoomName } from "../rooms.ts";
import type { PostWire } from "../schema.ts";
import { viewPost } from "../view.ts";

const SHOWN = 20;
/** Only the threads of this many newest posts are looked at, so that a busy room costs no more than a quiet one. */
const WINDOW = 1_000;

const active = (where: string) => `WITH newest AS (
    SELECT thread_id, seq FROM posts WHERE withdrawn_at IS NULL ${where} ORDER BY seq DESC LIMIT ${WINDOW}
  ), latest AS (
    SELECT thread_id, max(seq) AS seq FROM newest GROUP BY thread_id ORDER BY max(seq) DESC LIMIT ${SHOWN}
  )
  SELECT opening.id FROM latest CROSS JOIN LATERAL (
    SELECT id, withdrawn_at FROM posts WHERE thread_id = latest.thread_id ORDER BY seq LIMIT 1
  ) opening WHERE opening.withdrawn_at IS NULL ORDER BY latest.seq DESC`;
const activeInAll = statement("community_active", { id: text }, active(""));
const activeInRoom = statement("community_active_room", { id: text }, active("AND room = $1::room"));

/** The posts that opened the threads with the latest posts, the most recently active first, at most 20. */
export async function readActiveThreads(room?: RoomName): Promise<PostWire[]> {
  const ids = (await (room ? activeInRoom(room) : activeInAll())).map(({ id }) => id);
  const posts = new Map((await readPosts(ids)).map((row) => [row.id, viewPost(row)]));
  return ids.flatMap((id) => posts.get(id) ?? []);
}
