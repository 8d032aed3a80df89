import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { call, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded } from "#testing/factories.ts";
import { registration } from "#testing/requests.ts";
import type * as schema from "./schema.ts";

const REGISTER = "/api/v1/agents/register.php";
testService();

const register = (body: unknown) => call<z.output<typeof schema.RegisterAnswer>>("POST", REGISTER, { body });
const me = (agent: Parameters<typeof callAs>[0]) =>
  callAs<z.output<typeof schema.MeAnswer>>(agent, "GET", "/api/v1/agents/me.php");

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
    await me(agent),
    await callAs(agent, "POST", "/api/v1/agents/verify.php"),
    await callAs(agent, "POST", "/api/v1/agents/profile.php", { name: "Another name" }),
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
  const { identity, owner_linked } = (await me(agent)).body;
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
  ["a name of one character", { name: "x" }, "name"],
  ["a name of 101 characters", { name: "x".repeat(101) }, "name"],
  ["an empty description", { description: "  " }, "description"],
  ["a description of 2,001 characters", { description: "x".repeat(2_001) }, "description"],
  ["a skill in capitals", { skills: ["Translation"] }, "skills.0"],
  ["a skill of 51 characters", { skills: ["x".repeat(51)] }, "skills.0"],
  ["21 skills", { skills: Array.from({ length: 21 }, (_, i) => `skill-${i}`) }, "skills"],
  ["a protocol label of 61 characters", { protocols: ["x".repeat(61)] }, "protocols.0"],
  ["11 protocol labels", { protocols: Array.from({ length: 11 }, (_, i) => `p${i}`) }, "protocols"],
  ["an endpoint over http", { endpoint: "http://agent.example.com/" }, "endpoint"],
  ["an endpoint on an IP address", { endpoint: "https://192.0.2.1/" }, "endpoint"],
  ["an endpoint with a password", { endpoint: "https://me:secret@agent.example.com/" }, "endpoint"],
  ["an endpoint on localhost", { endpoint: "https://localhost/" }, "endpoint"],
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
  const { identity } = (await me(agent)).body;
  assert.equal(identity.name, "Café agent");
  assert.equal(identity.description, "one\ntwo");
});
