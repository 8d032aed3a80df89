import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { checkDomain } from "#lib/admin/check-domain.ts";
import { setRisk } from "#lib/admin/restrictions.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { actAs, joined } from "#testing/community.ts";
import {
  callAs,
  publishOffer,
  registerAgent,
  reportHealth,
  setDomainStatus,
  succeeded,
  type TestAgent,
  verifiedAgent,
} from "#testing/factories.ts";
import { registration } from "#testing/requests.ts";
import { postTask, taskAt } from "#testing/workflow.ts";
import type { HeartbeatAnswer, IdentityAnswer, MeAnswer, RegisterAnswer } from "./schema.ts";

testService();

const register = (body: unknown) =>
  call<z.output<typeof RegisterAnswer>>("POST", "/api/v1/agents/register.php", { body });
const me = async (agent: TestAgent) =>
  (await callAs<z.output<typeof MeAnswer>>(agent, "GET", "/api/v1/agents/me.php")).body;
const change = (agent: TestAgent, fields: Record<string, unknown>) =>
  callAs<z.output<typeof IdentityAnswer>>(agent, "POST", "/api/v1/agents/profile.php", fields);

test("registration answers with the identity's ID, its token and the proof to serve", async () => {
  const { status, body } = await register(registration({ endpoint: "https://Agents.Example.COM:443/v1/run" }));
  assert.equal(status, 201);
  assert.match(body.public_id, /^agt_/);
  assert.match(body.management_token, /^ghm_[A-Za-z0-9_-]{43}$/);
  assert.match(body.verification.token, /^ghv_[A-Za-z0-9_-]{43}$/);
  assert.equal(body.verification.url, `https://agents.example.com/.well-known/guildhall/${body.public_id}.txt`);
  assert.equal(body.verification.status, "unverified");
});

test("the management token is shown once: no answer and no table holds it again", async () => {
  const agent = await registerAgent();
  const answers = [
    await callAs(agent, "GET", "/api/v1/agents/me.php"),
    await callAs(agent, "POST", "/api/v1/agents/verify.php"),
    await change(agent, { name: "Another name" }),
    await callAs(agent, "POST", "/api/v1/agents/skills.php", { skills: ["summary"] }),
    await callAs(agent, "POST", "/api/v1/agents/heartbeat.php", { health_status: "busy" }),
    await call("GET", "/api/v1/agents/show.php", { query: { public_id: agent.publicId } }),
  ];
  for (const answer of answers) {
    succeeded(answer);
    assert.ok(!JSON.stringify(answer.body).includes(agent.token));
  }
  const { rows } = await pool().query(
    "SELECT to_jsonb(i)::text || coalesce((SELECT jsonb_agg(a)::text FROM audit_events a), '') AS stored FROM identities i",
  );
  for (const { stored } of rows) assert.ok(!stored.includes(agent.token));
});

test("the identity reads itself back as it was registered", async () => {
  const agent = await registerAgent({
    name: "Zoë’s translator",
    skills: ["translation", "summary", "translation"],
    protocols: ["MCP 2026-06", "A2A"],
    public_profile: false,
    endpoint: "https://zoe.example.com/run?x=1",
  });
  const { identity, owner_linked } = await me(agent);
  assert.equal(identity.public_id, agent.publicId);
  assert.equal(identity.name, "Zoë’s translator");
  assert.deepEqual(identity.skills, ["translation", "summary"]);
  assert.deepEqual(identity.protocols, ["MCP 2026-06", "A2A"]);
  assert.equal(identity.public_profile, false);
  assert.equal(identity.endpoint, "https://zoe.example.com/run?x=1");
  assert.equal(identity.domain, "zoe.example.com");
  assert.equal(identity.health_status, "offline");
  assert.equal(identity.health_reported_at, null);
  assert.equal(identity.verification.token, agent.verification.token);
  assert.equal(owner_linked, false);
});

test("nobody is registered without the operator's authorisation", async () => {
  for (const authorised of [undefined, false]) {
    const { status, error } = await register(registration({ operator_authorized: authorised }));
    assert.equal(status, 403);
    assert.equal(error?.code, "consent_required");
  }
});

test("a client_request_id is accepted and ignored: the same request registers twice", async () => {
  const body = registration({ client_request_id: "attempt-1" });
  const [first, second] = [await register(body), await register(body)];
  succeeded(first, 201);
  succeeded(second, 201);
  assert.notEqual(first.body.public_id, second.body.public_id);
  assert.notEqual(first.body.management_token, second.body.management_token);
});

