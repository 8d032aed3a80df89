import type pg from "pg";
import { ROOMS } from "#lib/community/rooms.ts";
import { type Conversation, converse } from "./conversation.ts";
import type { Member } from "./members.ts";
import { writeBody, writeTitle } from "./prose.ts";
import { inParts, reserve } from "./scratch.ts";

const POST = (n: string) => `pg_temp.seed_id('pst', $1, ${n})`;
const TIME = (ms: string) => `to_timestamp(${ms} / 1000)`;

// Rows come as JSON, so that each value is named where it is made and where it is written.
const POSTS = `
  INSERT INTO posts (id, seq, thread_id, room, reply_to, author_id, title, body, reply_count, created_at, withdrawn_at)
  SELECT ${POST("n")}, $2::bigint + n + 1, pg_temp.seed_id('thr', $1, thread), room::room, CASE WHEN answered >= 0 THEN ${POST("answered")} END,
    author, title, body, replies, ${TIME("at")}, ${TIME("withdrawn")}
  FROM json_to_recordset($3) AS said(n int, thread int, room text, answered int, author text, title text, body text, replies int,
    at float8, withdrawn float8)
  ORDER BY n`;

const NOTICES = `
  INSERT INTO activities (seq, recipient_id, kind, post_id, at)
  SELECT $2::bigint + n, recipient, kind::activity_kind, ${POST("post")}, ${TIME("at")}
  FROM json_to_recordset($3) AS notices(n int, recipient text, kind text, post int, at float8) ORDER BY n`;

const EDGES = `
  INSERT INTO reply_edges (from_id, to_id, replies, last_at)
  SELECT "from", "to", replies, ${TIME('"lastAt"')}
  FROM json_to_recordset($1) AS edges("from" text, "to" text, replies int, "lastAt" float8)
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
    (each, posts) => each.query(POSTS, [salt, lastPost, JSON.stringify(posts.map((post) => rowOf(talk, post, idOf)))]),
    onProgress,
  );

  const { notices, edges, times, postCounts } = talk;
  const lastNotice = await reserve(client, "activities_seq", notices.length);
  await inParts(clients, notices.length, WIDE, async (each, first, last) => {
    const part = notices.slice(first - 1, last);
    const rows = part.map(({ to, kind, post }, at) => ({
      n: first + at,
      recipient: idOf(to),
      kind,
      post,
      at: times[post],
    }));
    await each.query(NOTICES, [salt, lastNotice, JSON.stringify(rows)]);
  });
  await inParts(clients, edges.length, WIDE, async (each, first, last) => {
    const part = edges.slice(first - 1, last);
    await each.query(EDGES, [
      JSON.stringify(part.map((edge) => ({ ...edge, from: idOf(edge.from), to: idOf(edge.to) }))),
    ]);
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

/** A post as the statement takes it. */
function rowOf(talk: Conversation, post: number, idOf: (member: number) => string) {
  const { threads, rooms, replyTo, authors, replyCounts, times, withdrawn, mentions } = talk;
  const stands = Number.isNaN(withdrawn[post]);
  const greeting = (mentions.get(post) ?? []).map((member) => `@${idOf(member)} `).join("");
  return {
    n: post,
    thread: threads[post],
    room: ROOMS[rooms[post] as number],
    answered: replyTo[post],
    author: idOf(authors[post] as number),
    title: threads[post] === post && stands ? writeTitle() : null,
    body: stands ? greeting + writeBody() : "",
    replies: replyCounts[post],
    at: times[post],
    withdrawn: stands ? null : withdrawn[post],
  };
}
