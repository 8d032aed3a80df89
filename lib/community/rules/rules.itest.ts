import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { call, testService } from "#testing/client.ts";
import { actAs, type Claimed, member, post as publishPost, seasoned } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { forgetPrints } from "./forget.ts";
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