test("several identities may share a host, each with its own proof", async () => {
  const endpoint = "https://shared.example.com/";
  const [one, other] = [await registerAgent({ endpoint }), await registerAgent({ endpoint })];
  assert.notEqual(one.verification.url, other.verification.url);
  assert.notEqual(one.verification.token, other.verification.token);
});

const WRONG: [string, object, string][] = [
  ["a name of 101 characters", { name: "x".repeat(101) }, "name"],
  ["an empty description", { description: "  " }, "description"],
  ["a description of 2,001 characters", { description: "x".repeat(2_001) }, "description"],
  ["a skill of 51 characters", { skills: ["x".repeat(51)] }, "skills.0"],
  ["a protocol label of 61 characters", { protocols: ["x".repeat(61)] }, "protocols.0"],
  ["11 protocol labels", { protocols: Array.from({ length: 11 }, (_, i) => `p${i}`) }, "protocols"],
  ["an endpoint on an IP address", { endpoint: "https://192.0.2.1/" }, "endpoint"],
  ["an endpoint of more than 500 characters", { endpoint: `https://a.example.com/${"x".repeat(500)}` }, "endpoint"],
  ["an unknown property", { state: "active" }, "state"],
  ["a control character", { description: "one\u0007two" }, "description"],
  ["a bidirectional override", { name: "abc\u202edef" }, "name"],
  ["a number for a name", { name: 12 }, "name"],
  ["null for a list", { skills: null }, "skills"],
  ["a client_request_id with a space", { client_request_id: "a b" }, "client_request_id"],
];
for (const [what, fields, path] of WRONG) {
  test(`registration refuses ${what}, and names ${path}`, async () => {
    const { status, error } = await register(registration(fields));
    assert.equal(status, 422);
    assert.deepEqual(
      error?.field_errors?.map((each) => each.path),
      [path],
    );
  });
}

test("text is measured in characters, not in bytes or code units", async () => {
  succeeded(await register(registration({ name: "😀".repeat(100), description: "é".repeat(2_000) })), 201);
  assert.equal((await register(registration({ name: "😀".repeat(101) }))).status, 422);
});

test("text is kept trimmed and in composed form", async () => {
  const agent = await registerAgent({ name: "  Cafe\u0301 agent \r\n", description: "one\r\ntwo" });
  const { identity } = await me(agent);
  assert.equal(identity.name, "Café agent");
  assert.equal(identity.description, "one\ntwo");
});

test("only fields that are sent change", async () => {
  const agent = await registerAgent({ name: "Before", protocols: ["MCP"] });
  const { identity } = (await change(agent, { description: "Something else." })).body;
  assert.equal(identity.description, "Something else.");
  assert.equal(identity.name, "Before");
  assert.deepEqual(identity.protocols, ["MCP"]);
  assert.equal(identity.public_profile, true);

  const emptied = (await change(agent, { name: "After", protocols: [], public_profile: false })).body.identity;
  assert.equal(emptied.name, "After");
  assert.deepEqual(emptied.protocols, []);
  assert.equal(emptied.public_profile, false);
});

test("a change of nothing, of skills or of the domain status is not a change of the profile", async () => {
  const agent = await registerAgent();
  for (const fields of [{}, { skills: ["summary"] }, { domain_status: "verified" }, { name: null }]) {
    assert.equal((await change(agent, fields)).status, 422, JSON.stringify(fields));
  }
});

test("a verified identity moves its endpoint within its host", async () => {
  const agent = await verifiedAgent({ endpoint: "https://stays.example.com/v1" });
  const answer = await change(agent, { endpoint: "https://STAYS.example.com:8443/v2" });
  succeeded(answer);
  assert.equal(answer.body.identity.endpoint, "https://stays.example.com:8443/v2");
  assert.equal(answer.body.identity.verification.status, "verified");
});

for (const status of ["verified", "grace", "lapsed"]) {
  test(`an identity that is ${status} cannot move to another host, and the rest of the request is not applied`, async () => {
    const agent = await verifiedAgent({ name: "Stays" });
    await setDomainStatus(agent, status);
    for (const host of ["other.example.org", "sub.agent.example.com"]) {
      const { status: code, error } = await change(agent, { endpoint: `https://${host}/`, name: "Moves" });
      assert.equal(code, 409);
      assert.equal(error?.code, "domain_change_refused");
    }
    const { rows } = await pool().query("SELECT name FROM identities WHERE id = $1", [agent.publicId]);
    assert.equal(rows[0].name, "Stays");
  });
}

test("before its first verification an identity may move, and its verification URL moves with it", async () => {
  const agent = await registerAgent();
  const { identity } = (await change(agent, { endpoint: "https://new-home.example.org/run" })).body;
  assert.equal(identity.domain, "new-home.example.org");
  assert.equal(identity.verification.url, `https://new-home.example.org/.well-known/guildhall/${agent.publicId}.txt`);
  assert.equal(identity.verification.token, agent.verification.token);
});

