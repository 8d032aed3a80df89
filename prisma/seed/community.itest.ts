import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOMS } from "#lib/community/rooms.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { actAs, feed, look, member, publish } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { query } from "#testing/query.ts";
import { plantSeed } from "./plant.ts";

const POSTS = 4_000;

const service = testService();

/** Queries as the owner role, which may also read sequences. */
async function rows<Row>(sql: string): Promise<Row[]> {
  return (await query(service.ownerUrl, sql)) as Row[];
}

/** Every post with the post whose reply count it adds to. */
const SAID = `said AS (SELECT p.*, coalesce(p.reply_to, (
  SELECT o.id FROM posts o WHERE o.thread_id = p.thread_id AND o.seq < p.seq ORDER BY o.seq LIMIT 1)) AS answers FROM posts p)`;
const ANSWERING = `${SAID}, answering AS (
  SELECT s.*, a.author_id AS partner_id FROM said s JOIN posts a ON a.id = s.answers AND a.author_id <> s.author_id)`;

/** Rules that the service keeps for a community, each with a query for violations. */
const CONTRADICTIONS = {
  "profiles count their posts": `SELECT id FROM profiles p
    WHERE post_count <> (SELECT count(*) FROM posts WHERE author_id = p.id AND withdrawn_at IS NULL)`,
  "posts count the answers to them": `WITH ${SAID} SELECT p.id FROM posts p
    LEFT JOIN (SELECT answers, count(*) FROM said WHERE withdrawn_at IS NULL GROUP BY 1) counted ON counted.answers = p.id
    WHERE reply_count <> coalesce(counted.count, 0)`,
  "edges count who answers whom": `WITH ${ANSWERING} SELECT * FROM (
      SELECT author_id AS from_id, partner_id AS to_id, count(*)::int AS replies, max(created_at) AS last_at
      FROM answering WHERE withdrawn_at IS NULL GROUP BY 1, 2
    ) counted FULL JOIN reply_edges e USING (from_id, to_id)
    WHERE e.replies IS DISTINCT FROM counted.replies OR e.last_at IS DISTINCT FROM counted.last_at`,
  "the author of an answered post gets a notice": `WITH ${ANSWERING} SELECT * FROM answering s
    FULL JOIN (SELECT * FROM activities WHERE kind = 'reply') a ON a.post_id = s.id AND a.recipient_id = s.partner_id
    WHERE s.id IS NULL OR a.seq IS NULL OR a.at <> s.created_at`,
  "a mentioned member gets a notice": `WITH ${ANSWERING}, mentioned AS (
      SELECT DISTINCT p.id, m[1] AS recipient FROM posts p, regexp_matches(p.body, '@(agt_\\w{22})', 'g') m
      WHERE EXISTS (SELECT FROM profiles WHERE id = m[1]) AND m[1] <> p.author_id
        AND NOT EXISTS (SELECT FROM answering WHERE id = p.id AND partner_id = m[1])
    ), notified AS (SELECT a.* FROM activities a JOIN posts p ON p.id = a.post_id WHERE kind = 'mention' AND p.withdrawn_at IS NULL)
    SELECT * FROM mentioned FULL JOIN notified ON notified.post_id = mentioned.id AND notified.recipient_id = recipient
    WHERE mentioned.id IS NULL OR notified.seq IS NULL`,
  "notices come in the order of the posts": `SELECT * FROM (
      SELECT p.seq, lag(p.seq) OVER (ORDER BY a.seq) AS earlier FROM activities a JOIN posts p ON p.id = a.post_id
    ) ordered WHERE earlier > seq`,
  "posts of a thread are in order of time and in one room": `SELECT * FROM (
      SELECT room, lag(room) OVER thread AS room_before, created_at, lag(created_at) OVER thread AS before FROM posts
      WINDOW thread AS (PARTITION BY thread_id ORDER BY seq)
    ) steps WHERE before > created_at OR room_before <> room`,
  "answers are in the thread of the answered post, come later, and the answered post was not withdrawn": `SELECT p.id FROM posts p JOIN posts a ON a.id = p.reply_to
    WHERE a.thread_id <> p.thread_id OR a.seq >= p.seq OR a.withdrawn_at <= p.created_at`,
  "only the first post of a thread answers none, and it has a title": `WITH ${SAID} SELECT id FROM said
    WHERE answers IS NULL AND (reply_to IS NOT NULL OR title IS NULL AND withdrawn_at IS NULL)`,
  "withdrawn posts have no text": `SELECT id FROM posts
    WHERE withdrawn_at IS NOT NULL AND (title IS NOT NULL OR body <> '' OR search IS NOT NULL OR withdrawn_at < created_at)`,
  "other posts have a text and its search vector": `SELECT id FROM posts WHERE withdrawn_at IS NULL
    AND (body = '' OR search IS DISTINCT FROM to_tsvector('english', coalesce(title, '') || ' ' || body))`,
  "only claimed members that are not suspended post, after they joined": `SELECT p.id FROM posts p JOIN profiles a ON a.id = p.author_id
    WHERE a.claimed_at IS NULL OR a.suspended_at IS NOT NULL OR greatest(a.joined_at, a.claimed_at) > p.created_at`,
  "claimed profiles without a service identity have an owner": `SELECT id FROM profiles p
    WHERE claimed_at IS NOT NULL AND owner_id IS NULL AND NOT EXISTS (SELECT FROM identities WHERE id = p.id)`,
  "sequences are ahead of all stored numbers": `SELECT 1 FROM posts_seq, activities_seq a, profiles_seq_seq f
    WHERE posts_seq.last_value < (SELECT max(seq) FROM posts) OR a.last_value < (SELECT max(seq) FROM activities)
      OR f.last_value < (SELECT max(seq) FROM profiles)`,
  "no time is in the future": `SELECT created_at FROM posts WHERE created_at > now() OR withdrawn_at > now()
    UNION ALL SELECT joined_at FROM profiles WHERE joined_at > now() OR claimed_at > now()`,
};

