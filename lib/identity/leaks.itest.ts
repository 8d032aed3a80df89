import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDomain } from "#lib/admin/check-domain.ts";
import { listSubjects } from "#lib/admin/page-reads/identities.ts";
import { readStopped, readWaiting } from "#lib/admin/page-reads/overview.ts";
import { reissueToken } from "#lib/admin/reissue.ts";
import { IdentitiesQuery } from "#lib/admin/schema.ts";
import { handle } from "#lib/api/handle.ts";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { pool } from "#lib/db/client.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { act, actAsOwner, joined, look, me, member, post, proposed } from "#testing/community.ts";
import { agentWithOffer, callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { betweenLookAndAct } from "#testing/outside/blocked.ts";
import { signedInOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { postTask } from "#testing/workflow.ts";

testService();

const PATH = "/api/v1/agents/report_leak.php";

/** A report with the answer as it goes over the wire, without what names the request. */
async function report(secret: string) {
  const request = new Request(`http://localhost:3000${PATH}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ secret }),
  });
  const response = await handle(request, { address: "192.0.2.1" });
  const headers = Object.fromEntries(response.headers);
  assert.match(headers["x-request-id"] ?? "", /^req_/);
  delete headers["x-request-id"];
  return { status: response.status, headers, text: await response.text() };
}

async function recordOf(id: string) {
  const { rows } = await pool().query(
    "SELECT actor_kind, actor_id, subject_kind, data FROM audit_events WHERE action = 'leak_reported' AND subject_id = $1",
    [id],
  );
  return rows;
}

const LEAKED = (gates: unknown) => {
  assert.ok(Array.isArray(gates) && gates.length === 1);
  const { remedy, ...gate } = gates[0] as Record<string, unknown>;
  assert.deepEqual(gate, { gate: "hold", passed: false, reason: "leaked_token" });
  assert.match(String(remedy), /administrator/);
};

test("the answer to a report is the same to the byte, whatever was reported", async () => {
  const agent = await verifiedAgent();
  const { key } = await joined(agent);
  const { claimToken } = await proposed();
  const reports = [
    agent.token,
    agent.token,
    key,
    claimToken,
    `http://localhost:3000/claim#${(await proposed()).claimToken}`,
    newSecret("ghm"),
    newSecret("ghc"),
    newSecret("ghk"),
    agent.verification.token,
    newId("ses"),
    `${agent.token.slice(0, -1)}_`,
    "nonsense",
    "",
    "x".repeat(200_000),
    "ghm_".repeat(50_000),
  ];
  const expected = await report("a first one");
  assert.deepEqual([expected.status, expected.text], [200, '{"ok":true,"accepted":true}']);
  for (const secret of reports) assert.deepEqual(await report(secret), expected, secret.slice(0, 60));
});

test("only a report of the wrong shape is refused, and the refusal repeats nothing of it", async () => {
  const secret = newSecret("ghm");
  for (const body of [
    {},
    { secret: 1 },
    { secret: [secret] },
    { secret: null },
    { secret, other: 1 },
    [secret],
    secret,
  ]) {
    const answer = await call("POST", PATH, { body });
    assert.equal(outcome(answer), "422 invalid_input");
    assert.ok(!JSON.stringify(answer.body).includes(secret));
  }
});

test("a report without a secret that works leaves no trace", async () => {
  const { verification } = await verifiedAgent();
  await changesNothing("a report of nothing", async () => {
    for (const secret of [newSecret("ghm"), newSecret("ghc"), newSecret("ghk"), verification.token, newId("ses"), "x"])
      await report(secret);
  });
});

const byToken = ENDPOINTS.filter(({ auth }) => ["service", "bearer", "optional", "management_or_owner"].includes(auth));
const nameOf = ({ method, path, selector }: Endpoint) => `${method} ${path}${selector ? ` ${selector.value}` : ""}`;

test("a reported management token is refused by every endpoint, even for reading", async () => {
  const agent = await verifiedAgent();
  const { task_id } = await postTask(agent);
  await report(agent.token);
  assert.ok(byToken.length > 20);
  for (const endpoint of byToken) {
    const { method, path, selector } = endpoint;
    const fields = { public_id: agent.publicId, task_id, ...(selector ? { [selector.field]: selector.value } : {}) };
    const headers = { "Idempotency-Key": newId("req") };
    const options = method === "GET" ? { query: fields } : { body: fields };
    const answer = await changesNothing(nameOf(endpoint), () =>
      call(method, path, { token: agent.token, headers, ...options }),
    );
    assert.equal(outcome(answer), "403 gate_refused", nameOf(endpoint));
    assert.equal(answer.error?.final, true);
    LEAKED(answer.error?.gates);
  }
});

test("with another's public_id a reported token is refused like an unknown one", async () => {
  const [agent, other] = [await verifiedAgent(), await verifiedAgent()];
  await report(agent.token);
  const answer = await call("GET", "/api/v1/agents/me.php", {
    token: agent.token,
    query: { public_id: other.publicId },
  });
  assert.equal(outcome(answer), "401 invalid_credential");
});

test("a reported identity is held: it isn't matched, its profile can't post, and administrators see it as held", async () => {
  const skill = "leaking";
  const agent = await agentWithOffer({ skill });
  const speaker = await joined(agent);
  const matches = async () =>
    (await call<{ matches: unknown[] }>("GET", "/api/v1/agents/match.php", { query: { skill, budget_pence: 1_000 } }))
      .body.matches.length;
  const available = async () =>
    (await call<{ agents: unknown[] }>("GET", "/api/v1/agents/directory.php", { query: { skill, available: "1" } }))
      .body.agents.length;
  assert.deepEqual([await matches(), await available()], [1, 1]);
  const before = { ...(await readWaiting()), ...(await readStopped()) };

  await report(agent.token);
  assert.deepEqual([await matches(), await available()], [0, 0]);
  const refused = await post(speaker, { title: "Hello", body: "Still here." });
  assert.equal(outcome(refused), "403 gate_refused");
  LEAKED(refused.error?.gates?.filter(({ passed }) => !passed));
  for (const filter of [{ held: "1" }, { leaked: "1" }]) {
    const { rows: subjects } = await listSubjects(IdentitiesQuery.parse(filter));
    assert.ok(
      subjects.some(({ id, held, leaked }) => id === agent.publicId && held && leaked),
      JSON.stringify(filter),
    );
  }
  const now = { ...(await readWaiting()), ...(await readStopped()) };
  assert.equal(now.heldIdentities, before.heldIdentities + 1);
  assert.equal(now.leakedTokens, before.leakedTokens + 1);
});

test("a report is recorded once, without the secret, and repeats write nothing", async () => {
  const agent = await verifiedAgent();
  const { key } = await joined(agent);
  const { publicId: proposedId, claimToken } = await proposed();
  const record = (kind: string, secret: string) => ({
    actor_kind: "visitor",
    actor_id: "visitor",
    subject_kind: kind,
    data: { secret },
  });
  for (const secret of [agent.token, key, claimToken]) await report(secret);
  assert.deepEqual(await recordOf(agent.publicId), [
    record("identity", "management_token"),
    record("profile", "community_key"),
  ]);
  assert.deepEqual(await recordOf(proposedId), [record("profile", "claim_link")]);
  await changesNothing("the same reports again", async () => {
    for (const secret of [agent.token, key, claimToken]) await report(secret);
  });
  const { rows } = await pool().query("SELECT 1 FROM audit_events e WHERE e::text ~ 'gh[mck]_'");
  assert.deepEqual(rows, []);
});

test("of many simultaneous reports, one is recorded", async () => {
  const agent = await verifiedAgent();
  await Promise.all(Array.from({ length: 20 }, () => report(agent.token)));
  assert.equal((await recordOf(agent.publicId)).length, 1);
});

test("a reported community key does not work until its owner rotates it", async () => {
  const agent = await member();
  await report(`curl -H "Authorization: Bearer ${agent.key}"`);
  assert.equal(outcome(await me(agent)), "401 invalid_credential");
  assert.equal(outcome(await post(agent, { title: "Hello", body: "World" })), "401 invalid_credential");
  const rotated = await actAsOwner<{ community_key: string }>(agent.owner, "rotate_key", { public_id: agent.publicId });
  succeeded(rotated);
  assert.equal(outcome(await me(agent)), "401 invalid_credential");
  succeeded(await me({ ...agent, key: rotated.body.community_key }));
  await changesNothing("a report of a key that was rotated", () => report(agent.key));
  succeeded(await me({ ...agent, key: rotated.body.community_key }));
});

test("a proposed profile whose key was reported stays without one until it is claimed and its key rotated", async () => {
  const agent = await proposed();
  await report(agent.key);
  assert.equal(outcome(await me(agent)), "401 invalid_credential");
  const owner = await signedInOwner();
  succeeded(await actAsOwner(owner, "claim", { claim_token: agent.claimToken, ...CONSENTED }));
  assert.equal(outcome(await me(agent)), "401 invalid_credential");
  const rotated = await actAsOwner<{ community_key: string }>(owner, "rotate_key", { public_id: agent.publicId });
  succeeded(await me({ ...agent, key: rotated.body.community_key }));
});

test("a reported claim link answers like an unknown one, and its profile leaves the public views", async () => {
  const agent = await proposed();
  const fields = { claim_token: agent.claimToken };
  succeeded(await act("claim_preview", fields));
  await report(agent.claimToken);
  const unknown = await act("claim_preview", { claim_token: newSecret("ghk") });
  const dead = await act("claim_preview", fields);
  assert.deepEqual([dead.status, dead.error], [unknown.status, unknown.error]);
  const owner = await signedInOwner();
  assert.equal(outcome(await actAsOwner(owner, "claim", { ...fields, ...CONSENTED })), "401 invalid_credential");
  assert.equal(outcome(await look("profile", { public_id: agent.publicId })), "404 not_found");
});

test("a claim that was under way when its link was reported claims nothing", async () => {
  const [{ publicId, claimToken }, owner] = [await proposed(), await signedInOwner()];
  const answer = await betweenLookAndAct(
    ["SELECT FROM profiles WHERE id = $1 FOR UPDATE", [publicId]],
    () => actAsOwner(owner, "claim", { claim_token: claimToken, ...CONSENTED }),
    (query) =>
      query("UPDATE profiles SET claim_digest = NULL, claim_expires_at = now() + interval '1 second' WHERE id = $1", [
        publicId,
      ]),
  );
  assert.equal(outcome(answer), "401 invalid_credential");
});

test("a claim link that was used stays used, and its owner stays the owner", async () => {
  const { owner, publicId } = await member();
  const agent = await proposed();
  succeeded(await actAsOwner(owner, "claim", { claim_token: agent.claimToken, ...CONSENTED }));
  await changesNothing("a report of a used link", () => report(agent.claimToken));
  assert.equal(outcome(await act("claim_preview", { claim_token: agent.claimToken })), "409 already_claimed");
  succeeded(await actAsOwner(owner, "rotate_key", { public_id: publicId }));
});

const check = ({ publicId }: TestAgent) => checkDomain(admin, { publicId, reason });
const reissue = ({ publicId }: TestAgent) => reissueToken(admin, { publicId, reason });

test("a token that was reported and replaced is unknown, and a report of it does not reach the new one", async () => {
  const agent = await verifiedAgent();
  await report(agent.token);
  await check(agent);
  const { management_token: token } = await reissue(agent);
  assert.equal(outcome(await callAs(agent, "GET", "/api/v1/agents/me.php")), "401 invalid_credential");
  await changesNothing("a report of the old token", () => report(agent.token));
  succeeded(await callAs({ ...agent, token }, "GET", "/api/v1/agents/me.php"));
});
