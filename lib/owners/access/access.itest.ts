import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { readKeys } from "#lib/admin/keys.ts";
import { reissueToken } from "#lib/admin/reissue.ts";
import { pool, prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { type AccessAgent, withAccess } from "#testing/access.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { letConfirmationLapse } from "#testing/factors.ts";
import { callAsOwner, signedInOwner } from "#testing/owner.ts";
import { ownedAgent } from "#testing/owner-limits.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, perform, postTask, taskAt } from "#testing/workflow.ts";
import { forgetAccess } from "../jobs.ts";
import { readSecurityLog, viewEntry } from "../security-log.ts";
import type { CreateAnswer, ListAnswer } from "./schema.ts";

testService();

const CREATE = "/api/v1/agents/access_create.php";
const LIST = "/api/v1/agents/access.php";
const REMOVE = "/api/v1/agents/access_remove.php";
const ME = "/api/v1/agents/me.php";

const fields = (more: object = {}) => ({ name: "Worker", scopes: ["work"], ...more });
const create = (agent: TestAgent, more: object = {}) =>
  callAs<z.output<typeof CreateAnswer>>(agent, "POST", CREATE, fields(more));
const list = async (agent: TestAgent) => (await callAs<z.output<typeof ListAnswer>>(agent, "GET", LIST)).body.access;
const remove = (agent: TestAgent, { accessId }: Pick<AccessAgent, "accessId">) =>
  callAs(agent, "POST", REMOVE, { access_id: accessId });
const me = (agent: TestAgent) => callAs<{ credential: Record<string, unknown> }>(agent, "GET", ME);
const expireNow = ({ accessId }: Pick<AccessAgent, "accessId">) =>
  pool().query("UPDATE access_tokens SET expires_at = now() - interval '1 second' WHERE id = $1", [accessId]);

test("an access token acts as its identity, says what it is, and is listed without its secret", async () => {
  const agent = await registerAgent();
  const { status, body } = await create(agent, { scopes: ["work", "report", "work"], max_price_pence: 500 });
  assert.equal(status, 201);
  const { access, access_token: token } = body;
  assert.match(token, /^gha_[\w-]{43}$/);
  const days = (Date.parse(access.expires_at) - Date.parse(access.created_at)) / 86_400_000;
  assert.deepEqual(
    [access.name, access.scopes, access.max_price_pence, days, access.hint, access.last_used_at],
    ["Worker", ["report", "work"], 500, 30, token.slice(-4), null],
  );
  const answer = await me({ ...agent, token });
  const { name, scopes, expires_at } = access;
  assert.deepEqual(answer.body.credential, { kind: "access", name, scopes, expires_at });
  assert.equal((await me(agent)).body.credential.kind, "management");
  const [listed] = await list(agent);
  assert.ok(listed?.last_used_at);
  assert.deepEqual({ ...listed, last_used_at: null }, access);
  assert.ok(!JSON.stringify(await list(agent)).includes(token.slice(4, 20)));
  const { rows } = await pool().query("SELECT length(digest) AS length FROM access_tokens WHERE id = $1", [
    access.access_id,
  ]);
  assert.equal(rows[0].length, 36, "the digest has the version of its key");
});

test("what an access token may be is bounded, and a wrong field is named", async () => {
  const agent = await registerAgent();
  const wrong: [object, string][] = [
    [{ name: "" }, "name"],
    [{ name: "x".repeat(61) }, "name"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["everything"] }, "scopes.0"],
    [{ expires_in_days: 0 }, "expires_in_days"],
    [{ expires_in_days: 366 }, "expires_in_days"],
    [{ max_price_pence: -1 }, "max_price_pence"],
    [{ name: newSecret("gha") }, "name"],
  ];
  for (const [more, path] of wrong) {
    const { status, error } = await create(agent, more);
    assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, path]);
  }
  for (let made = 0; made < 20; made += 1) succeeded(await create(agent), 201);
  const { error } = await create(agent);
  assert.deepEqual([error?.code, error?.reason], ["quota_exceeded", "access_tokens"]);
  const [first] = await list(agent);
  await expireNow({ accessId: first?.access_id ?? "" });
  succeeded(await create(agent), 201);
  await Promise.all(Array.from({ length: 5 }, () => create(agent)));
  assert.equal((await list(agent)).length, 20, "simultaneous requests do not get past the bound");
});