async function assertSound(): Promise<void> {
  for (const [rule, sql] of Object.entries(CONTRADICTIONS)) {
    assert.deepEqual(await rows(`SELECT * FROM (${sql}) found LIMIT 3`), [], rule);
  }
}

test("posts made through the API keep all rules that the seed is checked against", async () => {
  const [one, other, third] = [await member(), await member(), await member()];
  const opening = await publish(one, { body: `Hello @${other.publicId} and @${third.publicId}`, thread_id: "help" });
  const answer = await publish(other, { reply_to: opening.post_id });
  await publish(one, { reply_to: answer.post_id, body: `As @${other.publicId} and @${one.publicId} say` });
  const further = await publish(other, { thread_id: opening.thread_id, title: undefined });
  await publish(third, { reply_to: opening.post_id });
  for (const post of [answer, further]) succeeded(await actAs(other, "withdraw", { post_id: post.post_id }));
  assert.equal((await rows("SELECT 1 FROM posts")).length, 5);
  assert.equal((await rows("SELECT 1 FROM activities")).length, 6);
  await assertSound();
});

test("a seed adds the requested number of posts to existing data and keeps all rules", async () => {
  await plantSeed(service.ownerUrl, { agents: 90, offers: 0, tasks: 0, posts: POSTS });
  await plantSeed(service.ownerUrl, { agents: 12, offers: 0, tasks: 0, posts: 500 });
  const [counted] = await rows(`SELECT (SELECT count(*)::int FROM posts) AS posts,
    (SELECT count(*)::int FROM profiles p WHERE homepage_url LIKE 'https://member-%') AS others,
    (SELECT count(*)::int FROM identities i WHERE state = 'active' AND NOT EXISTS (SELECT FROM profiles WHERE id = i.id)) AS outside,
    (SELECT count(*)::int FROM posts WHERE withdrawn_at IS NOT NULL) > 5 AS some_withdrawn,
    (SELECT count(*)::int FROM profiles WHERE claimed_at IS NULL) > 0 AS some_proposed`);
  assert.deepEqual(counted, {
    posts: POSTS + 500 + 5,
    others: 34,
    outside: 0,
    some_withdrawn: true,
    some_proposed: true,
  });
  await assertSound();
});

test("identifiers have the form of their kind", async () => {
  const columns = { agt: "profiles.id", pst: "posts.id", thr: "posts.thread_id", own: "owners.id" } as const;
  for (const [prefix, column] of Object.entries(columns)) {
    const pattern = idPattern(prefix as keyof typeof columns);
    for (const { id } of await rows<{ id: string }>(`SELECT ${column} AS id FROM ${column.split(".")[0]}`)) {
      assert.match(id, pattern);
    }
  }
});

test("the posts look like a community: all rooms, few prolific authors, nested answers, several months, common and rare words", async () => {
  const rooms = await rows<{ room: string }>("SELECT DISTINCT room FROM posts");
  assert.deepEqual(new Set(rooms.map(({ room }) => room)), new Set(ROOMS));
  const talkers = await rows<{ posts: number }>("SELECT post_count AS posts FROM profiles ORDER BY 1 DESC");
  const most = talkers.slice(0, 5).map(({ posts }) => posts);
  assert.ok(Math.min(...most) > 100, `the five who say most wrote ${most}`);
  assert.ok((talkers.at(Math.floor(talkers.length / 2))?.posts ?? 0) < 60);
  const [{ depth, months } = { depth: 0, months: 0 }] = await rows<{ depth: number; months: number }>(`
    WITH RECURSIVE deep AS (
      SELECT id, 0 AS depth FROM posts WHERE reply_to IS NULL UNION ALL SELECT p.id, depth + 1 FROM deep JOIN posts p ON p.reply_to = deep.id
    ) SELECT (SELECT max(depth) FROM deep) AS depth, count(DISTINCT date_trunc('month', created_at))::int AS months FROM posts`);
  assert.ok(depth >= 4 && months >= 5, `${depth} deep over ${months} months`);
  const words = await rows<{ posts: number }>(
    "SELECT ndoc AS posts FROM ts_stat('SELECT search FROM posts') ORDER BY ndoc DESC",
  );
  const [first, tenth, last] = [0, 9, words.length - 1].map((rank) => words[rank]?.posts ?? 0);
  assert.ok(words.length > 1_000 && (first ?? 0) > POSTS / 10 && (tenth ?? 0) < (first ?? 0) && last === 1);
});

test("the API lists every planted post and accepts new ones afterwards", async () => {
  const seen = new Set<string>();
  let before: number | null | undefined;
  do {
    const { status, body } = await feed({ limit: 100, ...(before ? { before } : {}) });
    assert.equal(status, 200);
    for (const { post_id } of body.posts) seen.add(post_id);
    before = body.next_before;
  } while (before);
  const [{ remaining } = { remaining: 0 }] = await rows<{ remaining: number }>(
    "SELECT count(*)::int AS remaining FROM posts WHERE withdrawn_at IS NULL",
  );
  assert.equal(seen.size, remaining);
  for (const view of ["profiles", "network"] as const) assert.equal((await look(view, { limit: 100 })).status, 200);

  const { next_after: newest } = (await feed({ limit: 1 })).body;
  const post = await publish(await member());
  assert.deepEqual((await feed({ after: newest })).body.posts, [post]);
});
