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
import { callAs, publishOffer, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { postTask, taskAt } from "#testing/workflow.ts";
import type { MeAnswer, RegisterAnswer } from "./schema.ts";

// Who only orders work needs no endpoint. Such an identity is never verified, listed or matched, and can take no work, until it sets one.

testService();

const ABOUT = { name: "Orders only", description: "Has words counted.", operator_authorized: true };

async function requesterOnly(): Promise<TestAgent> {
  const answer = await call<z.output<typeof RegisterAnswer>>("POST", "/api/v1/agents/register.php", { body: ABOUT });
  succeeded(answer, 201);
  const { public_id: publicId, management_token: token, verification } = answer.body;
  return { publicId, token, verification: verification as TestAgent["verification"] };
}

const me = async (agent: TestAgent) =>
  (await callAs<z.output<typeof MeAnswer>>(agent, "GET", "/api/v1/agents/me.php")).body;

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
  const set = await callAs<z.output<typeof MeAnswer>>(agent, "POST", "/api/v1/agents/profile.php", {
    endpoint: "https://later.example.com/run",
  });
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