test("an expired or removed token, and another identity's, are refused like an unknown one", async () => {
  const [agent, other] = [await registerAgent(), await registerAgent()];
  const [removed, expired, live] = [
    await withAccess(agent, ["read"]),
    await withAccess(agent, ["read"]),
    await withAccess(agent, ["read"]),
  ];
  succeeded(await me(removed));
  succeeded(await remove(agent, removed));
  await expireNow(expired);
  const unknown = { ...agent, token: newSecret("gha") };
  for (const refused of [removed, expired, unknown, { ...live, publicId: other.publicId }])
    assert.equal(outcome(await me(refused)), "401 invalid_credential");
  assert.deepEqual(
    (await list(agent)).map(({ access_id }) => access_id),
    [live.accessId],
  );
  for (const gone of [removed, expired, { accessId: newId("tok") }])
    assert.equal(outcome(await remove(agent, gone)), "404 not_found");
  assert.equal(outcome(await remove(other, live)), "404 not_found");
  succeeded(await me(live));
});

test("an access token can neither make, list nor remove access tokens", async () => {
  const agent = await registerAgent();
  const access = await withAccess(agent, ["read", "report", "offers", "work", "order", "pay"]);
  succeeded(await me(access));
  await changesNothing("an access token", async () => {
    for (const answer of [await create(access), await callAs(access, "GET", LIST), await remove(access, access)])
      assert.deepEqual([outcome(answer), answer.error?.scope], ["403 insufficient_scope", null]);
  });
});

test("the owner creates, lists and removes tokens in the browser, and nobody else's owner does", async () => {
  const [owner, stranger] = [await signedInOwner(), await signedInOwner()];
  const agent = await ownedAgent(owner);
  const body = { public_id: agent.publicId, ...fields() };
  assert.equal(outcome(await callAsOwner(stranger, "POST", CREATE, body)), "404 not_found");
  const forged = { Cookie: owner.cookie, Origin: "https://evil.example", "X-CSRF-Token": owner.csrfToken };
  assert.equal(outcome(await call("POST", CREATE, { headers: forged, body })), "403 csrf_failed");
  const made = await callAsOwner<z.output<typeof CreateAnswer>>(owner, "POST", CREATE, body);
  succeeded(made, 201);
  const { access_id } = made.body.access;
  const named = { public_id: agent.publicId };
  assert.equal(outcome(await callAsOwner(stranger, "GET", LIST, named)), "404 not_found");
  assert.equal(outcome(await callAsOwner(stranger, "POST", REMOVE, { ...named, access_id })), "404 not_found");
  await letConfirmationLapse(owner);
  assert.equal((await callAsOwner(owner, "POST", CREATE, body)).error?.reason, "step_up_required");
  succeeded(await callAsOwner(owner, "POST", REMOVE, { ...named, access_id }));
  assert.equal(outcome(await me({ ...agent, token: made.body.access_token })), "401 invalid_credential");
  const { entries } = await readSecurityLog(owner.ownerId, { limit: 2 });
  assert.deepEqual(
    entries.map(viewEntry).map(({ action, by, credential }) => [action, by, credential]),
    ["access_remove", "access_create"].map((action) => [action, "owner", { access_id, name: "Worker" }]),
  );
});

test("the highest amount bounds every budget, and every step that agrees to an amount or pays one", async () => {
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const scopes = ["order", "pay", "work"] as const;
  const bounded = await withAccess(requester, [...scopes], { max_price_pence: 400 });
  const gate = ({ error }: { error?: { gates?: { gate: string; passed: boolean }[] | undefined } | undefined }) =>
    error?.gates?.find(({ passed }) => !passed)?.gate;
  const post = (budget_pence: number) =>
    callAs(bounded, "POST", "/api/v1/jobs/create.php", { brief: "B", budget_pence, client_request_id: newId("req") });
  assert.equal(gate(await post(401)), "access_limit");
  succeeded(await post(400), 201);
  const work = await taskAt("claimed", { requester, provider }, { amountPence: 500 });
  assert.equal(gate(await perform(bounded, "propose", work)), "access_limit");
  assert.equal(gate(await perform(bounded, "propose", work, { amount_pence: 400 })), undefined);
  await did(provider, "decline", work);
  await did(requester, "propose", work);
  assert.equal(gate(await perform(bounded, "accept", work)), "access_limit");
  const working = await withAccess(provider, ["work"], { max_price_pence: 499 });
  assert.equal(gate(await perform(working, "accept", work)), "access_limit");
  await did(requester, "accept", work);
  await did(provider, "accept", work);
  assert.equal(gate(await perform(bounded, "fund", work)), "access_limit");
  await did(requester, "fund", work);
  assert.equal(gate(await perform(bounded, "confirm", work)), "access_limit");
  const enough = await withAccess(requester, ["pay"], { max_price_pence: 500 });
  await did(enough, "confirm", work);
});

