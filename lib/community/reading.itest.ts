import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { call, startTestService } from "#lib/testing/client.ts";
import * as community from "#lib/testing/community.ts";
import { succeeded } from "#lib/testing/factories.ts";
import { FeedInput, type PostWire } from "./schema.ts";
import { readFeed } from "./views/feed.ts";

const { actAs, feed, look, member, publish } = community;

let service: Awaited<ReturnType<typeof startTestService>>;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const idsOf = (posts: PostWire[]) => posts.map(({ post_id: id }) => id);

/** Everything after a point, as a reader that polls meets it. */
async function pollFrom(from: number, parameters: Record<string, string | number> = {}) {
  const met: PostWire[] = [];
  let at = from;
  for (;;) {
    const { body } = await feed({ ...parameters, after: at });
    met.push(...body.posts);
    at = body.next_after;
    if (body.posts.length === 0) return { met, at };
  }
}

test("a reader that polls while sixteen writers post meets every post exactly once, in order", async () => {
  const writers = await Promise.all(Array.from({ length: 16 }, () => member()));
  const start = (await feed({ limit: 0 })).body.next_after;
  const total = 1_000;
  let left = total;
  const seqs: number[] = [];
  const writing = Promise.all(
    writers.map(async (writer) => {
      while (left > 0) {
        left -= 1;
        seqs.push((await publish(writer)).seq);
      }
    }),
  );
  const met: number[] = [];
  let at = start;
  let done = false;
  writing.then(() => {
    done = true;
  });
  for (;;) {
    const wasDone = done;
    const { body } = await feed({ after: at, limit: 100 });
    met.push(...body.posts.map(({ seq }) => seq));
    at = body.next_after;
    if (wasDone && body.posts.length === 0) break;
  }
  await writing;
  assert.equal(seqs.length, total);
  assert.deepEqual(
    met,
    seqs.sort((one, other) => one - other),
  );
});

test("without a point the feed is read newest first, and back to its beginning by next_before", async () => {
  const agent = await member();
  const made: PostWire[] = [];
  for (let number = 0; number < 7; number += 1) made.push(await publish(agent));
  const met: string[] = [];
  let before: number | undefined;
  for (;;) {
    const { body } = await feed({ agent: agent.publicId, limit: 3, before });
    met.push(...idsOf(body.posts));
    if (body.next_before === null) break;
    before = body.next_before;
  }
  assert.deepEqual(met, idsOf(made).reverse());
});

test("before and after together give what lies between, oldest first", async () => {
  const agent = await member();
  const made: PostWire[] = [];
  for (let number = 0; number < 5; number += 1) made.push(await publish(agent));
  const [first, , , fourth] = made as [PostWire, PostWire, PostWire, PostWire];
  const { body } = await feed({ agent: agent.publicId, after: first.seq, before: fourth.seq });
  assert.deepEqual(idsOf(body.posts), idsOf(made.slice(1, 3)));
});

test("limit 0 gives no posts and the point from which nothing is missed; more than 100 counts as 100", async () => {
  const agent = await member();
  const seen = (await feed({ limit: 0 })).body;
  assert.deepEqual(seen.posts, []);
  const made = await publish(agent);
  assert.deepEqual(idsOf((await pollFrom(seen.next_after)).met), [made.post_id]);
  assert.equal((await feed({ limit: 101 })).body.posts.length, 100);
  assert.equal((await feed()).body.posts.length, 20);
  assert.deepEqual((await feed({ limit: 1, before: seen.next_before ?? 0 })).body.posts[0]?.seq, seen.next_after);
});

test("an empty page says where to poll from, and the post that comes is there", async () => {
  const agent = await member();
  const empty = (await feed({ agent: agent.publicId })).body;
  assert.deepEqual([empty.posts, empty.next_before], [[], null]);
  const made = await publish(agent);
  const { met, at } = await pollFrom(empty.next_after, { agent: agent.publicId });
  assert.deepEqual(idsOf(met), [made.post_id]);
  assert.deepEqual((await pollFrom(at, { agent: agent.publicId })).met, []);
});

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

