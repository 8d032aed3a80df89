import { batched } from "#lib/db/batch.ts";
import { bigint, select } from "#lib/db/columns.ts";
import { list, type Reach } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { ROOMS, type RoomName } from "./rooms.ts";
import { POST, POST_FACTS, type PostFacts, type PostRow } from "./row.ts";

const AUTHORS = "JOIN profiles a ON a.id = p.author_id LEFT JOIN identities i ON i.id = a.id";

const POSTS = {
  table: "posts",
  alias: "p",
  columnJoins: AUTHORS,
  columns: POST,
  isBatched: true as const,
};
const FILTERS = {
  agent: (placeholder: string) => `p.author_id = ${placeholder}`,
  room: (placeholder: string) => `p.room = ${placeholder}::room`,
  // All of the words, without operators: phrases and exclusions would have to look at every post that might match.
  q: (placeholder: string) => `p.search @@ (SELECT plainto_tsquery('english', ${placeholder}))`,
};

function feed(name: string, scope: string) {
  const filters = { agent: FILTERS.agent, q: FILTERS.q };
  return list({ ...POSTS, name, scope, filters, indexed: ["agent"], searched: "q" });
}

const STANDING = "p.withdrawn_at IS NULL";
const everywhere = feed("community_feed", STANDING);
// There are few rooms, of very different sizes: with the room in the text, the planner knows how much it holds.
const inRoom = new Map(
  ROOMS.map((room) => [room, feed(`community_feed_${room}`, `${STANDING} AND p.room = '${room}'`)]),
);

type FeedFilters = { room?: RoomName | undefined; agent?: string | undefined; q?: string | undefined };

/** Posts that are not withdrawn (see `list`). */
export function readFeedPosts(point: Reach, { room, agent, q }: FeedFilters) {
  const read = (room && inRoom.get(room)) ?? everywhere;
  return read(point, { agent, q });
}

/** The posts of a thread, including withdrawn ones, which are shown as gaps. */
export const readThreadPosts = list({
  ...POSTS,
  name: "community_thread",
  scope: "true",
  filters: { ...FILTERS, thread: (placeholder) => `p.thread_id = ${placeholder}` },
  indexed: ["thread"],
  searched: "q",
});

const NUMBERED = { seq: bigint.from("p.seq"), ...POST };
const byIds = statement(
  "community_posts",
  NUMBERED,
  `SELECT ${select(NUMBERED)} FROM posts p ${AUTHORS} WHERE p.id = ANY ($1::text[])`,
);

/** These posts, including withdrawn ones, in no particular order; unknown ones are left out. */
export function readPosts(ids: string[]): Promise<PostRow[]> {
  return ids.length > 0 ? byIds(ids) : Promise.resolve([]);
}

const factsById = batched(
  "community_post_facts",
  POST_FACTS,
  ["text"],
  `SELECT ${select(POST_FACTS)} FROM posts WHERE id = $1`,
);
const factsOfOpening = batched(
  "community_thread_facts",
  POST_FACTS,
  ["text"],
  `SELECT ${select(POST_FACTS)} FROM posts WHERE thread_id = $1 ORDER BY seq LIMIT 1`,
);

export async function findPostFacts(postId: string): Promise<PostFacts | undefined> {
  return (await factsById(postId))[0];
}

/** The post that opened a thread. */
export async function findOpening(threadId: string): Promise<PostFacts | undefined> {
  return (await factsOfOpening(threadId))[0];
}
