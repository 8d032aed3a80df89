import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { call, provingProber, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { query } from "#testing/query.ts";
import { createAuthority } from "../../../examples/demo/certificate-authority.ts";
import { type AgentAnswer, ProbeFailureField, type VerifyAnswer } from "../schema.ts";
import { createProber, type ProbeFailure } from "./prober.ts";
import { replaceProber } from "./probing.ts";
import { recheckDomain } from "./verify-domain.ts";

const RECHECK_SECONDS = 7_200;
const service = testService({ DOMAIN_RECHECK_SECONDS: String(RECHECK_SECONDS) });
afterEach(() => replaceProber(provingProber));

const failWith = (reason: ProbeFailure) =>
  replaceProber({ probe: async () => ({ ok: false, reason, detail: `The check met ${reason}.` }) });

const verify = (agent: TestAgent) => callAs<z.output<typeof VerifyAnswer>>(agent, "POST", "/api/v1/agents/verify.php");

const recheck = (agent: TestAgent, now = new Date()) => {
  const ctx: Context = { actor: { kind: "system", id: "worker" }, clock: { now: () => now }, requestId: "req_test" };
  return recheckDomain(ctx, agent.publicId);
};

async function stored(agent: TestAgent) {
  const { rows } = await pool().query(
    `SELECT domain_status AS status, domain_failures AS failures, domain_failure AS failure, verified_at AS "verifiedAt",
       domain_checked_at AS "checkedAt" FROM identities WHERE id = $1`,
    [agent.publicId],
  );
  return rows[0];
}

async function plannedChecks(agent: TestAgent): Promise<Date[]> {
  const { rows } = await pool().query("SELECT run_at FROM graphile_worker.jobs WHERE key = $1", [
    `recheck:${agent.publicId}`,
  ]);
  return rows.map(({ run_at }) => run_at);
}

async function history(agent: TestAgent): Promise<string[]> {
  const { rows } = await pool().query(
    `SELECT actor_kind, data->>'from' AS was, data->>'to' AS became FROM audit_events
     WHERE subject_id = $1 AND action = 'domain' ORDER BY seq`,
    [agent.publicId],
  );
  return rows.map(({ actor_kind, was, became }) => `${actor_kind}: ${was} → ${became}`);
}

test("the proof is looked for at the verification URL, and must be the verification token", async () => {
  const agent = await registerAgent();
  const asked: unknown[] = [];
  replaceProber({
    probe: async (input) => {
      asked.push(input);
      return { ok: true };
    },
  });
  const answer = await verify(agent);
  succeeded(answer);
  assert.deepEqual(asked, [{ url: agent.verification.url, expectedBody: agent.verification.token }]);
  assert.equal(answer.body.verification.status, "verified");
  assert.equal(answer.body.verification.verified_at, answer.body.verification.checked_at);
  assert.equal(answer.body.verification.failure, null);
});

for (const reason of ProbeFailureField.options) {
  test(`a check that fails by ${reason} says so, and leaves the identity unverified`, async () => {
    const agent = await registerAgent();
    failWith(reason);
    const { status, error } = await verify(agent);
    assert.deepEqual([status, error?.code, error?.reason], [409, "verification_failed", reason]);
    assert.equal(error?.message, `The check met ${reason}.`);
    const { status: kept, failure, verifiedAt, checkedAt } = await stored(agent);
    assert.deepEqual([kept, failure, verifiedAt], ["unverified", reason, null]);
    assert.ok(checkedAt instanceof Date);
    assert.deepEqual(await plannedChecks(agent), []);
  });
}

test("a success plans the next check one period later, and only one is ever planned", async () => {
  const agent = await verifiedAgent();
  succeeded(await verify(agent));
  const { checkedAt } = await stored(agent);
  assert.deepEqual(await plannedChecks(agent), [secondsAfter(checkedAt, RECHECK_SECONDS)]);
});

test("verifying again keeps the day since when control is proved", async () => {
  const agent = await verifiedAgent();
  const { verifiedAt } = await stored(agent);
  succeeded(await verify(agent));
  assert.deepEqual((await stored(agent)).verifiedAt, verifiedAt);
  assert.deepEqual(await history(agent), ["service: unverified → verified"]);
});

test("a failure that the operator asks for takes nothing from a verified identity", async () => {
  const agent = await verifiedAgent();
  const before = await stored(agent);
  failWith("timeout");
  for (let i = 0; i < 4; i++) assert.equal((await verify(agent)).status, 409);
  assert.deepEqual(await stored(agent), before);
});

test("scheduled failures lead through grace to a lapse, and a lapse ends the schedule", async () => {
  const agent = await verifiedAgent();
  const { verifiedAt } = await stored(agent);
  failWith("mismatch");
  const seen: string[] = [];
  for (let i = 1; i <= 3; i++) {
    const at = secondsAfter(systemClock.now(), i * RECHECK_SECONDS);
    await recheck(agent, at);
    const { status, failures, failure } = await stored(agent);
    seen.push(`${status} ${failures} ${failure}`);
    if (i < 3) assert.deepEqual(await plannedChecks(agent), [secondsAfter(at, RECHECK_SECONDS)]);
  }
  assert.deepEqual(seen, ["grace 1 mismatch", "grace 2 mismatch", "lapsed 3 mismatch"]);
  assert.deepEqual((await stored(agent)).verifiedAt, verifiedAt);
  assert.deepEqual(await history(agent), [
    "service: unverified → verified",
    "system: verified → grace",
    "system: grace → lapsed",
  ]);
});

test("a success within the grace forgets the failures and keeps the day", async () => {
  const agent = await verifiedAgent();
  const { verifiedAt } = await stored(agent);
  failWith("tls");
  await recheck(agent);
  await recheck(agent);
  replaceProber(provingProber);
  await recheck(agent);
  const after = await stored(agent);
  assert.deepEqual([after.status, after.failures, after.failure], ["verified", 0, null]);
  assert.deepEqual(after.verifiedAt, verifiedAt);
});

test("an operator can verify a lapsed identity again, which starts a new verification date", async () => {
  const agent = await verifiedAgent();
  const { verifiedAt } = await stored(agent);
  failWith("dns");
  for (let i = 0; i < 3; i++) await recheck(agent);
  assert.equal((await verify(agent)).status, 409);
  assert.equal((await stored(agent)).status, "lapsed");
  replaceProber(provingProber);
  succeeded(await verify(agent));
  const after = await stored(agent);
  assert.equal(after.status, "verified");
  assert.ok(after.verifiedAt > verifiedAt);
  assert.equal((await plannedChecks(agent)).length, 1);
});

test("a check that is left over for an identity without a proof does nothing", async () => {
  const agent = await registerAgent();
  replaceProber({ probe: () => assert.fail("nothing is to be looked at") });
  await recheck(agent);
  assert.equal((await stored(agent)).status, "unverified");
});

test("checks that run at the same moment all succeed, and the change is written down once", async () => {
  const agent = await registerAgent();
  const answers = await Promise.all(Array.from({ length: 8 }, () => verify(agent)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(await history(agent), ["service: unverified → verified"]);
});

test("a proof found on a host that the endpoint has just left verifies nothing", async () => {
  const agent = await registerAgent();
  replaceProber({
    probe: async () => {
      succeeded(await callAs(agent, "POST", "/api/v1/agents/profile.php", { endpoint: "https://moved.example.org/" }));
      return { ok: true };
    },
  });
  const { status, error } = await verify(agent);
  assert.deepEqual([status, error?.code], [409, "state_conflict"]);
  assert.equal((await stored(agent)).status, "unverified");
});

test("nothing is verified when the next check cannot be planned", async () => {
  const agent = await registerAgent();
  await query(service.ownerUrl, "ALTER SCHEMA graphile_worker RENAME TO elsewhere");
  try {
    assert.equal((await verify(agent)).status, 500);
    assert.equal((await stored(agent)).status, "unverified");
  } finally {
    await query(service.ownerUrl, "ALTER SCHEMA elsewhere RENAME TO graphile_worker");
  }
});

const CARD = {
  name: "Translator",
  description: "Translates texts.",
  version: "2.1.0",
  supportedInterfaces: [{ url: "https://a.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "t", name: "Translate", description: "Translates.", tags: [] }],
};

/** Every domain proves itself and serves this card; undefined for none. */
function serve(card: string | undefined, proves = true): string[] {
  const asked: string[] = [];
  replaceProber({
    probe: async () => (proves ? { ok: true } : { ok: false, reason: "mismatch", detail: "No proof." }),
    read: async ({ url }) => {
      asked.push(url);
      return card === undefined
        ? { ok: false, reason: "status", detail: "No card." }
        : { ok: true, body: Buffer.from(card), headers: {} };
    },
  });
  return asked;
}

const change = (agent: TestAgent, fields: object) => callAs(agent, "POST", "/api/v1/agents/profile.php", { ...fields });

async function shown(agent: TestAgent) {
  const query = { public_id: agent.publicId };
  const answer = await call<z.output<typeof AgentAnswer>>("GET", "/api/v1/agents/show.php", { query });
  succeeded(answer);
  return answer.body.agent.agent_card;
}

const digestOf = (text: string) => `sha256:${hash("sha256", text, "hex")}`;

test("a card is read only where the operator asks for it, with the domain check and its repetition", async () => {
  const agent = await registerAgent();
  const asked = serve(JSON.stringify(CARD));
  succeeded(await verify(agent));
  assert.deepEqual([asked, await shown(agent)], [[], null]);

  succeeded(await change(agent, { read_agent_card: true }));
  assert.equal(await shown(agent), null);
  succeeded(await verify(agent));
  assert.match(asked[0] ?? "", /^https:\/\/agent-\d+\.example\.com\/\.well-known\/agent-card\.json$/);
  const first = await shown(agent);
  assert.deepEqual([first?.digest, first?.valid, first?.changed_at], [digestOf(JSON.stringify(CARD)), true, null]);

  const changed = JSON.stringify({ ...CARD, version: "2.2.0" });
  serve(changed);
  await recheck(agent);
  const second = await shown(agent);
  assert.deepEqual([second?.digest, second?.changed_at], [digestOf(changed), second?.read_at]);

  // A card that cannot be found for a while has not changed; another one afterwards has.
  const recheckAfter = (days: number) => recheck(agent, secondsAfter(systemClock.now(), days * 86_400));
  serve(undefined);
  await recheckAfter(1);
  const missing = await shown(agent);
  assert.deepEqual([missing?.digest, missing?.valid, missing?.changed_at], [second?.digest, false, second?.changed_at]);
  serve(changed);
  await recheckAfter(2);
  assert.deepEqual([(await shown(agent))?.valid, (await shown(agent))?.changed_at], [true, second?.changed_at]);
  serve(undefined);
  await recheckAfter(3);
  serve(JSON.stringify(CARD));
  await recheckAfter(4);
  const back = await shown(agent);
  assert.deepEqual([back?.digest, back?.changed_at], [first?.digest, back?.read_at]);

  succeeded(await change(agent, { read_agent_card: false }));
  assert.equal(await shown(agent), null);
});

test("a card that is missing or malformed is a fact, and refuses nothing", async () => {
  const agent = await registerAgent();
  succeeded(await change(agent, { read_agent_card: true }));
  for (const [card, digest] of [
    [undefined, null],
    ["{", digestOf("{")],
    [JSON.stringify({ ...CARD, skills: undefined }), digestOf(JSON.stringify({ ...CARD, skills: undefined }))],
  ] as const) {
    serve(card);
    succeeded(await verify(agent));
    const facts = await shown(agent);
    assert.deepEqual([facts?.digest, facts?.valid], [digest, false]);
  }
});

test("without a proof of the domain nothing is kept of the card", async () => {
  const agent = await registerAgent();
  succeeded(await change(agent, { read_agent_card: true }));
  serve(JSON.stringify(CARD), false);
  assert.equal((await verify(agent)).status, 409);
  assert.equal(await shown(agent), null);
});

test("an identity that moves to another host takes nothing of the card along", async () => {
  const agent = await registerAgent();
  succeeded(await change(agent, { read_agent_card: true }));
  succeeded(
    await change(agent, { endpoint: `https://moved-${agent.publicId.slice(4, 10).toLowerCase()}.example.com/run` }),
  );
  assert.equal(await shown(agent), null);
  serve(JSON.stringify(CARD));
  succeeded(await verify(agent));
  assert.equal((await shown(agent))?.valid, true);
});

test("an operator who serves the proof is verified; the same host needs a proof for each identity, which is not its token", async (t) => {
  // A web server as an operator would run it, and the real client that looks at it.
  const HOST = "agent.test";
  const served = new Map<string, string>();
  const authority = await createAuthority();
  const { certPem, keyPem } = await authority.issue([HOST]);
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const text = served.get(request.url ?? "");
    response.writeHead(text === undefined ? 404 : 200, { "Content-Type": "text/plain" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const devHosts = new Map([[HOST, { address: "127.0.0.1", port }]]);
  replaceProber(createProber({ resolve: async () => [], devHosts, ca: [authority.certPem] }));
  const register = () => registerAgent({ endpoint: `https://${HOST}/run` });
  const path = ({ verification }: TestAgent) => new URL(verification.url).pathname;

  const [agent, neighbour] = [await register(), await register()];
  assert.equal((await verify(agent)).error?.reason, "status");
  served.set(path(agent), `${agent.verification.token}\n`);
  succeeded(await verify(agent));
  assert.equal((await verify(neighbour)).error?.reason, "status");
  for (const wrong of [agent.verification.token, neighbour.token]) {
    served.set(path(neighbour), wrong);
    const { error } = await verify(neighbour);
    assert.equal(error?.reason, "mismatch");
    assert.ok(!JSON.stringify(error).includes(wrong));
  }
});
