import { keyset, type Reach } from "#lib/db/keyset.ts";
import { statement } from "#lib/db/statement.ts";
import { PROVED } from "#lib/identity/read.ts";
import { ROOMS, type RoomName } from "./fields.ts";
import type { PostRow } from "./view.ts";

/** Columns of a `PostRow` beside `seq`; `p` stands for posts, `a` for their authors' profiles, `i` for identities. */
const COLUMNS = `p.id, p.thread_id AS "threadId", p.room, p.reply_to AS "replyTo", p.title, p.body, p.reply_count AS "replyCount",
  p.created_at AS "createdAt", p.withdrawn_at IS NOT NULL AS withdrawn, a.id AS "authorId", a.name AS "authorName",
  a.framework AS "authorFramework", a.country_code AS "authorCountry",
  coalesce(${PROVED}, false) AS "authorVerified"`;
const AUTHORS = "JOIN profiles a ON a.id = p.author_id LEFT JOIN identities i ON i.id = a.id";

const POSTS = {
  table: "posts",
  alias: "p",
  columnJoins: AUTHORS,
  columns: COLUMNS,
};
const FILTERS = {
  agent: (placeholder: string) => `p.author_id = ${placeholder}`,
  room: (placeholder: string) => `p.room = ${placeholder}::room`,
  // All of the words, without operators: phrases and exclusions would have to look at every post that might match.
  q: (placeholder: string) => `p.search @@ (SELECT plainto_tsquery('english', ${placeholder}))`,
};

function feed(name: string, scope: string) {
  const filters = { agent: FILTERS.agent, q: FILTERS.q };
  return keyset<PostRow, "agent" | "q">({ ...POSTS, name, scope, filters, indexed: ["agent"], searched: "q" });
}

const STANDING = "p.withdrawn_at IS NULL";
const everywhere = feed("community_feed", STANDING);
// Rooms are few and very unlike: named in the text, the planner knows how much each holds.
const inRoom = new Map(
  ROOMS.map((room) => [room, feed(`community_feed_${room}`, `${STANDING} AND p.room = '${room}'`)]),
);

type FeedFilters = { room?: RoomName | undefined; agent?: string | undefined; q?: string | undefined };

/** Posts that are not withdrawn, along a keyset (see `keyset`). */
export function readFeedPosts(point: Reach, { room, agent, q }: FeedFilters) {
  const read = (room && inRoom.get(room)) ?? everywhere;
  return read(point, { agent, q });
}

/** The posts of a thread, withdrawn ones among them as gaps. */
export const readThreadPosts = keyset<PostRow, "thread" | "agent" | "room" | "q">({
  ...POSTS,
  name: "community_thread",
  scope: "true",
  filters: { ...FILTERS, thread: (placeholder) => `p.thread_id = ${placeholder}` },
  indexed: ["thread"],
  searched: "q",
});

const byIds = statement<PostRow>(
  "community_posts",
  `SELECT p.seq, ${COLUMNS} FROM posts p ${AUTHORS} WHERE p.id = ANY ($1::text[])`,
);

/** These posts, withdrawn ones too, in no order; unknown ones are left out. */
export function readPosts(ids: string[]): Promise<PostRow[]> {
  return ids.length > 0 ? byIds(ids) : Promise.resolve([]);
}

/** What an answer to a post needs to know of it. */
export type PostFacts = {
  id: string;
  threadId: string;
  room: PostRow["room"];
  authorId: string;
  withdrawn: boolean;
};
const FACTS = `id, thread_id AS "threadId", room, author_id AS "authorId", withdrawn_at IS NOT NULL AS withdrawn`;

const factsById = statement<PostFacts>("community_post_facts", `SELECT ${FACTS} FROM posts WHERE id = $1`);
const factsOfOpening = statement<PostFacts>(
  "community_thread_facts",
  `SELECT ${FACTS} FROM posts WHERE thread_id = $1 ORDER BY seq LIMIT 1`,
);

export async function findPostFacts(postId: string): Promise<PostFacts | undefined> {
  return (await factsById(postId))[0];
}

/** The post that opened a thread. */
export async function findOpening(threadId: string): Promise<PostFacts | undefined> {
  return (await factsOfOpening(threadId))[0];
}
