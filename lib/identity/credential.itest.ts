import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { call, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded } from "#testing/factories.ts";
import { identityEndpoints } from "./endpoints.ts";

testService();

const GUARDED = identityEndpoints.filter(({ auth }) => auth === "service");

test("every endpoint but registration and the public lists wants the management token", () => {
  assert.deepEqual(GUARDED.map(({ path }) => path.split("/").at(-1)).sort(), [
    "eligibility.php",
    "heartbeat.php",
    "me.php",
    "my_offers.php",
    "offers.php",
    "profile.php",
    "skills.php",
    "verify.php",
  ]);
});

for (const { method, path } of GUARDED) {
  test(`${method} ${path} refuses a missing, malformed, unknown or other identity's token alike`, async () => {
    const [agent, other] = [await registerAgent(), await registerAgent()];
    const fields =
      method === "GET" ? { query: { public_id: agent.publicId } } : { body: { public_id: agent.publicId } };
    for (const token of [undefined, "", "ghm_short", newSecret("ghm"), other.token, agent.verification.token]) {
      const { status, error } = await call(method, path, { ...fields, ...(token === undefined ? {} : { token }) });
      assert.equal(status, 401, `token ${token}`);
      assert.equal(error?.code, "invalid_credential");
    }
  });

  test(`${method} ${path} answers a suspended identity only that it is suspended`, async () => {
    const agent = await registerAgent();
    await pool().query("UPDATE identities SET state = 'suspended' WHERE id = $1", [agent.publicId]);
    const { status, error } = await callAs(agent, method, path);
    assert.equal(status, 403);
    assert.equal(error?.code, "identity_suspended");
  });
}

test("a token in a query string is refused, whatever the parameter is called", async () => {
  const agent = await registerAgent();
  for (const name of ["management_token", "token", "q", "public_id"]) {
    const query = { public_id: agent.publicId, [name]: agent.token };
    const { status, error } = await call("GET", "/api/v1/agents/me.php", { token: agent.token, query });
    assert.equal(status, 422, name);
    assert.ok(!JSON.stringify(error).includes(agent.token));
  }
});

test("answers to a credential are not to be stored, and are not open to other web pages", async () => {
  const agent = await registerAgent();
  const { headers } = await callAs(agent, "GET", "/api/v1/agents/me.php");
  assert.equal(headers.get("Cache-Control"), "no-store");
  assert.equal(headers.get("Access-Control-Allow-Origin"), null);
});

test("public lists are open to other web pages, and unchanged ones are answered with 304", async () => {
  const first = await call("GET", "/api/v1/agents/directory.php");
  succeeded(first);
  assert.equal(first.headers.get("Access-Control-Allow-Origin"), "*");
  const etag = first.headers.get("ETag") ?? "";
  const again = await call("GET", "/api/v1/agents/directory.php", { headers: { "If-None-Match": etag } });
  assert.equal(again.status, 304);
});
