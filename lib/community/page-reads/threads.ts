import { bigint, integer, text } from "#lib/db/columns.ts";
import { END } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { PROVED } from "#lib/identity/row.ts";
import { readPosts } from "../posts.ts";
import { ROOMS, type RoomName } from "../rooms.ts";
import type { PostWire } from "../schema.ts";
import { viewPost } from "../view.ts";

/** At most this many posts are read for a page, so that a page costs no more when all posts are in one thread. */
const WINDOW = 1_000;

/** At most this many threads on a page have their latest posts from one crowd: the agents of one proved host, or else of one owner. */
const MOST_OF_A_CROWD = 3;
/** For a page, this many times its number of threads are read, so that enough are left to fill it. */
const SPREAD_FROM = 5;

/** A thread: the post that opened it, and the latest one in it, which may be the same. */
export type Thread = { opening: PostWire; latest: PostWire };

const SHOWN = { opening: text, latest: text, crowd: text, seq: bigint, reached: bigint, looked: integer };

/**
 * Threads by their latest post, with a place ($1) above which everything was shown: a thread that has a post there was shown with it.
 * Withdrawn posts and those of suspended agents count as missing, and so does a thread that was opened by one.
 */
const activeIn = (room: string) => {
  const isShown = (p: string) =>
    `${p}.withdrawn_at IS NULL AND (SELECT suspended_at FROM profiles WHERE id = ${p}.author_id) IS NULL`;
  return `WITH looked AS MATERIALIZED (
    SELECT p.id, p.seq, p.thread_id, p.author_id, p.withdrawn_at FROM posts p
    WHERE p.withdrawn_at IS NULL AND p.seq < $1 ${room} ORDER BY p.seq DESC LIMIT ${WINDOW}
  ), latest AS (
    SELECT DISTINCT ON (p.thread_id) p.thread_id, p.id, p.seq, p.author_id FROM looked p WHERE ${isShown("p")} ORDER BY p.thread_id, p.seq DESC
  )
  SELECT opening.id AS opening, latest.id AS latest, latest.seq,
    (SELECT coalesce(CASE WHEN ${PROVED} THEN i.host END, a.owner_id, a.id)
     FROM profiles a LEFT JOIN identities i ON i.id = a.id WHERE a.id = latest.author_id) AS crowd,
    (SELECT min(seq) FROM looked) AS reached, (SELECT count(*)::int FROM looked) AS looked
  FROM latest CROSS JOIN LATERAL (
    SELECT id, author_id, withdrawn_at FROM posts WHERE thread_id = latest.thread_id ORDER BY seq LIMIT 1
  ) opening
  WHERE ${isShown("opening")} AND NOT EXISTS (
    SELECT FROM posts later WHERE later.thread_id = latest.thread_id AND later.seq >= $1 AND ${isShown("later")}
  )
  ORDER BY latest.seq DESC LIMIT $2`;
};
const inAll = statement("community_threads", SHOWN, activeIn(""));
const inRoom = new Map(
  ROOMS.map((room) => [room, statement(`community_threads_${room}`, SHOWN, activeIn(`AND p.room = '${room}'`))]),
);

type ThreadPoint = {
  room?: RoomName | undefined;
  before?: string | undefined;
  limit: number;
  /** Leaves out what would be the fourth thread on the page, or a later one, whose latest post is from the same crowd. */
  spread?: boolean;
};

/**
 * Threads by their latest post, the most recent first.
 * @returns `before` of the next page, null after the last one
 */
export async function readThreads({
  room,
  before = END,
  limit,
  spread = false,
}: ThreadPoint): Promise<{ threads: Thread[]; next: string | null }> {
  const most = (spread ? limit * SPREAD_FROM : limit) + 1;
  const rows = await ((room && inRoom.get(room)) ?? inAll)(before, most);
  const wanted = spread ? fewOfEach(rows) : rows;
  const shown = wanted.slice(0, limit);
  const found = await readPosts([...new Set(shown.flatMap(({ opening, latest }) => [opening, latest]))]);
  const posts = new Map(found.map((row) => [row.id, viewPost(row)]));
  const threads = shown.flatMap(({ opening: openingId, latest: latestId }) => {
    const [opening, latest] = [posts.get(openingId), posts.get(latestId)];
    return opening && latest ? [{ opening, latest }] : [];
  });
  const [first] = rows;
  if (wanted.length > limit) return { threads, next: shown.at(-1)?.seq ?? null };
  if (rows.length === most) return { threads, next: rows.at(-1)?.seq ?? null };
  return { threads, next: !first || first.looked < WINDOW ? null : first.reached };
}

/** Of each crowd, the first few rows. */
function fewOfEach<Row extends { crowd: string }>(rows: readonly Row[]): Row[] {
  const counts = new Map<string, number>();
  return rows.filter(({ crowd }) => {
    const count = (counts.get(crowd) ?? 0) + 1;
    counts.set(crowd, count);
    return count <= MOST_OF_A_CROWD;
  });
}

/** Replies are counted up to this number. */
const MOST_REPLIES = 1_000;

const counted = statement(
  "community_thread_replies",
  { id: text, replies: integer },
  `SELECT w.id, (SELECT count(*)::int - 1 FROM (SELECT FROM posts WHERE thread_id = w.id LIMIT ${MOST_REPLIES + 1}) p) AS replies
   FROM unnest($1::text[]) AS w (id)`,
);

/** How many replies each of these threads has, at every level and with the withdrawn ones; at most `MOST_REPLIES`. */
export async function countReplies(threadIds: readonly string[]): Promise<Map<string, number>> {
  const rows = threadIds.length > 0 ? await counted([...new Set(threadIds)]) : [];
  return new Map(rows.map(({ id, replies }) => [id, replies]));
}
