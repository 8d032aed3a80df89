import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { disableOwner } from "#lib/admin/accounts.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { letConfirmationLapse, ownerWithTotp } from "#testing/factors.ts";
import { get, put } from "#testing/files.ts";
import { actingAs, callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { limitedBy, ownedAgent, setLimits } from "#testing/owner-limits.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, perform, taskAt } from "#testing/workflow.ts";
import { readSecurityLog } from "../security-log.ts";
import type { ActAnswer } from "./schema.ts";

testService();

const ACT = "/api/v1/owners/act.php";
const act = (owner: TestOwner, { publicId }: TestAgent) =>
  callAsOwner<z.output<typeof ActAnswer>>(owner, "POST", ACT, { public_id: publicId });
const me = (agent: TestAgent) => callAs<{ credential: unknown }>(agent, "GET", "/api/v1/agents/me.php");
const post = (agent: TestAgent) =>
  callAs(agent, "POST", "/api/v1/jobs/create.php", { brief: "B", budget_pence: 0, client_request_id: newId("req") });

test("an owner acts for their own agent with its everyday scopes, for twelve hours at most", async () => {
  const [owner, stranger] = [await signedInOwner(), await signedInOwner()];
  const agent = await ownedAgent(owner);
  const { status, body } = await act(owner, agent);
  assert.equal(status, 201);
  assert.match(body.access_token, /^gha_[\w-]{43}$/);
  const acting = { ...agent, token: body.access_token };
  const { scopes, expires_at } = body;
  assert.deepEqual(scopes, ["read", "offers", "work", "order", "pay"]);
  assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 12 * 3_600_000) < 60_000);
  assert.deepEqual((await me(acting)).body.credential, {
    kind: "access",
    name: "Owner’s workspace",
    scopes,
    expires_at,
  });
  succeeded(await post(acting), 201);
  for (const [path, fields] of [
    ["agents/heartbeat.php", { health_status: "busy" }],
    ["agents/access_create.php", { name: "More", scopes: ["read"] }],
    ["agents/webhook_rotate.php", {}],
  ] as const)
    assert.equal(outcome(await callAs(acting, "POST", `/api/v1/${path}`, fields)), "403 insufficient_scope", path);
  assert.equal(outcome(await act(stranger, agent)), "404 not_found");
  assert.equal(outcome(await act(stranger, { ...agent, publicId: newId("agt") })), "404 not_found");
  const forged = { Cookie: owner.cookie, Origin: "https://evil.example", "X-CSRF-Token": owner.csrfToken };
  const sent = { public_id: agent.publicId };
  assert.equal(outcome(await call("POST", ACT, { headers: forged, body: sent })), "403 csrf_failed");
  const { entries } = await readSecurityLog(owner.ownerId, { limit: 1 });
  assert.deepEqual([entries[0]?.action, entries[0]?.subjectId], ["act_for", agent.publicId]);
  await pool().query("UPDATE owner_sessions SET expires_at = now() + interval '1 hour' WHERE owner_id = $1", [
    owner.ownerId,
  ]);
  const late = await act(owner, agent);
  assert.ok(Date.parse(late.body.expires_at) <= Date.now() + 3_600_000, "it never outlives the session");
});

test("an owner gives, lists, downloads and removes the files of their own agent's tasks, and of nobody else's", async () => {
  const [owner, stranger] = [await signedInOwner(), await signedInOwner()];
  const [requester, provider] = [await ownedAgent(owner), await ownedAgent(stranger)];
  const { taskId } = await taskAt("open", { requester, provider }, { amountPence: 0 });
  const acting = await actingAs(owner, requester);
  const { status, file } = await put(acting, { taskId, bytes: "Given by the owner." });
  assert.deepEqual([status, file.uploaded_by], [201, requester.publicId]);
  const list = (agent: TestAgent) =>
    callAs<{ files: object[] }>(agent, "GET", "/api/v1/jobs/files.php", { task_id: taskId });
  assert.deepEqual((await list(acting)).body.files, [file]);
  assert.equal(await (await get(acting, file.file_id)).text(), "Given by the owner.");
  const other = await actingAs(stranger, provider);
  assert.deepEqual(
    [outcome(await list(other)), (await get(other, file.file_id)).status, (await put(other, { taskId })).status],
    ["404 not_found", 404, 403],
  );
  assert.equal((await get(undefined, file.file_id, { Cookie: owner.cookie })).status, 401);
  succeeded(await callAs(acting, "POST", "/api/v1/jobs/remove_file.php", { file_id: file.file_id }));
});

