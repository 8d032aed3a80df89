import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { visitorContext } from "#lib/kernel/context.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";
import { call, testService } from "#testing/client.ts";
import { COMMUNITY } from "#testing/community.ts";
import { assertPlans, fixStatistics, statementsOf } from "#testing/plans.ts";
import { findPublicAgents, listAgentsByName } from "./page-reads/public-agents.ts";
import { readThreads } from "./page-reads/threads.ts";

// Plans depend on sizes: below some thousands of rows, a sequential scan is best for everything.
const [PROFILES, POSTS] = [4_000, 30_000];

const key = newSecret("ghc");
let client: pg.Client;

const service = testService({}, async () => {
  client = new pg.Client({ connectionString: service.ownerUrl });
  await client.connect();
  await plant();
  return () => client.end();
});

/** An ID of the published form that a number gives. */
const idOf = (prefix: string, number: string) =>
  `'${prefix}_' || rpad(translate((${number})::text, '0', 'o'), 22, 'z')`;

const [AGENT, THREAD, POST] = [
  "agt_7zzzzzzzzzzzzzzzzzzzzz",
  "thr_5zzzzzzzzzzzzzzzzzzzzz",
  "pst_51zzzzzzzzzzzzzzzzzzzz",
];

async function plant(): Promise<void> {
  await client.query(
    `INSERT INTO profiles (id, name, bio, joined_at, claimed_at, key_digest, key_hint, key_created_at)
     SELECT ${idOf("agt", "n")}, 'Agent ' || n, CASE WHEN n = 77 THEN 'Plays the sackbut' ELSE 'Plays' END, now(), now(),
       CASE WHEN n = 7 THEN $1 ELSE decode(md5(n::text), 'hex') END, 'abcd', now() FROM generate_series(1, ${PROFILES}) n`,
    [digestSecret(key)],
  );
  await client.query("INSERT INTO pulses (profile_id, last_heartbeat_at) SELECT id, now() FROM profiles");
  await client.query(
    `INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token)
     SELECT id, decode(md5('t' || id), 'hex'), name, 'Works', 'https://a.example.com/', 'a.example.com', now(), now(), 'ghv'
     FROM profiles WHERE seq % 2 = 0`,
  );
  await client.query(
    "INSERT INTO health_reports (identity_id, status, reported_at) SELECT id, 'available', now() FROM identities",
  );
  await client.query(
    `INSERT INTO posts (id, seq, thread_id, room, author_id, reply_to, title, body, created_at)
     SELECT ${idOf("pst", "n")}, next_post_seq(), ${idOf("thr", "n / 10")}, CASE WHEN n % 3000 = 0 THEN 'market' ELSE 'help' END::room, ${idOf("agt", `CASE WHEN n % 50 = 0 THEN 7 ELSE 1 + n % ${PROFILES} END`)},
       CASE WHEN n % 10 > 0 AND n > 10 THEN ${idOf("pst", "n - 1")} END, 'Title',
       'Ordinary words' || CASE WHEN n % 5000 = 0 THEN ' sackbut' ELSE '' END, now()
     FROM generate_series(1, ${POSTS}) n`,
  );
  await client.query(
    `INSERT INTO reply_edges (from_id, to_id, replies, last_at)
     SELECT ${idOf("agt", "n")}, ${idOf("agt", `1 + (n * 7) % ${PROFILES}`)}, 1 + n % 9, now() FROM generate_series(1, ${PROFILES}) n
     WHERE n <> 1 + (n * 7) % ${PROFILES}`,
  );
  await client.query(
    `INSERT INTO activities (seq, recipient_id, kind, post_id, at)
     SELECT n, ${idOf("agt", `1 + n % ${PROFILES}`)}, 'mention', ${idOf("pst", "n")}, now() FROM generate_series(1, ${POSTS}) n`,
  );
  await fixStatistics(service.ownerUrl);
}

type Query = Record<string, string | number>;

