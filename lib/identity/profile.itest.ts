import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import {
  callAs,
  registerAgent,
  setDomainStatus,
  succeeded,
  type TestAgent,
  verifiedAgent,
} from "#testing/factories.ts";
import type { IdentityAnswer } from "./schema.ts";

testService();

const change = (agent: TestAgent, fields: Record<string, unknown>) =>
  callAs<z.output<typeof IdentityAnswer>>(agent, "POST", "/api/v1/agents/profile.php", fields);

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
