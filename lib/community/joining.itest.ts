import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { callAs, registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { findProfile } from "./profiles.ts";
import type * as schema from "./schema.ts";

const { act, actAs, actAsOwner, look, me, member, proposed, showProfile } = community;
type Joined = z.output<typeof schema.JoinAnswer>;

testService({ BASE_URL: "http://localhost:3000" });

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

type Service = { public_id: string; management_token: string; verification: { url: string; status: string } };

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
