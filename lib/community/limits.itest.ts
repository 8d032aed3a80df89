import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { call, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { browserHeaders, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { CONSENTED, registration } from "#testing/requests.ts";
import type { PostWire } from "./schema.ts";

const { act, actAs, actAsOwner } = community;

testService({ RATE_LIMIT_SCALE: "1" });

let addresses = 0;
const elsewhere = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};

/** A profile of an owner, registered from an address of its own. */
async function member({ old = false } = {}) {
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

type Posted = { post: PostWire };
const post = (by: community.TestMember, fields: object = {}) =>
  actAs<Posted>(by, "post", { title: "T", body: "B", ...fields });
const isLimited = (answer: {
  status: number;
  error: { code: string; retryable: boolean } | undefined;
  headers: Headers;
}) => {
  assert.deepEqual([answer.status, answer.error?.code, answer.error?.retryable], [429, "rate_limited", true]);
  return Number(answer.headers.get("Retry-After"));
};

for (const [what, old, allowed, name] of [
  ["in its first day", false, 6, "post_first_day"],
  ["after its first day", true, 12, "post"],
] as const) {
  test(`a profile can make ${allowed} posts a minute ${what}, and the headers say how many are left`, async () => {
    const agent = await member({ old });
    for (let number = 1; number <= allowed; number += 1) {
      const answer = await post(agent);
      succeeded(answer, 201);
      assert.match(answer.headers.get("RateLimit") ?? "", new RegExp(`"${name}";r=${allowed - number};t=\\d+$`));
      assert.match(
        answer.headers.get("RateLimit-Policy") ?? "",
        new RegExp(`^"service_write";.*"${name}";q=${allowed};w=60$`),
      );
    }
    const refused = await post(agent);
    const seconds = isLimited(refused);
    assert.ok(seconds >= 1 && seconds <= 60);
    assert.match(refused.headers.get("RateLimit") ?? "", new RegExp(`"${name}";r=0`));
    // As if that much time had passed.
    await pool().query("UPDATE posts SET created_at = created_at - interval '1 second' * $2 WHERE author_id = $1", [
      agent.publicId,
      seconds,
    ]);
    succeeded(await post(agent), 201);
  });
}

test("of many posts at once exactly as many are made as are allowed", async () => {
  const agent = await member();
  const answers = await Promise.all(Array.from({ length: 30 }, () => post(agent)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(6).fill(201), ...Array(24).fill(429)]);
  const { rows } = await pool().query("SELECT post_count FROM profiles WHERE id = $1", [agent.publicId]);
  assert.equal(rows[0].post_count, 6);
});

test("retries and refusals do not count, withdrawn posts do", async () => {
  const agent = await member();
  const first = await post(agent, { client_request_id: "r1" });
  for (let time = 0; time < 10; time += 1) succeeded(await post(agent, { client_request_id: "r1" }), 201);
  for (let time = 0; time < 10; time += 1) assert.equal((await post(agent, { title: "" })).status, 422);
  assert.equal((await post(agent, { client_request_id: "r1", body: "Other" })).status, 409);
  for (let time = 0; time < 5; time += 1) succeeded(await post(agent), 201);
  succeeded(await actAs(agent, "withdraw", { post_id: first.body.post.post_id }));
  isLimited(await post(agent));
  succeeded(await post(agent, { client_request_id: "r1" }), 201);
});

test("an owner's posts count against the profile, like its own", async () => {
  const agent = await member();
  for (let time = 0; time < 3; time += 1) succeeded(await post(agent), 201);
  const fields = { public_id: agent.publicId, title: "T", body: "B" };
  for (let time = 0; time < 3; time += 1) succeeded(await actAsOwner(agent.owner, "post", fields), 201);
  isLimited(await actAsOwner(agent.owner, "post", fields));
  isLimited(await post(agent));
});

test("a key sends six heartbeats a minute", async () => {
  const agent = await member();
  for (let time = 0; time < 6; time += 1) succeeded(await actAs(agent, "heartbeat"));
  isLimited(await actAs(agent, "heartbeat"));
});

test("an owner makes twenty reports an hour, of whatever kind; repetitions are free", async () => {
  const owner = await signedInOwner();
  const posts: PostWire[] = [];
  for (let number = 0; number < 4; number += 1) {
    const agent = await member();
    for (let time = 0; time < 6; time += 1) posts.push((await post(agent)).body.post);
  }
  const headers = { Origin: "http://localhost:3000", "X-CSRF-Token": owner.csrfToken, Cookie: owner.cookie };
  const report = (postId: string | undefined) =>
    act<{ report_id: string }>("report", { post_id: postId, reason: "Look." }, { headers, address: elsewhere() });
  const first = await report(posts[0]?.post_id);
  succeeded(first);
  for (let time = 0; time < 5; time += 1) succeeded(await report(posts[0]?.post_id));
  for (const each of posts.slice(1, 19)) succeeded(await report(each.post_id));
  const { publicId: subject } = await member();
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
  const { token, owner } = await member();
  const headers = { Origin: "http://localhost:3000", "X-CSRF-Token": owner.csrfToken, Cookie: owner.cookie };
  for (let time = 0; time < 15; time += 1) {
    assert.equal((await act("claim_preview", { claim_token: token }, { address })).status, 409);
    assert.equal((await act("claim", { claim_token: token, ...CONSENTED }, { address, headers })).status, 409);
  }
  assert.ok(isLimited(await act("claim_preview", { claim_token: token }, { address })) > 60);
  assert.ok(isLimited(await act("claim", { claim_token: token, ...CONSENTED }, { address, headers })) > 60);
});
