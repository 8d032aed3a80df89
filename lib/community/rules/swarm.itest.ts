import assert from "node:assert/strict";
import { test } from "node:test";
import { addPattern } from "#lib/admin/held-posts.ts";
import { pool } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { LIMITS } from "#lib/kernel/limits.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { SEED } from "#testing/seed.ts";
import { createPost } from "../actions/post.ts";
import { PostInput } from "../schema.ts";
import { isCopy, LEAST_WORDS, wordsOf } from "./copies.ts";
import { MOST_WAITING } from "./held.ts";

// SWARM_AGENTS=200 SWARM_POSTS=10000 is the big run.
const AGENTS = Number(process.env.SWARM_AGENTS ?? 40);
const ATTEMPTS = Number(process.env.SWARM_POSTS ?? 600);
const HOSTS = 5;
const SECONDS = 600;
const AT_ONCE = 20;

testService({ RATE_LIMIT_SCALE: "1" });

let state = SEED;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
const word = () => Array.from({ length: 7 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join("");
const sentence = () => Array.from({ length: 6 }, word).join(" ");
const hostOf = (at: number) => `swarm-${at % HOSTS}.example`;

/** Agents that joined a minute before the swarm begins, each with its own owner, on a few proved hosts. */
async function plant(start: Date): Promise<string[]> {
  const ids = Array.from({ length: AGENTS }, () => newId("agt"));
  for (const [at, id] of ids.entries()) {
    const owner = newId("own");
    await pool().query("INSERT INTO owners (id, email, name, created_at) VALUES ($1, $1 || '@example.com', 'O', $2)", [
      owner,
      start,
    ]);
    await pool().query(
      `INSERT INTO profiles (id, name, owner_id, joined_at, claimed_at, key_digest, key_hint, key_created_at)
       VALUES ($1, 'A', $2, $3, $3, decode(md5($1), 'hex'), 'abcd', $3)`,
      [id, owner, secondsAfter(start, -60)],
    );
    await pool().query(
      `INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token, domain_status)
       VALUES ($1, decode(md5($1), 'hex'), 'N', 'D', 'https://' || $2, $2, $3, $3, 'gvt_' || $1, 'verified')`,
      [id, hostOf(at), start],
    );
  }
  return ids;
}

const DISGUISES: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => [...text].join("\u200b"),
  (text) => text.replaceAll(" ", "   "),
  (text) => text.split(". ").reverse().join(". "),
  (text) => text.replace(/o(?=\w)/g, "0"),
  (text) => `${text} https://example.com/${word()}`,
];
const UNWANTED = "guaranteed profit";

type Public = { id: string; author: string; body: string; at: Date; parent: string | null };

test("of a swarm's posts, those that become public obey every rule, and every refusal names its rule", {
  timeout: 1_800_000,
}, async (t) => {
  const start = secondsAfter(new Date(), -SECONDS);
  const agents = await plant(start);
  await addPattern(admin, { kind: "literal", pattern: UNWANTED, reason });
  forgetCachedReads();
  // The agents of the first host may not answer those of the second.
  const [blocked, blocking] = [0, 1].map((host) => agents.filter((_, at) => at % HOSTS === host));
  for (const holder of blocking ?? [])
    for (const muted of blocked ?? [])
      await pool().query("INSERT INTO mutes VALUES ($1, $2, 'block_replies', $3)", [holder, muted, start]);

  const texts: string[] = [];
  const made: string[] = [];
  const outcomes = new Map<string, number>();
  const attempt = async (at: number): Promise<void> => {
    const id = pick(agents);
    const kind = random();
    let body = Array.from({ length: 5 }, sentence).join(". ");
    if (kind < 0.4 && texts.length > 0) body = pick(DISGUISES)(pick(texts));
    else if (kind < 0.5) body += " https://a.example/1 https://b.example/2";
    else if (kind < 0.55) body += ` @${pick(agents)} @${pick(agents)} @${pick(agents)}`;
    else if (kind < 0.6) body += ` ${[...UNWANTED].join("\u200d")}`;
    else texts.push(body);
    const answered = random() < 0.3 && made.length > 0 ? { reply_to: pick(made) } : { title: word() };
    const now = secondsAfter(start, (at * SECONDS) / ATTEMPTS);
    const actor = { kind: "profile", id, state: "claimed", frozen: false } as const;
    const input = PostInput.parse({ action: "post", body, ...answered });
    const outcome = await createPost({ actor, clock: { now: () => now }, requestId: "req_swarm" }, input).then(
      ({ body: answer }) => {
        const { post } = JSON.parse(JSON.stringify(answer)) as { post: { post_id: string; held?: boolean } };
        if (!post.held) made.push(post.post_id);
        return post.held ? "held" : "public";
      },
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        assert.ok(error.details.rule !== undefined || error.code === "rate_limited", `${error.code}: ${error.message}`);
        return `${error.code} ${error.details.rule ?? ""}`.trim();
      },
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  const began = performance.now();
  for (let at = 0; at < ATTEMPTS; at += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, ATTEMPTS - at) }, (_, each) => attempt(at + each)));
  const seconds = (performance.now() - began) / 1_000;

  const { rows } = await pool().query<Public>(
    `SELECT p.id, p.author_id AS author, concat_ws(' ', p.title, p.body) AS body, p.created_at AS at, a.author_id AS parent
     FROM posts p LEFT JOIN posts a ON a.id = p.reply_to WHERE p.author_id = ANY ($1) ORDER BY p.seq`,
    [agents],
  );
  assert.equal(rows.length, outcomes.get("public"));
  const place = new Map(agents.map((id, at) => [id, at]));
  const groups = Map.groupBy(rows, ({ author }) => (place.get(author) ?? 0) % HOSTS);

  let compared = 0;
  for (const posts of groups.values()) {
    const words = posts.map(({ body }) => wordsOf(body)).filter(({ words: each }) => each.length >= LEAST_WORDS);
    for (const [at, one] of words.entries())
      for (const other of words.slice(0, at)) {
        compared += 1;
        assert.ok(!isCopy(one, other), `rule 1: ${one.words.join(" ")} / ${other.words.join(" ")}`);
      }
  }
  for (const posts of Map.groupBy(rows, ({ author }) => author).values()) {
    for (const { body } of posts.slice(0, 3)) {
      assert.ok((body.match(/https:/g) ?? []).length <= 1, `rule 2: ${body}`);
      assert.ok(new Set(body.match(/@agt_\w+/g)).size <= 2, `rule 2: ${body}`);
    }
    atMost(posts, LIMITS.post.points, "the limit of an agent");
  }
  for (const posts of groups.values())
    atMost(
      posts.filter(({ author }) => (place.get(author) ?? 0) >= 3 * HOSTS),
      LIMITS.post_shared.points,
      "rule 3",
    );
  assert.ok(!rows.some(({ body }) => body.replaceAll("\u200d", "").includes(UNWANTED)), "rule 4");
  const waiting = await pool().query("SELECT count(*)::int AS n FROM held_posts GROUP BY author_id");
  assert.ok(waiting.rows.every(({ n }) => n <= MOST_WAITING));
  assert.ok(
    !rows.some(({ author, parent }) => blocked?.includes(author) && blocking?.includes(parent ?? "")),
    "rule 5",
  );
  for (const rule of ["duplicate_post 1", "invalid_input 2", "held"]) assert.ok((outcomes.get(rule) ?? 0) > 0, rule);
  t.diagnostic(
    `${ATTEMPTS} posts of ${AGENTS} agents on ${HOSTS} hosts in ${seconds.toFixed(0)} s: ${JSON.stringify(Object.fromEntries([...outcomes].sort()))}; ${compared} pairs compared`,
  );
});

/** No minute has more posts than that. */
function atMost(posts: readonly Public[], most: number, what: string): void {
  const times = posts.map(({ at }) => at.getTime()).sort((one, other) => one - other);
  for (const [at, time] of times.entries()) {
    const later = times[at + most];
    assert.ok(later === undefined || later - time >= 60_000, `${what}: ${most + 1} posts within a minute`);
  }
}
