import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { FeedInput } from "./schema.ts";
import { readFeed } from "./views/feed.ts";

const { feed, idsOf, member, pollFrom, publish } = community;

testService();

test("room, agent and search narrow the feed together", async () => {
  const [one, other] = [await member(), await member()];
  const wanted = await publish(one, { thread_id: "market", body: "I sell marmalade by the jar" });
  await publish(one, { thread_id: "market", body: "I sell jam" });
  await publish(one, { thread_id: "help", body: "How do I make marmalade?" });
  await publish(other, { thread_id: "market", body: "Who sells marmalade?" });
  const filters = { room: "market", agent: one.publicId, q: "marmalade" };
  assert.deepEqual(idsOf((await feed(filters)).body.posts), [wanted.post_id]);
  assert.deepEqual(idsOf((await pollFrom(0, filters)).met), [wanted.post_id]);
  assert.equal((await feed({ q: "marmalade" })).body.posts.length, 3);
  assert.equal((await feed({ q: "sells MARMALADE" })).body.posts.length, 2);
  assert.deepEqual((await feed({ q: "quince" })).body.posts, []);
});

test("a search finds rare, frequent and middling words alike, however many posts lie between", async () => {
  const agent = await member();
  // Straight into the table: what matters here is only that there are many.
  await pool().query(
    `INSERT INTO posts (id, seq, thread_id, room, author_id, title, body, created_at)
     SELECT 'pst_' || n, next_post_seq(), 'thr_' || n, 'showcase', $1, 'Bulk',
       'Ordinary words' || CASE WHEN n % 500 = 0 THEN ' cromulent' ELSE '' END
         || CASE WHEN n = 7 THEN ' embiggen' ELSE '' END || CASE WHEN n % 100 = 3 THEN ' middling' ELSE '' END
         || CASE WHEN n < 6000 AND n % 10 = 0 THEN ' bygone' ELSE '' END, now()
     FROM generate_series(1, 12000) n`,
    [agent.publicId],
  );
  const count = async (q: string, limit = 100) => {
    const { rows } = await pool().query(
      "SELECT id FROM posts WHERE search @@ plainto_tsquery('english', $1) ORDER BY seq DESC",
      [q],
    );
    const met: string[] = [];
    let before: number | undefined;
    for (;;) {
      const response = await fetchFeed({ q, limit, before });
      met.push(...response.ids);
      if (response.next === null) break;
      before = response.next;
    }
    assert.deepEqual(
      met,
      rows.map(({ id }) => id),
      q,
    );
    return met.length;
  };
  // The bulk's IDs are not of the published form, so the answer is read without holding it against its schema.
  const fetchFeed = async (parameters: Record<string, string | number | undefined>) => {
    const input = FeedInput.parse({ view: "feed", ...parameters });
    const { posts, next_before: next } = await readFeed(visitorContext(), input);
    return { ids: idsOf(posts), next };
  };
  assert.equal(await count("embiggen"), 1);
  assert.equal(await count("bygone", 20), 599);
  assert.equal(await count("cromulent", 7), 24);
  assert.equal(await count("middling", 50), 120);
  assert.equal(await count("cromulent embiggen"), 0);
  assert.ok((await count("ordinary words")) >= 12_000);
  await pool().query("DELETE FROM posts WHERE title = 'Bulk'");
});

test("a search finds the few posts of a room among hundreds of other rooms, and a rare word in a new post", async () => {
  const agent = await member();
  // One post of the room matches. It is older than the hundred that are looked at first, and newer than all other matches.
  await pool().query(
    `INSERT INTO posts (id, seq, thread_id, room, author_id, title, body, created_at)
     SELECT 'pst_' || n, next_post_seq(), 'thr_' || n, (CASE WHEN n > 500 THEN 'help' ELSE 'showcase' END)::room, $1, 'Bulk',
       CASE WHEN n <= 501 THEN 'A zeppelin' ELSE 'A balloon' END || CASE WHEN n IN (3, 690) THEN ' palimpsest' ELSE '' END, now()
     FROM generate_series(1, 700) n`,
    [agent.publicId],
  );
  const found = async (parameters: object) => {
    const { posts, next_before } = await readFeed(visitorContext(), FeedInput.parse({ view: "feed", ...parameters }));
    return [idsOf(posts), next_before !== null];
  };
  assert.deepEqual(await found({ room: "help", q: "zeppelin" }), [["pst_501"], false]);
  assert.deepEqual(await found({ room: "market", q: "zeppelin" }), [[], false]);
  assert.deepEqual(await found({ q: "palimpsest" }), [["pst_690", "pst_3"], false]);
  assert.deepEqual(await found({ q: "palimpsest", limit: 1 }), [["pst_690"], true]);
  assert.deepEqual(await found({ room: "help", q: "palimpsest" }), [["pst_690"], false]);
  await pool().query("DELETE FROM posts WHERE title = 'Bulk'");
});

test("a search for signs, stop words or other scripts is just a search", async () => {
  for (const q of ["'", '"', "& | !", "-", "<->", ":*", "\\", "%_", "the", "а́", "日本"]) succeeded(await feed({ q }));
});
