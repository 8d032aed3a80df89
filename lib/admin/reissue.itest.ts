import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason, recordOf, signedInAdministrator } from "#testing/administrator.ts";
import { call, outcome, provingProber, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { addTotp, codeOf, factor, letConfirmationLapse } from "#testing/factors.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { checkDomain } from "./check-domain.ts";
import { hold, unhold } from "./hold.ts";
import { reissueToken } from "./reissue.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

testService();

const leak = ({ token }: TestAgent) => call("POST", "/api/v1/agents/report_leak.php", { body: { secret: token } });
const check = ({ publicId }: TestAgent) => checkDomain(admin, { publicId, reason });
const reissue = ({ publicId }: TestAgent) => reissueToken(admin, { publicId, reason });
const held = ({ publicId }: TestAgent) => hold(admin, { subjectId: publicId, reason });
const suspended = ({ publicId }: TestAgent) => suspendIdentity(admin, { publicId, reason });
const me = (agent: TestAgent) => callAs(agent, "GET", "/api/v1/agents/me.php");
const report = (agent: TestAgent) =>
  callAs(agent, "POST", "/api/v1/agents/heartbeat.php", { health_status: "available" });

async function failingCheck(agent: TestAgent): Promise<void> {
  replaceProber({ probe: async () => ({ ok: false, reason: "mismatch", detail: "Not the proof." }) });
  await check(agent);
  replaceProber(provingProber);
}

async function assertRefused(agent: TestAgent, says: RegExp): Promise<void> {
  await changesNothing("a refused reissue", () =>
    assert.rejects(reissue(agent), (error) => {
      assert.ok(error instanceof ApiError && error.code === "state_conflict");
      assert.match(error.message, says);
      return true;
    }),
  );
}

test("an identity without a leak, hold or suspension cannot get a new token", async () => {
  const agent = await verifiedAgent();
  await check(agent);
  await assertRefused(agent, /no leaked token, hold or suspension/);
  succeeded(await me(agent));
});

for (const [name, stop] of [
  ["a leak", leak],
  ["a hold", held],
  ["a suspension", suspended],
] as const) {
  test(`a proof from before ${name} does not count, and one from after it does`, async () => {
    const agent = await verifiedAgent();
    await check(agent);
    await stop(agent);
    await assertRefused(agent, /must be verified after/);
    await failingCheck(agent);
    await assertRefused(agent, /it was grace/);
    await check(agent);
    const { management_token: token } = await reissue(agent);
    assert.equal(outcome(await me(agent)), "401 invalid_credential");
    const answer = await me({ ...agent, token });
    assert.equal(outcome(answer), name === "a suspension" ? "403 identity_suspended" : "200");
  });
}

test("a failed domain check cancels an earlier verification", async () => {
  const agent = await verifiedAgent();
  await leak(agent);
  await check(agent);
  await failingCheck(agent);
  await assertRefused(agent, /it was grace/);
});

test("an identity whose domain was never verified cannot get a new token", async () => {
  const agent = await registerAgent();
  await leak(agent);
  await assertRefused(agent, /never been checked/);
  await failingCheck(agent);
  await assertRefused(agent, /it was unverified/);
});

test("after a leak, the time of the leak counts, not that of an earlier hold", async () => {
  const agent = await verifiedAgent();
  await held(agent);
  await check(agent);
  await leak(agent);
  await assertRefused(agent, /after the leak was reported/);
  await check(agent);
  await reissue(agent);
});

test("a leak ends with the new token; a hold or suspension stays until it is lifted", async () => {
  const agent = await verifiedAgent();
  await held(agent);
  await suspended(agent);
  await leak(agent);
  await check(agent);
  const { management_token: token, ...rest } = await reissue(agent);
  assert.deepEqual(rest, { public_id: agent.publicId, held: true, suspended: true });
  const again = { ...agent, token };
  assert.equal(outcome(await me(again)), "403 identity_suspended");
  await restoreIdentity(admin, { publicId: agent.publicId, reason });
  const fields = { brief: "b", budget_pence: 0, client_request_id: newId("req") };
  const create = () => callAs(again, "POST", "/api/v1/jobs/create.php", fields);
  const refused = await create();
  assert.deepEqual(
    refused.error?.gates?.filter(({ passed }) => !passed).map(({ reason }) => reason),
    ["identity_held"],
  );
  await unhold(admin, { subjectId: agent.publicId, reason });
  succeeded(await create(), 201);
  succeeded(await report(again));
});

test("lifting a hold does not end a leak", async () => {
  const agent = await verifiedAgent();
  await held(agent);
  await leak(agent);
  await unhold(admin, { subjectId: agent.publicId, reason });
  assert.equal((await me(agent)).error?.gates?.[0]?.reason, "leaked_token");
});

test("issuing a token is in the audit trail without the token, and of two simultaneous requests one succeeds", async () => {
  const agent = await verifiedAgent();
  await leak(agent);
  await check(agent);
  const both = await Promise.allSettled([reissue(agent), reissue(agent)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  const record = await recordOf(agent.publicId);
  assert.deepEqual(
    record.map(({ action, reason: why, data }) => [action, why, data]),
    [
      ["reissue", reason, { after_leak: true }],
      ["check_domain", reason, { found: "proof" }],
    ],
  );
  const { rows } = await pool().query("SELECT 1 FROM audit_events e WHERE e::text ~ 'ghm_'");
  assert.deepEqual(rows, []);
});

test("an administrator issues a token from the console, on record with their account and reason", async () => {
  const administrator = await signedInAdministrator();
  const agent = await verifiedAgent();
  await leak(agent);
  await check(agent);
  const answer = await administrator.act<{ management_token: string }>("reissue", { public_id: agent.publicId });
  succeeded(answer);
  assert.equal(outcome(await me(agent)), "401 invalid_credential");
  succeeded(await me({ ...agent, token: answer.body.management_token }));
  const [entry] = await recordOf(agent.publicId);
  assert.deepEqual([entry?.action, entry?.actorId, entry?.reason], ["reissue", administrator.ownerId, "Because."]);
});

test("in the console, an administrator with a second factor confirms before issuing a token", async () => {
  const administrator = await signedInAdministrator();
  const { secret } = await addTotp(administrator);
  await letConfirmationLapse(administrator);
  const agent = await verifiedAgent();
  await leak(agent);
  await check(agent);
  const issue = () => administrator.act("reissue", { public_id: agent.publicId });
  await changesNothing("issuing a token without a confirmation", async () => {
    const { status, error } = await issue();
    assert.deepEqual([status, error?.reason], [403, "step_up_required"]);
  });
  succeeded(await factor(administrator, "step_up", { code: codeOf(secret) }));
  succeeded(await issue());
});

test("an unknown identity is not found", () =>
  assert.rejects(
    reissueToken(admin, { publicId: newId("agt"), reason }),
    (error) => error instanceof ApiError && error.code === "not_found",
  ));