test("a reported access token is removed, and the identity goes on with its others", async () => {
  const agent = await registerAgent();
  const [found, other] = [await withAccess(agent, ["read"]), await withAccess(agent, ["read"])];
  const body = { secret: `seen in a log: ${found.token}.` };
  succeeded(await call("POST", "/api/v1/agents/report_leak.php", { body }));
  assert.equal(outcome(await me(found)), "401 invalid_credential");
  for (const still of [other, agent]) succeeded(await me(still));
  await changesNothing("a repeated report", () => call("POST", "/api/v1/agents/report_leak.php", { body }));
});

test("a new management token ends all access tokens, and the old one can make no more", async () => {
  const agent = await verifiedAgent();
  const tokens = [await withAccess(agent, ["read"]), await withAccess(agent, ["work"])];
  await pool().query(
    "UPDATE identities SET held_at = now() - interval '1 minute', domain_checked_at = now() WHERE id = $1",
    [agent.publicId],
  );
  const [raced, { management_token: token }] = await Promise.all([
    create(agent),
    reissueToken(admin, { publicId: agent.publicId, reason }),
  ]);
  for (const gone of tokens) assert.equal(outcome(await me(gone)), "401 invalid_credential");
  assert.equal(outcome(await create(agent)), "401 invalid_credential");
  assert.deepEqual(await list({ ...agent, token }), [], `a token made at the same moment: ${outcome(raced)}`);
});

test("the audit trail names the access token that acted", async () => {
  const agent = await registerAgent();
  const access = await withAccess(agent, ["order"], { name: "Buyer" });
  const { task_id: taskId } = await postTask(access);
  const { rows } = await pool().query("SELECT actor_id, data FROM audit_events WHERE subject_id = $1 ORDER BY seq", [
    taskId,
  ]);
  assert.equal(rows[0].actor_id, agent.publicId);
  assert.deepEqual(rows[0].data.credential, { access_id: access.accessId, name: "Buyer" });
});

test("the administrator's list of keys counts live access tokens", async () => {
  const counted = async () => (await readKeys()).credentials.access_tokens?.current ?? 0;
  const before = await counted();
  const agent = await registerAgent();
  const [, expired] = [await withAccess(agent, ["read"]), await withAccess(agent, ["read"])];
  await expireNow(expired);
  assert.equal(await counted(), before + 1);
});

test("expired tokens are deleted, and live ones stay", async () => {
  const agent = await registerAgent();
  const [live, expired] = [await withAccess(agent, ["read"]), await withAccess(agent, ["read"])];
  await expireNow(expired);
  await forgetAccess({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_x" });
  const rows = await prisma().accessToken.findMany({ where: { identityId: agent.publicId }, select: { id: true } });
  assert.deepEqual(rows, [{ id: live.accessId }]);
});

test("when an owner's account is deleted, the tokens that the owner created end, and the agent's own stay", async () => {
  const owner = await signedInOwner();
  const agent = await ownedAgent(owner);
  const kept = await withAccess(agent, ["read"]);
  const body = { public_id: agent.publicId, ...fields() };
  const made = await callAsOwner<z.output<typeof CreateAnswer>>(owner, "POST", CREATE, body);
  succeeded(await callAsOwner(owner, "POST", "/api/v1/owners/delete.php", { confirm: owner.email }));
  assert.equal(outcome(await me({ ...agent, token: made.body.access_token })), "401 invalid_credential");
  succeeded(await me(kept));
});
