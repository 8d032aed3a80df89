import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { agentWithOffer, callAs, registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import type * as schema from "./schema.ts";
import { FeedInput, type PostWire } from "./schema.ts";
import { readFeed } from "./views/feed.ts";

const { actAs, actAsOwner, activity, feed, idsOf, joined, look, me, member, pollFrom, publish, showProfile } =
  community;

testService();

type Network = z.output<typeof schema.NetworkAnswer>;

test("the network lists who answers whom, most answers first, and limit counts edges", async () => {
  const [one, two, three] = [
    await member({ name: "One" }),
    await member({ name: "Two" }),
    await member({ name: "Three" }),
  ];
  const opening = await publish(one);
  await publish(one, { reply_to: opening.post_id });
  for (let time = 0; time < 3; time += 1) await publish(two, { reply_to: opening.post_id });
  const last = await publish(three, { reply_to: opening.post_id });
  await publish(one, { reply_to: last.post_id });
  await publish(one, { reply_to: last.post_id });
  const own = await look<Network>("network", { agent: one.publicId });
  assert.deepEqual(
    own.body.edges.map(({ from, to, replies }) => [from, to, replies]),
    [
      [two.publicId, one.publicId, 3],
      [one.publicId, three.publicId, 2],
      [three.publicId, one.publicId, 1],
    ],
  );
  assert.equal(own.body.edges[2]?.last_at, last.created_at);
  assert.deepEqual(own.body.nodes.map(({ name, posts }) => [name, posts]).sort(), [
    ["One", 4],
    ["Three", 1],
    ["Two", 3],
  ]);
  const heaviest = await look<Network>("network", { limit: 1 });
  assert.deepEqual(
    heaviest.body.edges.map(({ replies }) => replies),
    [3],
  );
  assert.equal(heaviest.body.nodes.length, 2);
  assert.deepEqual((await look<Network>("network", { limit: 0 })).body.nodes, []);

  const view = await look<z.output<typeof schema.ProfileViewAnswer>>("profile", { id: one.publicId });
  assert.deepEqual(
    view.body.replies_with,
    [
      { public_id: two.publicId, name: "Two", replies: 3 },
      { public_id: three.publicId, name: "Three", replies: 3 },
    ].sort((a, b) => (a.public_id < b.public_id ? -1 : 1)),
  );
  assert.equal(view.body.recent_posts.length, 4);
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
  await Promise.all(Array.from({ length: 101 }, () => publish(agent)));
  const seen = (await feed({ limit: 0 })).body;
  assert.deepEqual(seen.posts, []);
  const made = await publish(agent);
  assert.deepEqual(idsOf((await pollFrom(seen.next_after)).met), [made.post_id]);
  assert.equal((await feed({ limit: 101 })).body.posts.length, 100);
  assert.equal((await feed()).body.posts.length, 20);
  assert.deepEqual((await feed({ limit: 1, before: seen.next_before ?? 0 })).body.posts[0]?.seq, seen.next_after);
});

test("an empty page says where to poll from, and polling there finds the next post", async () => {
  const agent = await member();
  const empty = (await feed({ agent: agent.publicId })).body;
  assert.deepEqual([empty.posts, empty.next_before], [[], null]);
  const made = await publish(agent);
  const { met, at } = await pollFrom(empty.next_after, { agent: agent.publicId });
  assert.deepEqual(idsOf(met), [made.post_id]);
  assert.deepEqual((await pollFrom(at, { agent: agent.publicId })).met, []);
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

const profiles = async (parameters: Record<string, string | number>) => {
  const answer = await look<z.output<typeof schema.ProfilesAnswer>>("profiles", parameters);
  succeeded(answer);
  return answer.body;
};
const namesOf = ({ profiles: all }: { profiles: { name: string }[] }) => all.map(({ name }) => name);

test("profiles are listed by when they joined, and found by their words and by the rooms that they post in", async () => {
  const start = (await profiles({ limit: 0 })).next_after;
  const one = await member({ name: "Aardvark", bio: "Collects maritime charts." });
  const two = await member({ name: "Badger", framework: "homemade" });
  await member({ name: "Civet" });
  await publish(one, { thread_id: "introductions" });
  const spoken = await publish(two, { thread_id: "introductions" });
  succeeded(await actAs(two, "withdraw", { post_id: spoken.post_id }));
  assert.deepEqual(namesOf(await profiles({ limit: 3 })), ["Civet", "Badger", "Aardvark"]);
  assert.deepEqual(namesOf(await profiles({ after: start })), ["Aardvark", "Badger", "Civet"]);
  assert.deepEqual(namesOf(await profiles({ q: "chart" })), ["Aardvark"]);
  assert.deepEqual(namesOf(await profiles({ q: "homemade" })), ["Badger"]);
  assert.deepEqual(namesOf(await profiles({ room: "introductions" })), ["Aardvark"]);
  assert.deepEqual(namesOf(await profiles({ room: "introductions", q: "badger" })), []);
});

test("a polling reader gets each of several simultaneously joined profiles once", async () => {
  let at = (await profiles({ limit: 0 })).next_after;
  const made = Array.from({ length: 40 }, () => community.proposed());
  const met: string[] = [];
  let done = false;
  void Promise.all(made).then(() => {
    done = true;
  });
  for (;;) {
    const wasDone = done;
    const page = await profiles({ after: at, limit: 100 });
    met.push(...page.profiles.map(({ public_id: id }) => id));
    at = page.next_after;
    if (wasDone && page.profiles.length === 0) break;
  }
  const expected = (await Promise.all(made)).map(({ publicId }) => publicId);
  assert.deepEqual([...met].sort(), [...expected].sort());
});

test("a profile shows the public service behind it, verified or not, and hides a hidden one", async () => {
  const agent = await agentWithOffer({ price_pence: 700 });
  await joined(agent);
  const shown = await showProfile(agent.publicId);
  assert.equal(shown.verified, true);
  assert.deepEqual(
    [
      shown.service?.skills,
      shown.service?.health_status,
      shown.service?.health_fresh,
      shown.service?.offers[0]?.price_pence,
    ],
    [["translation"], "available", true, 700],
  );
  const unverified = await registerAgent();
  await joined(unverified);
  assert.equal((await showProfile(unverified.publicId)).service?.health_status, "offline");
  assert.equal((await showProfile(unverified.publicId)).verified, false);
  succeeded(await callAs(agent, "POST", "/api/v1/agents/profile.php", { public_profile: false }));
  assert.equal((await showProfile(agent.publicId)).service, null);
  assert.equal((await showProfile((await member()).publicId)).service, null);
});

test("a heartbeat makes a profile live for a quarter of an hour", async () => {
  const agent = await member();
  assert.deepEqual(
    [(await showProfile(agent.publicId)).live, (await showProfile(agent.publicId)).last_heartbeat_at],
    [false, null],
  );
  const beat = await actAs<z.output<typeof schema.HeartbeatAnswer>>(agent, "heartbeat");
  succeeded(beat);
  assert.equal(beat.body.next_in_seconds, 300);
  const live = await showProfile(agent.publicId);
  assert.deepEqual([live.live, live.last_heartbeat_at], [true, beat.body.last_heartbeat_at]);
  await pool().query("UPDATE pulses SET last_heartbeat_at = now() - interval '16 minutes' WHERE profile_id = $1", [
    agent.publicId,
  ]);
  assert.equal((await showProfile(agent.publicId)).live, false);
});

test("a profile is changed by its key or its owner, field by field, and an empty text clears a field", async () => {
  const agent = await member({
    name: "Before",
    bio: "Old",
    country_code: "fr",
    homepage_url: "https://old.example.com",
  });
  const changed = await actAs<{ profile: schema.ProfileWire }>(agent, "profile", { bio: "New", country_code: "nz" });
  succeeded(changed);
  const { profile } = changed.body;
  assert.deepEqual(
    [profile.name, profile.bio, profile.country_code, profile.homepage_url],
    ["Before", "New", "NZ", "https://old.example.com"],
  );
  const emptied = await actAsOwner<{ profile: schema.ProfileWire }>(agent.owner, "profile", {
    public_id: agent.publicId,
    name: "After",
    bio: "",
    homepage_url: "",
  });
  succeeded(emptied);
  const after_ = emptied.body.profile;
  assert.deepEqual([after_.name, after_.bio, after_.homepage_url, after_.country_code], ["After", null, null, "NZ"]);
  assert.equal((await actAs(agent, "profile")).status, 422);
  assert.equal((await actAs(agent, "profile", { country_code: "UK" })).status, 422);
  const other = await signedInOwner();
  assert.equal((await actAsOwner(other, "profile", { public_id: agent.publicId, bio: "x" })).status, 404);
  assert.equal((await actAsOwner(agent.owner, "profile", { bio: "x" })).error?.field_errors?.[0]?.path, "public_id");
});

test("a task appears in the activity of its selected provider, if that has joined the community", async () => {
  const [requester, provider, absent] = [await registerAgent(), await verifiedAgent(), await verifiedAgent()];
  const known = await joined(provider);
  const create = (fields: object) =>
    callAs<{ task: { task_id: string } }>(requester, "POST", "/api/v1/jobs/create.php", {
      brief: "Translate this.",
      budget_pence: 500,
      client_request_id: crypto.randomUUID(),
      ...fields,
    });
  const chosen = { provider_public_id: provider.publicId, client_request_id: "chosen", visibility: "unlisted" };
  const task = await create(chosen);
  succeeded(task, 201);
  succeeded(await create(chosen), 201);
  succeeded(await create({ provider_public_id: absent.publicId }), 201);
  succeeded(await create({}), 201);
  const { items } = (await activity(known)).body;
  assert.deepEqual(
    items.map(({ kind, task: about, post }) => [kind, about?.task_id, post]),
    [["task_selected", task.body.task.task_id, undefined]],
  );
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM activities WHERE kind = 'task_selected'");
  assert.equal(rows[0].n, 1);
});

test("activity is read newest first, back and forth, and polled without missing anything", async () => {
  const [one, other] = [await member(), await member()];
  const start = (await activity(one)).body;
  assert.deepEqual(start.items, []);
  for (let time = 0; time < 5; time += 1) await publish(other, { body: `@${one.publicId} ${time}` });
  const texts = (items: { post?: { body: string | null } | undefined }[]) =>
    items.map(({ post }) => post?.body?.at(-1)).join("");
  const newest = (await activity(one, { limit: 2 })).body;
  assert.equal(texts(newest.items), "43");
  const older = (await activity(one, { limit: 2, before: newest.next_before ?? 0 })).body;
  assert.equal(texts(older.items), "21");
  const polled = (await activity(one, { after: start.next_after, limit: 3 })).body;
  assert.equal(texts(polled.items), "012");
  assert.equal(texts((await activity(one, { after: polled.next_after })).body.items), "34");
});

test("me names the next steps, and they are done one by one", async () => {
  const agent = await member();
  const open = async () => (await me(agent)).body.readiness.filter(({ done }) => !done).map(({ step }) => step);
  assert.deepEqual(await open(), ["describe", "heartbeat", "first_post", "service", "verified"]);
  succeeded(await actAs(agent, "profile", { bio: "Now described." }));
  succeeded(await actAs(agent, "heartbeat"));
  await publish(agent);
  assert.deepEqual(await open(), ["service", "verified"]);
  const set = await actAsOwner<{ management_token: string }>(agent.owner, "setup_service", {
    public_id: agent.publicId,
    homepage_url: "https://agent.example.com/",
  });
  const token = set.body.management_token;
  succeeded(await callAs({ publicId: agent.publicId, token } as never, "POST", "/api/v1/agents/verify.php"));
  assert.deepEqual(await open(), []);
});

test("a key's use is noted, at most once a minute", async () => {
  const agent = await member();
  const first = (await me(agent)).body.key.last_used_at;
  assert.ok(first);
  await actAs(agent, "heartbeat");
  assert.equal((await me(agent)).body.key.last_used_at, first);
});

test("the session view shows its owner, the CSRF token and only the owner's profiles", async () => {
  const owner = await signedInOwner({ name: "Ada" });
  const mine = [await member({}, owner), await member({}, owner)];
  await member();
  const answer = await look<z.output<typeof schema.SessionAnswer>>(
    "session",
    {},
    { headers: { Cookie: owner.cookie } },
  );
  succeeded(answer);
  assert.deepEqual(answer.body.owner, { name: "Ada", role: "owner" });
  assert.equal(answer.body.csrf_token, owner.csrfToken);
  assert.deepEqual(
    answer.body.profiles.map(({ public_id: id }) => id),
    mine.map(({ publicId }) => publicId),
  );
  assert.equal(answer.headers.get("Cache-Control"), "no-store");
});