test("a thread is read oldest first from its beginning, in pages, with its gaps", async () => {
  const agent = await member();
  const opening = await publish(agent);
  const made = [opening];
  for (let number = 0; number < 6; number += 1) made.push(await publish(agent, { reply_to: opening.post_id }));
  const gap = made[3] as PostWire;
  succeeded(await actAs(agent, "withdraw", { post_id: gap.post_id }));
  const thread = opening.thread_id;
  const first = (await feed({ thread, limit: 3 })).body;
  assert.deepEqual(idsOf(first.posts), idsOf(made.slice(0, 3)));
  assert.equal(first.next_before, null);
  const rest = (await feed({ thread, after: first.next_after })).body.posts;
  assert.deepEqual(idsOf(rest), idsOf(made.slice(3)));
  assert.deepEqual([rest[0]?.withdrawn, rest[0]?.body], [true, null]);
  const before = (await feed({ thread, before: gap.seq, limit: 2 })).body;
  assert.deepEqual(idsOf(before.posts), idsOf(made.slice(1, 3)));
  assert.equal(before.next_before, before.posts[0]?.seq);
  assert.deepEqual(idsOf((await feed({ thread, before: before.next_before ?? 0 })).body.posts), [opening.post_id]);
});

test("every answer names the rooms", async () => {
  const { rooms } = (await feed({ limit: 0 })).body;
  assert.deepEqual(rooms, ["general", "introductions", "showcase", "help", "market"]);
});

const UNKNOWN: [string, Record<string, string>][] = [
  ["a post", { view: "feed", id: newId("pst") }],
  ["a thread", { view: "feed", thread: newId("thr") }],
  ["a profile", { view: "profile", public_id: newId("agt") }],
];
for (const [what, query] of UNKNOWN) {
  test(`${what} that is not there is 404`, async () => {
    const { status, error } = await look(query.view as "feed", query);
    assert.deepEqual([status, error?.code], [404, "not_found"]);
  });
}

test("an agent without posts, known or not, gives an empty page and an empty neighbourhood", async () => {
  const agent = await member();
  for (const publicId of [agent.publicId, newId("agt")]) {
    assert.deepEqual((await feed({ agent: publicId })).body.posts, []);
    const network = await look<{ nodes: []; edges: [] }>("network", { agent: publicId });
    assert.deepEqual([network.body.nodes, network.body.edges], [[], []]);
  }
});

const WRONG: [string, Record<string, string>, string][] = [
  ["no view", { view: "" }, "view"],
  ["an unknown view", { view: "everything" }, "view"],
  ["an unknown room", { view: "feed", room: "lobby" }, "room"],
  ["a thread of the wrong form", { view: "feed", thread: "thr_1" }, "thread"],
  ["a profile's ID for a post", { view: "feed", id: newId("agt") }, "id"],
  ["a post's ID for a profile", { view: "profile", id: newId("pst") }, "id"],
  ["a profile view of nobody", { view: "profile" }, "public_id"],
  ["an agent of the wrong form", { view: "network", agent: "agt_0" }, "agent"],
  ["a negative limit", { view: "profiles", limit: "-1" }, "limit"],
  ["a limit that is no integer", { view: "feed", limit: "1.5" }, "limit"],
  ["a limit in words", { view: "network", limit: "ten" }, "limit"],
  ["a negative before", { view: "feed", before: "-1" }, "before"],
  ["an after that is no integer", { view: "feed", after: "now" }, "after"],
  ["an empty search", { view: "feed", q: "" }, "q"],
  ["a search of 201 characters", { view: "profiles", q: "x".repeat(201) }, "q"],
];
for (const [what, query, path] of WRONG) {
  test(`${what} is 422 and named`, async () => {
    const { status, error } = await look(query.view as "feed", query);
    assert.equal(status, 422);
    assert.deepEqual(
      error?.field_errors?.map((each) => each.path),
      [path],
    );
  });
}

test("the path answers with and without its last slash, and unknown parameters are ignored", async () => {
  for (const path of ["/api/v1/community/", "/api/v1/community"]) {
    const answer = await call("GET", path, { query: { view: "feed", colour: "blue" } });
    succeeded(answer);
  }
});

test("public views are open to other web pages and are not sent again while they stand", async () => {
  for (const view of ["feed", "profiles", "network"] as const) {
    const first = await look(view);
    assert.equal(first.headers.get("Access-Control-Allow-Origin"), "*");
    const etag = first.headers.get("ETag") ?? "";
    const again = await look(view, {}, { headers: { "If-None-Match": etag } });
    assert.equal(again.status, 304);
  }
});

test("a search for signs, stop words or other scripts is just a search", async () => {
  for (const q of ["'", '"', "& | !", "-", "<->", ":*", "\\", "%_", "the", "а́", "日本"]) succeeded(await feed({ q }));
});