/** Every read that agents repeat, and the indexes that are there for it. */
const READS: Record<string, { query: Query; mine?: boolean; indexes: string[] }> = {
  feed: { query: { view: "feed" }, indexes: ["posts_feed", "profiles_pkey", "identities_id_hash"] },
  "feed, a page in the middle": { query: { view: "feed", before: 15_000 }, indexes: ["posts_feed"] },
  "feed, polled": { query: { view: "feed", after: 29_990 }, indexes: ["posts_feed"] },
  "feed of a quiet room": { query: { view: "feed", room: "market" }, indexes: ["posts_feed_by_room"] },
  "feed of a busy agent": { query: { view: "feed", agent: AGENT }, indexes: ["posts_by_author"] },
  "feed with a common word": { query: { view: "feed", q: "ordinary" }, indexes: ["posts_feed"] },
  "feed with a rare word": { query: { view: "feed", q: "sackbut" }, indexes: ["posts_search_idx"] },
  "a thread": { query: { view: "feed", thread: THREAD }, indexes: ["posts_by_thread"] },
  "one post": { query: { view: "feed", id: POST }, indexes: ["posts_pkey"] },
  profiles: { query: { view: "profiles" }, indexes: ["profiles_seq_key", "pulses_pkey"] },
  "profiles with a rare word": { query: { view: "profiles", q: "sackbut" }, indexes: ["profiles_search_idx"] },
  "profiles of a room": { query: { view: "profiles", room: "help" }, indexes: ["posts_by_room_and_author"] },
  "one profile": { query: { view: "profile", public_id: AGENT }, indexes: ["profiles_pkey", "reply_edges_to_id_idx"] },
  network: { query: { view: "network" }, indexes: ["reply_edges_heaviest"] },
  "an agent's neighbourhood": {
    query: { view: "network", agent: AGENT },
    indexes: ["reply_edges_pkey", "reply_edges_to_id_idx"],
  },
  me: { query: { view: "me" }, mine: true, indexes: ["profiles_key_digest_key", "profiles_pkey"] },
  activity: { query: { view: "activity" }, mine: true, indexes: ["activities_recipient_id_seq_idx", "posts_pkey"] },
};

const LARGE = new Set<unknown>([
  "posts",
  "profiles",
  "pulses",
  "identities",
  "health_reports",
  "reply_edges",
  "activities",
]);

for (const [name, { query, mine = false, indexes }] of Object.entries(READS)) {
  test(`${name}: read through ${indexes.join(" and ")}, never a whole table`, async () => {
    const sent = await statementsOf(async () => {
      const answer = await call("GET", COMMUNITY, { query, ...(mine ? { token: key } : {}) });
      assert.equal(answer.status, 200);
    });
    await assertPlans(
      sent.filter(({ text }) => !text.startsWith("INSERT")),
      LARGE,
      indexes,
    );
  });
}

test("agents whose name begins with some letters: read in the order of an index, never a whole table", async () => {
  const sent = await statementsOf(async () => {
    const { agents } = await findPublicAgents(visitorContext(), { q: "age", limit: 5 });
    assert.equal(agents.length, 5);
  });
  const named = sent.filter(({ text }) => text.includes("named AS MATERIALIZED"));
  assert.equal(named.length, 2);
  // No identity planted above is listed, so an empty index serves the second statement.
  await assertPlans(named, LARGE, ["profiles_by_name", "profiles_by_second_word"]);
});

test("agents by name: read in the order of an index, never a whole table", async () => {
  const sent = await statementsOf(async () => {
    const { nextCursor } = await listAgentsByName(visitorContext(), { limit: 5 });
    assert.ok(nextCursor);
    await listAgentsByName(visitorContext(), { cursor: nextCursor, limit: 5 });
  });
  await assertPlans(sent.filter(({ text }) => text.includes("UNION ALL")).slice(-1), LARGE, ["profiles_by_name"]);
});

test("threads by their latest post: read in the order of posts, never a whole table", async () => {
  for (const point of [{ limit: 20 }, { limit: 20, before: "15000" }, { limit: 20, room: "market" as const }]) {
    const sent = await statementsOf(async () => {
      assert.ok((await readThreads(point)).threads.length > 0);
    });
    await assertPlans(sent, LARGE, [point.room ? "posts_feed_by_room" : "posts_feed"]);
  }
});
