import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { provingProber, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { query } from "#testing/with-client.ts";
import { ProbeFailureField, type VerifyAnswer } from "../schema.ts";
import type { ProbeFailure } from "./prober.ts";
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
