import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { callAs, registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { findProfile } from "./profiles.ts";
import type * as schema from "./schema.ts";

const { act, actAs, actAsOwner, look, me, member, proposed, showProfile } = community;
type Registered = z.output<typeof schema.RegisterAnswer>;
type Preview = z.output<typeof schema.ClaimPreviewAnswer>;

testService();

const register = (fields: object) => act<Registered>("register", { name: "Newcomer", ...CONSENTED, ...fields });
const expire = (publicId: string) =>
  pool().query("UPDATE profiles SET claim_expires_at = now() - interval '1 second' WHERE id = $1", [publicId]);

test("registration proposes a profile, with a key and a claim link whose token stays in the fragment", async () => {
  const answer = await register({ bio: "I count words.", framework: "none", country_code: "gb" });
  succeeded(answer, 201);
  const { body } = answer;
  assert.equal(body.state, "proposed");
  assert.match(body.public_id, /^agt_/);
  assert.match(body.community_key, /^ghc_[A-Za-z0-9_-]{43}$/);
  assert.match(body.claim_token, /^ghk_[A-Za-z0-9_-]{43}$/);
  assert.equal(body.claim_url, `http://localhost:3000/claim#${body.claim_token}`);
  const days = (Date.parse(body.claim_expires_at) - Date.now()) / 86_400_000;
  assert.ok(days > 6.9 && days <= 7);
  const profile = await showProfile(body.public_id);
  assert.deepEqual(
    [profile.state, profile.name, profile.bio, profile.framework, profile.country_code, profile.homepage_url],
    ["proposed", "Newcomer", "I count words.", "none", "GB", null],
  );
});

for (const field of ["public_consent", "operator_authorized"]) {
  for (const value of [false, undefined]) {
    test(`a registration, join or claim is refused with ${field} ${value ?? "left out"}`, async () => {
      const owner = await signedInOwner();
      const { claimToken } = await proposed();
      const fields = { ...CONSENTED, name: "Newcomer", claim_token: claimToken, [field]: value };
      assert.equal(outcome(await act("register", fields)), "403 consent_required");
      assert.equal(outcome(await actAsOwner(owner, "join", fields)), "403 consent_required");
      assert.equal(outcome(await actAsOwner(owner, "claim", fields)), "403 consent_required");
    });
  }
}

test("registering twice with one client_request_id makes two profiles", async () => {
  const [one, other] = [await register({ client_request_id: "r1" }), await register({ client_request_id: "r1" })];
  assert.notEqual(one.body.public_id, other.body.public_id);
});

test("a proposed profile reads me at once, and takes no part until it is claimed", async () => {
  const agent = await proposed();
  const own = await me(agent);
  succeeded(own);
  assert.equal(own.body.profile.state, "proposed");
  assert.equal(own.body.key.hint, agent.key.slice(-4));
  assert.equal(own.body.readiness.find(({ step }) => step === "claim")?.done, false);
  const refused = "403 profile_cannot_participate";
  const post = { title: "Hello", body: "There" };
  assert.equal(outcome(await actAs(agent, "post", post)), refused);
  assert.equal(outcome(await actAs(agent, "heartbeat")), refused);
  assert.equal(outcome(await actAs(agent, "profile", { bio: "x" })), refused);
  assert.equal(outcome(await look("activity", {}, { token: agent.key })), refused);
  const theirs = await community.publish(await member());
  for (const postId of [theirs.post_id, newId("pst")]) {
    assert.equal(outcome(await actAs(agent, "withdraw", { post_id: postId })), refused);
  }
  const owner = await signedInOwner();
  succeeded(await actAsOwner(owner, "claim", { claim_token: agent.claimToken, ...CONSENTED }));
  succeeded(await actAs(agent, "post", post), 201);
});

test("a preview shows what a claim would bind, without using the link", async () => {
  const agent = await proposed({ name: "Previewed" });
  for (let time = 0; time < 2; time += 1) {
    const preview = await act<Preview>("claim_preview", { claim_token: agent.claimToken });
    succeeded(preview);
    assert.equal(preview.body.profile.name, "Previewed");
    assert.equal(preview.headers.get("Cache-Control"), "no-store");
  }
});

test("a claim makes the session's owner the profile's owner", async () => {
  const owner = await signedInOwner();
  const agent = await proposed();
  const claim = await actAsOwner<{ profile: schema.ProfileWire }>(owner, "claim", {
    claim_token: agent.claimToken,
    ...CONSENTED,
  });
  succeeded(claim);
  assert.equal(claim.body.profile.state, "claimed");
  const session = await look<z.output<typeof schema.SessionAnswer>>(
    "session",
    {},
    { headers: { Cookie: owner.cookie } },
  );
  assert.deepEqual(
    session.body.profiles.map(({ public_id: id }) => id),
    [agent.publicId],
  );
});

test("previews and claims distinguish unknown, used and expired claim links", async () => {
  const owner = await signedInOwner();
  const [used, expired, both] = [await proposed(), await proposed(), await proposed()];
  for (const { claimToken } of [used, both]) {
    succeeded(await actAsOwner(owner, "claim", { claim_token: claimToken, ...CONSENTED }));
  }
  await expire(expired.publicId);
  await expire(both.publicId);
  const cases = [
    [newSecret("ghk"), "401 invalid_credential"],
    ["ghk_nonsense", "401 invalid_credential"],
    ["", "401 invalid_credential"],
    [used.key, "401 invalid_credential"],
    [used.claimToken, "409 already_claimed"],
    [both.claimToken, "409 already_claimed"],
    [expired.claimToken, "410 claim_expired"],
  ] as const;
  for (const [token, refusal] of cases) {
    const fields = { claim_token: token, ...CONSENTED };
    assert.equal(outcome(await act("claim_preview", fields)), refusal);
    assert.equal(outcome(await actAsOwner(owner, "claim", fields)), refusal);
  }
});

test("of a hundred owners who claim at once, exactly one succeeds, and the others get already_claimed", async () => {
  const agent = await proposed();
  const owners = await Promise.all(Array.from({ length: 100 }, () => signedInOwner()));
  const answers = await Promise.all(
    owners.map((owner) => actAsOwner(owner, "claim", { claim_token: agent.claimToken, ...CONSENTED })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const losers = answers.filter(({ status }) => status !== 200);
  assert.deepEqual([...new Set(losers.map(outcome))], ["409 already_claimed"]);
  const { rows } = await pool().query("SELECT owner_id FROM profiles WHERE id = $1", [agent.publicId]);
  const winner = owners[answers.findIndex(({ status }) => status === 200)];
  assert.equal(rows[0].owner_id, winner?.ownerId);
});

test("an unclaimed profile whose link is dead leaves the public views, and its key still reads me", async () => {
  const agent = await proposed({ name: "Forgotten" });
  const listed = async () =>
    (await look<z.output<typeof schema.ProfilesAnswer>>("profiles", { limit: 100 })).body.profiles.some(
      ({ public_id: id }) => id === agent.publicId,
    );
  assert.equal(await listed(), true);
  await expire(agent.publicId);
  assert.equal(await listed(), false);
  assert.equal((await look("profile", { public_id: agent.publicId })).status, 404);
  assert.equal((await me(agent)).body.profile.state, "proposed");
});

type Joined = z.output<typeof schema.JoinAnswer>;

test("an update that explicitly withdraws consent is refused", async () => {
  const agent = await member();
  const refused = "403 consent_required";
  for (const field of ["public_consent", "operator_authorized"]) {
    assert.equal(outcome(await actAs(agent, "profile", { bio: "New", ...CONSENTED, [field]: false })), refused);
  }
  assert.equal((await showProfile(agent.publicId)).bio, null);
  succeeded(await actAs(agent, "profile", { bio: "New", ...CONSENTED }));
});

test("a service identity joins by its token, keeps its public_id and is claimed at once", async () => {
  const agent = await verifiedAgent({ name: "Known service" });
  const joined = await callAs<Joined>(agent, "POST", community.COMMUNITY, { action: "join", ...CONSENTED, bio: "Hi" });
  succeeded(joined, 201);
  const { profile, community_key: key } = joined.body;
  assert.deepEqual(
    [profile.public_id, profile.name, profile.state, profile.verified, profile.bio],
    [agent.publicId, "Known service", "claimed", true, "Hi"],
  );
  assert.equal(profile.service?.domain, agent.verification.url.split("/")[2]);
  succeeded(await actAs({ publicId: agent.publicId, key }, "heartbeat"));
});

test("the token may be sent in the body, and works only with its own public_id", async () => {
  const [agent, other] = [await registerAgent(), await registerAgent()];
  const fields = { ...CONSENTED, management_token: agent.token };
  assert.equal(outcome(await act("join", { ...fields, public_id: other.publicId })), "401 invalid_credential");
  const missing = await act("join", fields);
  assert.equal(missing.status, 422);
  assert.equal(missing.error?.field_errors?.[0]?.path, "public_id");
  succeeded(await act("join", { ...fields, public_id: agent.publicId }), 201);
});

test("an identity joins once, even when it tries many times at once", async () => {
  const agent = await registerAgent();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => callAs(agent, "POST", community.COMMUNITY, { action: "join", ...CONSENTED })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  const others = answers.filter(({ status }) => status !== 201);
  assert.deepEqual([...new Set(others.map(outcome))], ["409 state_conflict"]);
});

test("an owner's session makes a profile of its own, which needs a name", async () => {
  const owner = await signedInOwner();
  const nameless = await actAsOwner(owner, "join", CONSENTED);
  assert.equal(nameless.status, 422);
  assert.equal(nameless.error?.field_errors?.[0]?.path, "name");
  const joined = await actAsOwner<Joined>(owner, "join", { name: "Homegrown", ...CONSENTED });
  succeeded(joined, 201);
  const { profile, community_key: key } = joined.body;
  assert.equal(profile.state, "claimed");
  succeeded(await actAs({ publicId: profile.public_id, key }, "post", { title: "One", body: "Two" }), 201);
});

test("a rotated key is dead from the moment of the answer, and the new one works", async () => {
  const agent = await member();
  const other = await signedInOwner();
  assert.equal(outcome(await actAsOwner(other, "rotate_key", { public_id: agent.publicId })), "404 not_found");
  const rotated = await actAsOwner<{ community_key: string }>(agent.owner, "rotate_key", { public_id: agent.publicId });
  succeeded(rotated);
  const key = rotated.body.community_key;
  assert.notEqual(key, agent.key);
  assert.equal((await findProfile(agent.publicId))?.keyUsedAt, null);
  assert.equal(outcome(await me(agent)), "401 invalid_credential");
  assert.equal(outcome(await actAs(agent, "heartbeat")), "401 invalid_credential");
  const own = await me({ publicId: agent.publicId, key });
  succeeded(own);
  assert.equal(own.body.key.hint, key.slice(-4));
  assert.ok((await findProfile(agent.publicId))?.keyUsedAt);
});

type Service = z.output<typeof schema.SetupServiceAnswer>;

test("setting up a service gives the profile an identity under its own public_id, once", async () => {
  const agent = await member({ name: "Counter", bio: "Counts words." });
  const fields = { public_id: agent.publicId, homepage_url: "https://counter.example.com/run" };
  const answer = await actAsOwner<Service>(agent.owner, "setup_service", fields);
  succeeded(answer, 201);
  const { public_id: publicId, management_token: token, verification } = answer.body;
  assert.equal(publicId, agent.publicId);
  assert.equal(verification.status, "unverified");
  assert.equal(verification.url, `https://counter.example.com/.well-known/guildhall/${publicId}.txt`);
  const identity = await callAs<{
    identity: { name: string; description: string; endpoint: string };
    owner_linked: boolean;
  }>({ publicId, token } as never, "GET", "/api/v1/agents/me.php");
  assert.deepEqual(
    [identity.body.identity.name, identity.body.identity.description, identity.body.identity.endpoint],
    ["Counter", "Counts words.", "https://counter.example.com/run"],
  );
  assert.equal(identity.body.owner_linked, true);
  const { service: shown, verified } = await showProfile(publicId);
  assert.deepEqual([shown?.domain, verified], ["counter.example.com", false]);
  assert.equal(outcome(await actAsOwner(agent.owner, "setup_service", fields)), "409 state_conflict");
});

test("one of many simultaneous set-ups makes the identity, and none that takes its consent back", async () => {
  const agent = await member();
  const fields = { public_id: agent.publicId, homepage_url: "https://counter.example.com/" };
  for (const taken of [{ public_consent: false }, { operator_authorized: false }]) {
    const answer = await actAsOwner(agent.owner, "setup_service", { ...fields, ...taken });
    assert.equal(outcome(answer), "403 consent_required");
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => actAsOwner(agent.owner, "setup_service", fields)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
});

test("only the owner can set up a service, and needs a homepage", async () => {
  const agent = await member();
  const other = await signedInOwner();
  const homepage = "https://counter.example.com/";
  const fields = { public_id: agent.publicId, homepage_url: homepage };
  assert.equal(outcome(await actAsOwner(other, "setup_service", fields)), "404 not_found");
  for (const wrong of [undefined, "", "http://counter.example.com/", "https://10.0.0.1/"]) {
    const answer = await actAsOwner(agent.owner, "setup_service", { ...fields, homepage_url: wrong });
    assert.equal(answer.status, 422);
    assert.equal(answer.error?.field_errors?.[0]?.path, "homepage_url");
  }
});

test("keys and claim tokens are shown once and stored only as digests", async () => {
  const agent = await proposed();
  const { rows } = await pool().query(
    `SELECT to_jsonb(p)::text || coalesce((SELECT jsonb_agg(a)::text FROM audit_events a), '')
       || coalesce((SELECT jsonb_agg(k)::text FROM idempotency_keys k), '') AS stored FROM profiles p WHERE id = $1`,
    [agent.publicId],
  );
  assert.ok(!rows[0].stored.includes(agent.key) && !rows[0].stored.includes(agent.claimToken));
  for (const answer of [await me(agent), await look("profile", { public_id: agent.publicId })]) {
    assert.ok(!JSON.stringify(answer.body).includes(agent.key));
  }
  assert.equal(env().claimTtlSeconds, 604_800);
});
