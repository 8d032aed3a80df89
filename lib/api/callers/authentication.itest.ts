import assert from "node:assert/strict";
import { test } from "node:test";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { admin, reason } from "#testing/administrator.ts";
import { type Answer, type CallOptions, call, testService } from "#testing/client.ts";
import { labelOf } from "#testing/every-endpoint.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { ENDPOINTS } from "../registry.ts";

let agent: TestAgent;
let other: TestAgent;
let suspended: TestAgent;
testService({}, async () => {
  agent = await verifiedAgent();
  other = await registerAgent();
  suspended = await registerAgent();
  await suspendIdentity(admin, { publicId: suspended.publicId, reason });
});

const byToken = ENDPOINTS.filter(({ auth }) => auth === "service" || auth === "bearer" || auth === "optional");
const required = byToken.filter(({ auth }) => auth !== "optional");

type Attempt = { token?: string; authorization?: string; publicId?: string };

/** A call with these credentials and no other input. */
function attempt({ method, path }: Endpoint, { token, authorization, publicId }: Attempt): Promise<Answer<unknown>> {
  const fields = publicId === undefined ? {} : { public_id: publicId };
  const options: CallOptions = method === "GET" ? { query: fields } : { body: fields };
  if (token !== undefined) options.token = token;
  options.headers = { "Idempotency-Key": newId("req"), ...(authorization ? { Authorization: authorization } : {}) };
  return call(method, path, options);
}

async function assertRefused(endpoint: Endpoint, credentials: Attempt): Promise<void> {
  const { status, error, headers } = await attempt(endpoint, credentials);
  assert.deepEqual([status, error?.code], [401, "invalid_credential"], JSON.stringify(credentials));
  assert.match(headers.get("WWW-Authenticate") ?? "", /^Bearer /);
}

test("there are endpoints of each kind to test", () => {
  for (const auth of ["service", "bearer", "optional", "public"])
    assert.ok(
      ENDPOINTS.some((endpoint) => endpoint.auth === auth),
      auth,
    );
});

for (const endpoint of byToken) {
  test(`${labelOf(endpoint)} refuses every credential but a known token with its own identity`, () =>
    changesNothing(labelOf(endpoint), async () => {
      const { publicId, token } = agent;
      const damaged = token.slice(0, -6) + [...token.slice(-6)].reverse().join("");
      for (const bad of [
        "",
        "ghm_",
        "x",
        token.slice(0, -1),
        `${token}A`,
        damaged,
        token.toUpperCase(),
        `${token} ${token}`,
      ])
        await assertRefused(endpoint, { authorization: `Bearer ${bad}`, publicId });
      for (const scheme of [token, `Basic ${token}`, `Token ${token}`, `Bearer:${token}`, `Bearer,${token}`])
        await assertRefused(endpoint, { authorization: scheme, publicId });
      for (const prefix of ["ghc", "ghk", "ghv"] as const)
        await assertRefused(endpoint, { token: newSecret(prefix), publicId });
      await assertRefused(endpoint, { token: token.replace("ghm_", "ghc_"), publicId });
      await assertRefused(endpoint, { token: agent.verification.token, publicId });
      await assertRefused(endpoint, { token: newSecret("ghm"), publicId });
      await assertRefused(endpoint, { token, publicId: other.publicId });
      await assertRefused(endpoint, { token, publicId: ` ${other.publicId}\r\n` });
      await assertRefused(endpoint, { token, publicId: newId("agt") });
      await assertRefused(endpoint, { token: suspended.token, publicId });
    }));

  test(`${labelOf(endpoint)} refuses a suspended identity before it looks at the input`, async () => {
    for (const publicId of [suspended.publicId, "nonsense", undefined]) {
      const { error } = await attempt(endpoint, { token: suspended.token, ...(publicId ? { publicId } : {}) });
      assert.equal(error?.code, "identity_suspended");
    }
  });

  test(`${labelOf(endpoint)} takes the scheme in any case`, async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
      const answer = await attempt(endpoint, { authorization: `${scheme} ${agent.token}`, publicId: agent.publicId });
      assert.ok(![401, 403].includes(answer.status), scheme);
    }
  });
}

for (const endpoint of required) {
  test(`${labelOf(endpoint)} is for nobody without a credential, and says so before it looks at the input`, () =>
    changesNothing(labelOf(endpoint), async () => {
      for (const publicId of [agent.publicId, "nonsense", undefined])
        await assertRefused(endpoint, publicId ? { publicId } : {});
      if (endpoint.method === "GET") return;
      const body = { public_id: agent.publicId, management_token: agent.token };
      assert.equal((await call("POST", endpoint.path, { body })).error?.code, "invalid_credential");
    }));
}

for (const endpoint of required.filter(({ auth }) => auth === "service")) {
  test(`${labelOf(endpoint)} asks for the identity's own public_id beside its token`, async () => {
    for (const publicId of [undefined, "nonsense", newId("tsk")]) {
      const { status, error } = await attempt(endpoint, { token: agent.token, ...(publicId ? { publicId } : {}) });
      assert.equal(status, 422);
      assert.ok(error?.field_errors?.some(({ path }) => path === "public_id"));
    }
  });
}

test("where the bearer is enough, public_id may be left out", async () => {
  for (const endpoint of required.filter(({ auth }) => auth === "bearer"))
    assert.equal((await attempt(endpoint, { token: agent.token })).status, 200);
});

test("a public endpoint answers the same whatever credential is sent along", async () => {
  for (const path of ["/api/v1/jobs/list.php", "/api/v1/agents/directory.php", "/api/v1/status.php"]) {
    const { status, body } = await call("GET", path);
    for (const token of [agent.token, suspended.token, newSecret("ghm"), "nonsense"]) {
      const answer = await call("GET", path, { token });
      assert.deepEqual([answer.status, answer.body], [status, body]);
      assert.equal(answer.headers.get("Access-Control-Allow-Origin"), "*");
    }
  }
});

for (const endpoint of ENDPOINTS) {
  test(`${labelOf(endpoint)} refuses a secret in its URL, whatever the parameter is called`, async () => {
    const select = endpoint.selector ? { [endpoint.selector.field]: endpoint.selector.value } : {};
    for (const name of ["token", "management_token", "public_id", "cursor", "x"]) {
      const query = endpoint.method === "GET" ? { ...select, [name]: agent.token } : { [name]: agent.token };
      const sent: CallOptions =
        endpoint.method === "GET" ? { query } : { query, body: { ...select, public_id: agent.publicId } };
      const { status, error } = await call(endpoint.method, endpoint.path, { ...sent, token: agent.token });
      assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, "query"], name);
    }
  });
}
