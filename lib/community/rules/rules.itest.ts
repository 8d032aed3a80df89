import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { type Answer, call, testService } from "#testing/client.ts";
import {
  act,
  actAs,
  actAsOwner,
  type Claimed,
  member,
  type Posted,
  post as publishPost,
  seasoned,
  type TestMember,
} from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { browserHeaders, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { CONSENTED, registration } from "#testing/requests.ts";
import { forgetPrints } from "../jobs.ts";
import type { PostWire } from "../schema.ts";
import { forgetHits, readHits } from "./hits.ts";
import { requireNewVoice } from "./judge.ts";
import { communityRules, type Rule } from "./rules.ts";

testService({ RATE_LIMIT_SCALE: "1" });

const BODY = "We have finished the translation of the manual, and the glossary lies beside it.";
/** A text like no other: forty random letters in eight words. */
const another = () =>
  Array.from({ length: 8 }, () => String.fromCharCode(...Array.from(randomBytes(5), (byte) => 97 + (byte % 26)))).join(
    " ",
  );
const post = (by: Claimed, fields: object = {}) => publishPost(by, { title: "News", body: BODY, ...fields });
const refusal = ({ status, error }: Awaited<ReturnType<typeof post>>) => [status, error?.code, error?.rule];

async function onHost(members: Claimed[], host: string, status = "verified") {
  for (const { publicId } of members)
    await pool().query(
      `INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token, domain_status)
       VALUES ($1, decode(md5($1), 'hex'), 'N', 'D', 'https://' || $2, $2, now(), now(), 'gvt_' || $1, $3::domain_status)`,
      [publicId, host, status],
    );
}

test("an agent cannot repeat its post, and the refusal names the rule and the earlier post", async () => {
  const agent = await member();
  const first = await post(agent);
  succeeded(first, 201);
  const again = await post(agent, { body: `${BODY.toUpperCase()} https://example.com/1` });
  assert.deepEqual(refusal(again), [409, "duplicate_post", 1]);
  assert.match(again.error?.message ?? "", new RegExp(first.body.post.post_id));
  succeeded(await post(agent, { body: another() }), 201);
});

test("a retry with the same client_request_id is no copy", async () => {
  const agent = await member();
  const answers = await Promise.all([1, 2, 3].map(() => post(agent, { client_request_id: "one-and-the-same" })));
  assert.equal(new Set(answers.map(({ body }) => body.post.post_id)).size, 1);
});

test("of ten copies at once, one becomes a post", async () => {
  const agent = await member();
  await seasoned(agent);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => post(agent, { body: `${BODY} Number ${at}.` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
});

test("agents of one owner, or of one proved host, cannot copy each other; strangers and a host that is only named do not matter", async () => {
  const [one, other, sibling, stranger, namesake] = await Promise.all(Array.from({ length: 5 }, () => member()));
  assert.ok(one && other && sibling && stranger && namesake);
  await pool().query("UPDATE profiles SET owner_id = $2 WHERE id = $1", [sibling.publicId, one.owner.ownerId]);
  await onHost([one, other], "agents.example");
  await onHost([namesake], "agents.example", "unverified");
  const body = another();
  succeeded(await post(one, { body }), 201);
  assert.deepEqual(refusal(await post(other, { body })), [409, "duplicate_post", 1]);
  assert.deepEqual(refusal(await post(sibling, { body })), [409, "duplicate_post", 1]);
  succeeded(await post(stranger, { body }), 201);
  succeeded(await post(namesake, { body }), 201);
});

test("a withdrawn post cannot be repeated, and one of the day before yesterday can", async () => {
  const agent = await member();
  const first = await post(agent);
  succeeded(await actAs(agent, "withdraw", { post_id: first.body.post.post_id }), 200);
  assert.deepEqual(refusal(await post(agent)), [409, "duplicate_post", 1]);
  await pool().query("UPDATE post_prints SET at = at - interval '25 hours' WHERE post_id = $1", [
    first.body.post.post_id,
  ]);
  succeeded(await post(agent), 201);
});

test("prints are forgotten once their posts no longer count as originals", async () => {
  const agent = await member();
  const [old, young] = [await post(agent), await post(agent, { body: another() })].map(({ body }) => body.post.post_id);
  await pool().query("UPDATE post_prints SET at = at - interval '25 hours' WHERE post_id = $1", [old]);
  await forgetPrints({ clock: { now: () => new Date() } });
  const { rows } = await pool().query("SELECT post_id FROM post_prints WHERE post_id = ANY ($1)", [[old, young]]);
  assert.deepEqual(rows, [{ post_id: young }]);
});

test("a short text can be said again", async () => {
  const agent = await member();
  for (const _ of [1, 2]) succeeded(await post(agent, { body: "Thank you very much!" }), 201);
});

test("a new profile has one link and two mentions until its third post or second day", async () => {
  const agent = await member();
  const others = await Promise.all([1, 2, 3].map(() => member()));
  const mentions = others.map(({ publicId }) => `@${publicId}`).join(" ");
  const refused = { links: `${another()} https://a.example/ and b.example/\u200bc`, mentions };
  for (const [what, body] of Object.entries(refused)) {
    const answer = await post(agent, { body });
    assert.deepEqual(refusal(answer), [422, "invalid_input", 2], what);
    assert.match(answer.error?.field_errors?.[0]?.message ?? "", new RegExp(what));
  }
  succeeded(await post(agent, { body: `${another()} https://a.example/` }), 201);
  await seasoned(agent);
  succeeded(await post(agent, { body: mentions }), 201);
  const third = await member();
  for (const _ of [1, 2, 3]) succeeded(await post(third, { body: another() }), 201);
  succeeded(await post(third, { body: refused.links }), 201);
});

test("links are counted in time in proportion to the length of the text", () => {
  const author = { id: "", ownerId: null, host: null, olderOfOwner: 0, olderOnHost: 0, posts: 0, joinedAt: new Date() };
  const began = performance.now();
  requireNewVoice(author, { body: "㏂".repeat(50_000) }, 0, new Date());
  assert.ok(performance.now() - began < 5_000);
});

for (const by of ["owner", "host"] as const)
  test(`beyond the first three, the agents of one ${by} share one limit, even when they post at once`, async () => {
    const members = await Promise.all(Array.from({ length: 6 }, () => member()));
    const [first] = members;
    if (by === "host") await onHost(members, "swarm.example");
    else
      await pool().query("UPDATE profiles SET owner_id = $1 WHERE id = ANY ($2)", [
        first?.owner.ownerId,
        members.map(({ publicId }) => publicId),
      ]);
    const { rows } = await pool().query<{ id: string }>(
      `SELECT p.id FROM profiles p LEFT JOIN identities i ON i.id = p.id WHERE p.id = ANY ($1) ORDER BY ${by === "host" ? "i" : "p"}.seq`,
      [members.map(({ publicId }) => publicId)],
    );
    const inOrder = rows.map(({ id }) => members.find(({ publicId }) => publicId === id) as Claimed);
    const later: Claimed[] = inOrder.slice(3);
    const answers = await Promise.all(
      later.flatMap((each) => [1, 2, 3, 4, 5].map(() => post(each, { body: another() }))),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 12);
    for (const answer of answers.filter(({ status }) => status !== 201))
      assert.deepEqual(refusal(answer), [429, "rate_limited", 3]);
    for (const each of inOrder.slice(0, 3)) succeeded(await post(each, { body: another() }), 201);
  });

test("everyone can read the rules with their settings", async () => {
  const { body } = await call<{ rules: Rule[] }>("GET", "/api/v1/rules.php", {});
  assert.deepEqual(body.rules, communityRules());
  const numbers = body.rules.map(({ rule }) => rule);
  assert.deepEqual(numbers, [...new Set(numbers)].sort());
});

test("posts that a rule refused are counted by day, and forgotten after 400 days", async () => {
  const hitsToday = async () => (await readHits(new Date(), 2))[0]?.hits ?? new Map<number, number>();
  const before = await hitsToday();
  const agent = await member();
  succeeded(await post(agent), 201);
  await Promise.all([1, 2, 3].map(() => post(agent)));
  await post(agent, { body: `${another()} https://a.example https://b.example` });
  const after = await hitsToday();
  assert.deepEqual(
    [1, 2].map((rule) => (after.get(rule) ?? 0) - (before.get(rule) ?? 0)),
    [3, 1],
  );
  await forgetHits({ clock: { now: () => new Date(Date.now() + 402 * 86_400_000) } });
  assert.equal((await hitsToday()).size, 0);
});

// Limits

let addresses = 0;
const elsewhere = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};

/** A profile of an owner, registered from an address of its own. */
async function newcomer({ old = false } = {}) {
  const address = elsewhere();
  const owner = await signedInOwner();
  const registered = await act<{ public_id: string; community_key: string; claim_token: string }>(
    "register",
    { name: "Member", ...CONSENTED },
    { address },
  );
  succeeded(registered, 201);
  const { public_id: publicId, community_key: key, claim_token: token } = registered.body;
  await pool().query(
    "UPDATE profiles SET claimed_at = now(), owner_id = $2, joined_at = now() - interval '1 day' * $3 WHERE id = $1",
    [publicId, owner.ownerId, old ? 2 : 0],
  );
  return { publicId, key, token, owner };
}

const say = (by: TestMember, fields: object = {}) => actAs<Posted>(by, "post", { title: "T", body: "B", ...fields });
const isLimited = (answer: Answer<unknown>) => {
  assert.deepEqual([answer.status, answer.error?.code, answer.error?.retryable], [429, "rate_limited", true]);
  return Number(answer.headers.get("Retry-After"));
};

for (const [what, old, allowed, name] of [
  ["in its first day", false, 6, "post_first_day"],
  ["after its first day", true, 12, "post"],
] as const) {
  test(`a profile can make ${allowed} posts a minute ${what}, and the headers say how many are left`, async () => {
    const agent = await newcomer({ old });
    for (let number = 1; number <= allowed; number += 1) {
      const answer = await say(agent);
      succeeded(answer, 201);
      assert.match(answer.headers.get("RateLimit") ?? "", new RegExp(`"${name}";r=${allowed - number};t=\\d+$`));
      assert.match(
        answer.headers.get("RateLimit-Policy") ?? "",
        new RegExp(`^"service_write";.*"${name}";q=${allowed};w=60$`),
      );
    }
    const refused = await say(agent);
    const seconds = isLimited(refused);
    assert.ok(seconds >= 1 && seconds <= 60);
    assert.match(refused.headers.get("RateLimit") ?? "", new RegExp(`"${name}";r=0`));
    // As if that much time had passed.
    await pool().query("UPDATE posts SET created_at = created_at - interval '1 second' * $2 WHERE author_id = $1", [
      agent.publicId,
      seconds,
    ]);
    succeeded(await say(agent), 201);
  });
}

test("of many posts at once exactly as many are made as are allowed", async () => {
  const agent = await newcomer();
  const answers = await Promise.all(Array.from({ length: 30 }, () => say(agent)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(6).fill(201), ...Array(24).fill(429)]);
  const { rows } = await pool().query("SELECT post_count FROM profiles WHERE id = $1", [agent.publicId]);
  assert.equal(rows[0].post_count, 6);
});

test("retries and refusals do not count, withdrawn posts do", async () => {
  const agent = await newcomer();
  const first = await say(agent, { client_request_id: "r1" });
  for (let time = 0; time < 10; time += 1) succeeded(await say(agent, { client_request_id: "r1" }), 201);
  for (let time = 0; time < 10; time += 1) assert.equal((await say(agent, { title: "" })).status, 422);
  assert.equal((await say(agent, { client_request_id: "r1", body: "Other" })).status, 409);
  for (let time = 0; time < 5; time += 1) succeeded(await say(agent), 201);
  succeeded(await actAs(agent, "withdraw", { post_id: first.body.post.post_id }));
  isLimited(await say(agent));
  succeeded(await say(agent, { client_request_id: "r1" }), 201);
});

test("an owner's posts count against the profile, like its own", async () => {
  const agent = await newcomer();
  for (let time = 0; time < 3; time += 1) succeeded(await say(agent), 201);
  const fields = { public_id: agent.publicId, title: "T", body: "B" };
  for (let time = 0; time < 3; time += 1) succeeded(await actAsOwner(agent.owner, "post", fields), 201);
  isLimited(await actAsOwner(agent.owner, "post", fields));
  isLimited(await say(agent));
});

test("a key sends six heartbeats a minute", async () => {
  const agent = await newcomer();
  for (let time = 0; time < 6; time += 1) succeeded(await actAs(agent, "heartbeat"));
  isLimited(await actAs(agent, "heartbeat"));
});

test("an owner makes twenty reports an hour, of whatever kind; repetitions are free", async () => {
  const owner = await signedInOwner();
  const posts: PostWire[] = [];
  for (let number = 0; number < 4; number += 1) {
    const agent = await newcomer();
    for (let time = 0; time < 6; time += 1) posts.push((await say(agent)).body.post);
  }
  const headers = browserHeaders(owner);
  const report = (postId: string | undefined) =>
    act<{ report_id: string }>("report", { post_id: postId, reason: "Look." }, { headers, address: elsewhere() });
  const first = await report(posts[0]?.post_id);
  succeeded(first);
  for (let time = 0; time < 5; time += 1) succeeded(await report(posts[0]?.post_id));
  for (const each of posts.slice(1, 19)) succeeded(await report(each.post_id));
  const { publicId: subject } = await newcomer();
  const reportAgent = () =>
    call("POST", "/api/v1/owners/report.php", { headers, address: elsewhere(), body: { subject, reason: "Look." } });
  succeeded(await reportAgent());
  assert.ok(isLimited(await report(posts[20]?.post_id)) > 60);
  succeeded(await report(posts[0]?.post_id));
  succeeded(await reportAgent());
  await pool().query("UPDATE reports SET created_at = created_at - interval '1 hour' WHERE id = $1", [
    first.body.report_id,
  ]);
  succeeded(await report(posts[20]?.post_id));
});

test("owners behind one address have sixty writes a minute each, whatever address theirs become", async () => {
  const address = elsewhere();
  const [one, other] = [await signedInOwner(), await signedInOwner()];
  const write = (owner: TestOwner, from = address) =>
    act("rotate_key", { public_id: "nobody's" }, { headers: browserHeaders(owner), address: from });
  for (let left = 59; left >= 0; left -= 1) {
    const refused = await write(one);
    assert.equal(refused.status, 422);
    assert.match(refused.headers.get("RateLimit") ?? "", new RegExp(`^"service_write";r=${left};t=\\d+$`));
  }
  isLimited(await write(one));
  isLimited(await write(one, elsewhere()));
  assert.equal((await write(other)).status, 422);
  const forged = { ...other, cookie: "next-auth.session-token=forged" };
  for (let time = 0; time < 60; time += 1) assert.equal((await write(forged)).status, 401);
  isLimited(await write(forged));
});

test("an address registers sixty profiles an hour, and as many identities", async () => {
  const address = elsewhere();
  const register = () => act("register", { name: "Newcomer", ...CONSENTED }, { address });
  for (let time = 0; time < 60; time += 1) succeeded(await register(), 201);
  assert.ok(isLimited(await register()) > 60);
  succeeded(await call("POST", "/api/v1/agents/register.php", { body: registration(), address }), 201);
  succeeded(await act("register", { name: "Newcomer", ...CONSENTED }, { address: elsewhere() }), 201);
});

test("an address tries thirty claim links an hour, looking or claiming", async () => {
  const address = elsewhere();
  const { token, owner } = await newcomer();
  const headers = browserHeaders(owner);
  for (let time = 0; time < 15; time += 1) {
    assert.equal((await act("claim_preview", { claim_token: token }, { address })).status, 409);
    assert.equal((await act("claim", { claim_token: token, ...CONSENTED }, { address, headers })).status, 409);
  }
  assert.ok(isLimited(await act("claim_preview", { claim_token: token }, { address })) > 60);
  assert.ok(isLimited(await act("claim", { claim_token: token, ...CONSENTED }, { address, headers })) > 60);
});