test("every health status is taken, and the answer says how long it counts", async () => {
  const agent = await registerAgent();
  for (const status of ["available", "busy", "maintenance", "offline"] as const) {
    const answer = await reportHealth(agent, status);
    succeeded(answer);
    const { health_status, reported_at, fresh_until, next_in_seconds } = answer.body as z.output<
      typeof HeartbeatAnswer
    >;
    assert.equal(health_status, status);
    assert.equal(next_in_seconds, 300);
    assert.equal(Date.parse(fresh_until) - Date.parse(reported_at), 900_000);
    const { identity } = await me(agent);
    assert.equal(identity.health_status, status);
    assert.equal(identity.health_reported_at, reported_at);
    assert.equal(identity.health_fresh, true);
  }
});

test("any other status is refused and changes nothing", async () => {
  const agent = await registerAgent();
  await reportHealth(agent, "busy");
  for (const health_status of ["Available", "", "ready", 1, null, undefined]) {
    const { status } = await callAs(agent, "POST", "/api/v1/agents/heartbeat.php", { health_status });
    assert.equal(status, 422, String(health_status));
  }
  assert.equal((await me(agent)).identity.health_status, "busy");
});

test("a report older than 15 minutes is still shown, but no longer fresh", async () => {
  const agent = await registerAgent();
  await reportHealth(agent, "available");
  await pool().query(
    "UPDATE health_reports SET reported_at = reported_at - interval '901 seconds' WHERE identity_id = $1",
    [agent.publicId],
  );
  const { identity } = await me(agent);
  assert.equal(identity.health_status, "available");
  assert.equal(identity.health_fresh, false);
});

test("simultaneous first reports leave one report", async () => {
  const agent = await registerAgent();
  const answers = await Promise.all(Array.from({ length: 20 }, () => reportHealth(agent, "available")));
  for (const answer of answers) succeeded(answer);
  const { rows } = await pool().query("SELECT status FROM health_reports WHERE identity_id = $1", [agent.publicId]);
  assert.deepEqual(rows, [{ status: "available" }]);
});

// Who only orders work needs no endpoint. Such an identity is never verified, listed or matched, and can take no work, until it sets one.

const requesterOnly = () =>
  registerAgent({ name: "Orders only", description: "Has words counted.", endpoint: undefined, skills: undefined });

test("registration needs neither endpoint nor skills, and says that there is no URL to serve a proof at", async () => {
  const agent = await requesterOnly();
  assert.deepEqual([agent.verification.url, agent.verification.status], [null, "unverified"]);
  const { identity, readiness } = await me(agent);
  assert.deepEqual(
    [identity.endpoint, identity.domain, identity.skills, identity.verification.url, identity.verification.status],
    [null, null, [], null, "unverified"],
  );
  const domain = readiness.filter(({ step }) => step === "verified_domain");
  assert.deepEqual(
    domain.map(({ goal, done }) => [goal, done]),
    [
      ["found", false],
      ["work", false],
    ],
  );
  for (const { detail, remedy } of domain) {
    assert.match(detail, /no endpoint/);
    assert.match(remedy ?? "", /^Set an endpoint with agents\/profile\.php/);
  }
});

test("it orders, funds and completes work like every requester", async () => {
  const [requester, provider] = [await requesterOnly(), await verifiedAgent()];
  const work = await taskAt("completed", { requester, provider });
  const { body } = await callAs<{ task: TaskWire }>(provider, "GET", "/api/v1/jobs/show.php", { task_id: work.taskId });
  assert.equal(body.task.parties.requester.verified, false);
});

test("it can neither claim nor be selected and claim, and the gate's remedy is to set an endpoint", async () => {
  const [agent, requester] = [await requesterOnly(), await verifiedAgent()];
  const { task_id: taskId } = await postTask(requester, { provider_public_id: agent.publicId });
  const claim = await callAs(agent, "POST", "/api/v1/jobs/claim.php", { task_id: taskId });
  assert.equal(outcome(claim), "403 gate_refused");
  const gate = claim.error?.gates?.find(({ gate }) => gate === "domain");
  assert.deepEqual([gate?.passed, gate?.reason], [false, "unverified"]);
  assert.match(gate?.remedy ?? "", /^Set an endpoint with agents\/profile\.php/);
  const offer = { skill: "count", description: "Counts.", input: "I", output: "O", limits: "L" };
  await callAs(agent, "POST", "/api/v1/agents/skills.php", { skills: ["count"] });
  const offered = await callAs(agent, "POST", "/api/v1/agents/offers.php", { ...offer, price_pence: 1, enabled: true });
  assert.equal(outcome(offered), "409 state_conflict");
  assert.match(offered.error?.message ?? "", /agents\/profile\.php/);
});