/** What ends it, and what the next read and the next write get. */
const ENDS: Record<string, [(agent: TestAgent, owner: TestOwner) => Promise<unknown>, read: string, write: string]> = {
  "signing out": [
    (_agent, owner) => callAsOwner(owner, "POST", "/api/v1/owners/sign_out_everywhere.php", {}),
    "401 invalid_credential",
    "401 invalid_credential",
  ],
  "a disabled account": [
    (_agent, { ownerId }) => disableOwner(admin, { owner: ownerId, reason }),
    "401 invalid_credential",
    "401 invalid_credential",
  ],
  "the loss of the agent": [
    ({ publicId }) => pool().query("UPDATE identities SET owner_id = NULL WHERE id = $1", [publicId]),
    "401 invalid_credential",
    "401 invalid_credential",
  ],
  "a deleted session": [
    (_agent, { ownerId }) => pool().query("DELETE FROM owner_sessions WHERE owner_id = $1", [ownerId]),
    "401 invalid_credential",
    "401 invalid_credential",
  ],
  "a suspension": [
    ({ publicId }) => suspendIdentity(admin, { publicId, reason }),
    "403 identity_suspended",
    "403 identity_suspended",
  ],
  "a freeze": [
    ({ publicId }) => pool().query("UPDATE identities SET frozen_at = now() WHERE id = $1", [publicId]),
    "200",
    "403 gate_refused",
  ],
  "a hold": [
    ({ publicId }) => pool().query("UPDATE identities SET held_at = now() WHERE id = $1", [publicId]),
    "200",
    "403 gate_refused",
  ],
};

for (const [what, [end, read, write]] of Object.entries(ENDS))
  test(`after ${what} the owner's token is refused at the very next call`, async () => {
    const owner = await signedInOwner();
    const agent = await ownedAgent(owner);
    const acting = await actingAs(owner, agent);
    await end(agent, owner);
    assert.equal(outcome(await me(acting)), read);
    assert.equal(outcome(await post(acting)), write);
  });

test("the tokens of another session go on when one ends", async () => {
  const owner = await signedInOwner();
  const [agent, elsewhere] = [await ownedAgent(owner), await signInAgain(owner)];
  const [here, there] = [await actingAs(owner, agent), await actingAs(elsewhere, agent)];
  await pool().query(
    "UPDATE owner_sessions SET revoked_at = now() WHERE id = (SELECT min(id) FROM owner_sessions WHERE owner_id = $1)",
    [owner.ownerId],
  );
  const answers = [outcome(await me(here)), outcome(await me(there))].sort();
  assert.deepEqual(answers, ["200", "401 invalid_credential"]);
});

test("a second factor is asked for once in a session, and an account without one needs no confirmation", async () => {
  const { owner } = await ownerWithTotp();
  const [first, second] = [await ownedAgent(owner), await ownedAgent(owner)];
  await letConfirmationLapse(owner);
  await changesNothing("an unconfirmed session", async () =>
    assert.equal((await act(owner, first)).error?.reason, "step_up_required"),
  );
  await pool().query("UPDATE owner_sessions SET confirmed_at = now() WHERE owner_id = $1", [owner.ownerId]);
  await actingAs(owner, first);
  await letConfirmationLapse(owner);
  await actingAs(owner, second);
  const plain = await signedInOwner();
  const agent = await ownedAgent(plain);
  await letConfirmationLapse(plain);
  await actingAs(plain, agent);
});

test("reloading never locks an owner out: the newest 20 live, none counts among the agent's own, and none is listed", async () => {
  const owner = await signedInOwner();
  const agent = await ownedAgent(owner);
  const first = await actingAs(owner, agent);
  const others = [];
  for (let made = 0; made < 20; made += 1) others.push(await actingAs(owner, agent));
  assert.equal(outcome(await me(first)), "401 invalid_credential");
  for (const acting of others) succeeded(await me(acting));
  const access = await callAs<{ access: unknown[] }>(agent, "GET", "/api/v1/agents/access.php");
  assert.deepEqual(access.body.access, []);
  const body = { name: "Worker", scopes: ["work"] };
  succeeded(await callAs(agent, "POST", "/api/v1/agents/access_create.php", body), 201);
});

test("the owner's limits apply to what the owner does, but nobody is asked for their own approval", async () => {
  const owner = await signedInOwner();
  const requester = await ownedAgent(owner);
  const acting = await actingAs(owner, requester);
  const work = await taskAt("claimed", { requester, provider: await verifiedAgent() }, { amountPence: 500 });
  succeeded(await setLimits(owner, requester, { per_task_pence: 400, ask_above_pence: 100 }));
  assert.equal(limitedBy(await perform(acting, "propose", work)), "over_task_limit");
  succeeded(await setLimits(owner, requester, { per_task_pence: 500, ask_above_pence: 100 }));
  assert.equal(limitedBy(await perform(requester, "propose", work)), "owner_approval");
  await did(acting, "propose", work);
  await did(acting, "accept", work);
});
