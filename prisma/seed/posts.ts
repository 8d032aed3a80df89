import type pg from "pg";
import { ROOMS } from "#lib/community/rooms.ts";
import { type Conversation, converse } from "./conversation.ts";
import type { Member } from "./members.ts";
import { writeBody, writeTitle } from "./prose.ts";
import { inParts, reserve } from "./scratch.ts";

const POST = (n: string) => `pg_temp.seed_id('pst', $1, ${n})`;
const TIME = (ms: string) => `to_timestamp(${ms} / 1000)`;

const POSTS = `
  INSERT INTO posts (id, seq, thread_id, room, reply_to, author_id, title, body, reply_count, created_at, withdrawn_at)
  SELECT ${POST("n")}, $2::bigint + n + 1, pg_temp.seed_id('thr', $1, thread), room::room, CASE WHEN answered >= 0 THEN ${POST("answered")} END,
    author, title, body, replies, ${TIME("at")}, ${TIME("withdrawn")}
  FROM unnest($3::int[], $4::int[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[], $10::int[], $11::float8[], $12::float8[])
    AS said(n, thread, room, answered, author, title, body, replies, at, withdrawn)
  ORDER BY n`;

const NOTICES = `
  INSERT INTO activities (seq, recipient_id, kind, post_id, at)
  SELECT $2::bigint + n, recipient, kind::activity_kind, ${POST("post")}, ${TIME("at")}
  FROM unnest($3::int[], $4::text[], $5::text[], $6::int[], $7::float8[]) AS notices(n, recipient, kind, post, at) ORDER BY n`;

const EDGES = `
  INSERT INTO reply_edges (from_id, to_id, replies, last_at)
  SELECT "from", "to", replies, ${TIME("at")} FROM unnest($1::text[], $2::text[], $3::int[], $4::float8[]) AS e("from", "to", replies, at)
  ON CONFLICT (from_id, to_id) DO UPDATE SET replies = reply_edges.replies + excluded.replies,
    last_at = greatest(reply_edges.last_at, excluded.last_at)`;

const COUNTS = `
  UPDATE profiles SET post_count = post_count + made FROM unnest($1::text[], $2::int[]) AS counted(id, made)
  WHERE profiles.id = counted.id AND made > 0`;

const CHUNK = 4_000;
const WIDE = 20_000;
const DAY_MS = 86_400_000;

/**
 * Writes `count` posts of the members over the last half year, with everything that the service derives from posts: reply counts,
 * who replies to whom, notices. Counts come last, so an interrupted run leaves posts that no profile has counted.
 */
export async function plantPosts(
  clients: pg.Client[],
  salt: string,
  members: Member[],
  count: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const [client] = clients;
  if (!client || count === 0) return;
  const idOf = (member: number) => (members[member] as Member).id;
  const to = Date.now() - 300_000;
  const earliest = members.reduce((first, { joinedAt }) => Math.min(first, joinedAt), to);
  const talk = converse(members, { posts: count, from: Math.max(earliest, to - 180 * DAY_MS), to });

  const lastPost = await reserve(client, "posts_seq", count);
  await inLanes(
    clients,
    talk,
    (each, posts) => each.query(POSTS, [salt, lastPost, ...columns(talk, posts, idOf)]),
    onProgress,
  );

  const { notices, edges, times, postCounts } = talk;
  const lastNotice = await reserve(client, "activities_seq", notices.length);
  await inParts(clients, notices.length, WIDE, async (each, first, last) => {
    const part = notices.slice(first - 1, last);
    const values = [part.map((_, n) => first + n), part.map((notice) => idOf(notice.to)), part.map(({ kind }) => kind)];
    const places = [part.map(({ post }) => post), part.map(({ post }) => times[post])];
    await each.query(NOTICES, [salt, lastNotice, ...values, ...places]);
  });
  await inParts(clients, edges.length, WIDE, async (each, first, last) => {
    const part = edges.slice(first - 1, last);
    const ends = [part.map((edge) => idOf(edge.from)), part.map((edge) => idOf(edge.to))];
    await each.query(EDGES, [...ends, part.map(({ replies }) => replies), part.map(({ lastAt }) => lastAt)]);
  });
  await client.query(COUNTS, [members.map(({ id }) => id), [...postCounts]]);
}

/**
 * Goes through all posts in order of time, on every connection at once: each writes the posts of its own threads, so that what is
 * answered is there before the answer.
 */
async function inLanes(
  clients: pg.Client[],
  { threads }: Conversation,
  write: (client: pg.Client, posts: number[]) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<void> {
  let done = 0;
  const run = async (client: pg.Client, lane: number) => {
    let posts: number[] = [];
    const flush = async () => {
      await write(client, posts);
      done += posts.length;
      onProgress(done);
      posts = [];
    };
    for (const [post, thread] of threads.entries()) {
      if (thread % clients.length === lane) posts.push(post);
      if (posts.length === CHUNK) await flush();
    }
    if (posts.length > 0) await flush();
  };
  await Promise.all(clients.map(run));
}

/** The columns of these posts, as the statement takes them. */
function columns(talk: Conversation, posts: number[], idOf: (member: number) => string): unknown[][] {
  const { threads, rooms, replyTo, authors, replyCounts, times, withdrawn, mentions } = talk;
  const stands = (post: number) => Number.isNaN(withdrawn[post]);
  const body = (post: number) => {
    const greeting = (mentions.get(post) ?? []).map((member) => `@${idOf(member)} `).join("");
    return greeting + writeBody();
  };
  return [
    posts,
    posts.map((post) => threads[post]),
    posts.map((post) => ROOMS[rooms[post] as number]),
    posts.map((post) => replyTo[post]),
    posts.map((post) => idOf(authors[post] as number)),
    posts.map((post) => (threads[post] === post && stands(post) ? writeTitle() : null)),
    posts.map((post) => (stands(post) ? body(post) : "")),
    posts.map((post) => replyCounts[post]),
    posts.map((post) => times[post]),
    posts.map((post) => (stands(post) ? null : withdrawn[post])),
  ];
}