test("a domain check, its own or the administrator's, is refused and says what is missing", async () => {
  const agent = await requesterOnly();
  const { status, error } = await callAs(agent, "POST", "/api/v1/agents/verify.php");
  assert.deepEqual([status, error?.code], [409, "state_conflict"]);
  assert.match(error?.message ?? "", /no endpoint.*agents\/profile\.php/);
  await assert.rejects(checkDomain(admin, { publicId: agent.publicId, reason }), /no endpoint/);
});

test("nobody finds it in a list, and its profile says that it has no endpoint", async () => {
  const agent = await requesterOnly();
  await callAs(agent, "POST", "/api/v1/agents/skills.php", { skills: ["count"] });
  await callAs(agent, "POST", "/api/v1/agents/heartbeat.php", { health_status: "available" });
  const directory = await call<{ agents: { public_id: string }[] }>("GET", "/api/v1/agents/directory.php");
  assert.ok(directory.body.agents.every(({ public_id }) => public_id !== agent.publicId));
  const match = await call<{ matches: object[] }>("GET", "/api/v1/agents/match.php", {
    query: { skill: "count", budget_pence: 10_000 },
  });
  assert.deepEqual(match.body.matches, []);
  const shown = await call<{ agent: object }>("GET", "/api/v1/agents/show.php", {
    query: { public_id: agent.publicId },
  });
  const { domain, endpoint, verified } = shown.body.agent as Record<string, unknown>;
  assert.deepEqual([domain, endpoint, verified], [null, null, false]);
});

test("once it has set an endpoint, it verifies, offers and works as usual", async () => {
  const [agent, requester] = [await requesterOnly(), await verifiedAgent()];
  const set = await change(agent, { endpoint: "https://later.example.com/run" });
  succeeded(set);
  const { verification } = set.body.identity;
  assert.equal(verification.url, `https://later.example.com/.well-known/guildhall/${agent.publicId}.txt`);
  assert.equal(verification.token, agent.verification.token);
  succeeded(await callAs(agent, "POST", "/api/v1/agents/verify.php"));
  succeeded(await callAs(agent, "POST", "/api/v1/agents/skills.php", { skills: ["translation"] }));
  await publishOffer(agent);
  await taskAt("completed", { requester, provider: agent });
});

test("its words are searchable, and risk, suspension and the community treat it like every identity", async () => {
  const agent = await requesterOnly();
  const { rows } = await pool().query(
    "SELECT search @@ plainto_tsquery('simple', 'orders') AS found FROM identities WHERE id = $1",
    [agent.publicId],
  );
  assert.deepEqual(rows, [{ found: true }]);
  const { key } = await joined(agent);
  const profile = await call<{ profile: { service: object | null; verified: boolean } }>("GET", "/api/v1/community/", {
    query: { view: "profile", public_id: agent.publicId },
  });
  assert.deepEqual([profile.body.profile.service, profile.body.profile.verified], [null, false]);
  const own = await call<{ readiness: { step: string; done: boolean; how: string }[] }>("GET", "/api/v1/community/", {
    token: key,
    query: { view: "me" },
  });
  const steps = new Map(own.body.readiness.map((step) => [step.step, step]));
  assert.equal(steps.get("service")?.done, true);
  assert.match(steps.get("verified")?.how ?? "", /^Set an endpoint/);
  succeeded(await actAs({ publicId: agent.publicId, key }, "post", { title: "Hello", body: "I order." }), 201);

  await setRisk(admin, { publicId: agent.publicId, risk: "high", reason });
  await postTask(agent);
  await suspendIdentity(admin, { publicId: agent.publicId, reason });
  assert.equal(outcome(await callAs(agent, "GET", "/api/v1/agents/me.php")), "403 identity_suspended");
  await restoreIdentity(admin, { publicId: agent.publicId, reason });
  await postTask(agent);
  const hosts = await pool().query("SELECT host FROM hosts");
  assert.deepEqual(hosts.rows, []);
});

test("the database refuses an endpoint without a host, and a proof without an endpoint", async () => {
  const { publicId } = await requesterOnly();
  for (const change of ["endpoint = 'https://a.example/'", "host = 'a.example'", "domain_status = 'verified'"])
    await assert.rejects(pool().query(`UPDATE identities SET ${change} WHERE id = $1`, [publicId]), /check constraint/);
});
