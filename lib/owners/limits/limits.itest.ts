import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { type Answer, call, startTestService } from "#lib/testing/client.ts";
import { type TestAgent, verifiedAgent } from "#lib/testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#lib/testing/owner.ts";
import { startApiProcess } from "#lib/testing/processes.ts";
import { did, perform, postTask, taskAt } from "#lib/testing/workflow.ts";
import type { LimitsWire } from "./schema.ts";

let requests = 0;
const nextRequestId = () => `limits-${++requests}`;

let service: Awaited<ReturnType<typeof startTestService>>;
let owner: TestOwner;
let provider: TestAgent;
before(async () => {
  service = await startTestService();
  owner = await signedInOwner();
  provider = await verifiedAgent();
});
after(() => service.stop());

const NONE = { per_task_pence: null, per_day_pence: null, ask_above_pence: null, allowed: [], blocked: [] };

async function ownedAgent(): Promise<TestAgent> {
  const agent = await verifiedAgent();
  await pool().query("UPDATE identities SET owner_id = $2 WHERE id = $1", [agent.publicId, owner.ownerId]);
  return agent;
}
const limit = (agent: TestAgent, limits: object, as = owner) =>
  callAsOwner<LimitsWire>(as, "POST", "/api/v1/owners/limits.php", { public_id: agent.publicId, ...NONE, ...limits });
const decide = (agent: TestAgent, fields: object) =>
  callAsOwner<LimitsWire>(owner, "POST", "/api/v1/owners/approve.php", { public_id: agent.publicId, ...fields });
const read = async (agent: TestAgent) =>
  (await callAsOwner<LimitsWire>(owner, "GET", `/api/v1/owners/limits.php?public_id=${agent.publicId}`)).body;

/** The reason of the limit that blocks; undefined if the call succeeded. */
function blockedBy({ error }: Answer<unknown>): string | null | undefined {
  if (!error) return undefined;
  assert.equal(error.code, "gate_refused", error.message);
  const gate = error.gates?.find(({ gate }) => gate === "owner_limits");
  assert.ok(gate?.remedy, "every obstacle has its remedy");
  return gate.reason;
}

test("an agent without limits sees no such gate, and one with limits is bound in every step that agrees to something", async () => {
  const agent = await ownedAgent();
  const work = await taskAt("claimed", { requester: agent, provider }, { amountPence: 800 });
  await limit(agent, { per_task_pence: 700 });
  const create = (fields: object) =>
    call("POST", "/api/v1/jobs/create.php", {
      token: agent.token,
      body: { public_id: agent.publicId, brief: "B", client_request_id: nextRequestId(), ...fields },
    });
  assert.equal(blockedBy(await create({ budget_pence: 701 })), "over_task_limit");
  assert.equal(blockedBy(await create({ budget_pence: 700 })), undefined);
  assert.equal(blockedBy(await perform(agent, "propose", work)), "over_task_limit");
  const shown = await call<{ task: TaskWire }>("GET", "/api/v1/jobs/show.php", {
    token: agent.token,
    query: { public_id: agent.publicId, task_id: work.taskId },
  });
  const propose = shown.body.task.available_actions.find(({ action }) => action === "propose");
  assert.deepEqual([propose?.ready, propose?.blocked_by[0]?.gate], [false, "owner_limits"]);

  await did(agent, "propose", work, { amount_pence: 700 });
  await limit(agent, { per_task_pence: 600 });
  assert.equal(blockedBy(await perform(agent, "accept", work)), "over_task_limit");
  await limit(agent, { per_task_pence: 700 });
  await did(agent, "accept", work);
  await did(provider, "accept", work);
  await limit(agent, { per_task_pence: 600 });
  assert.equal(blockedBy(await perform(agent, "fund", work)), "over_task_limit");
  await limit(agent, {});
  assert.equal(blockedBy(await perform(agent, "fund", work)), undefined);
});

test("blocked and allowed counterparties, by ID or host, count in both roles", async () => {
  const agent = await ownedAgent();
  const { rows } = await pool().query("SELECT host FROM identities WHERE id = $1", [provider.publicId]);
  const selected = { provider_public_id: provider.publicId };
  const tryCreate = () =>
    call("POST", "/api/v1/jobs/create.php", {
      token: agent.token,
      body: {
        public_id: agent.publicId,
        brief: "B",
        budget_pence: 0,
        client_request_id: nextRequestId(),
        ...selected,
      },
    });
  await limit(agent, { blocked: [provider.publicId] });
  assert.equal(blockedBy(await tryCreate()), "counterparty_blocked");
  await limit(agent, { blocked: [rows[0].host] });
  assert.equal(blockedBy(await tryCreate()), "counterparty_blocked");
  await limit(agent, { allowed: ["other.example"] });
  assert.equal(blockedBy(await tryCreate()), "counterparty_not_allowed");
  await limit(agent, { allowed: [rows[0].host] });
  assert.equal(blockedBy(await tryCreate()), undefined);

  await limit(agent, { blocked: [provider.publicId] });
  const { task_id: taskId } = await postTask(provider);
  const body = { public_id: agent.publicId, task_id: taskId };
  const claim = () => call("POST", "/api/v1/jobs/claim.php", { token: agent.token, body });
  assert.equal(blockedBy(await claim()), "counterparty_blocked");
  await limit(agent, { per_task_pence: 1 });
  assert.equal(blockedBy(await claim()), undefined, "amounts do not limit what an agent earns");
});

test("above the owner's amount a step waits, and goes on once the owner approves that amount for that task", async () => {
  const agent = await ownedAgent();
  await limit(agent, { ask_above_pence: 100 });
  const work = await taskAt("claimed", { requester: agent, provider }, { amountPence: 300 });
  assert.equal(blockedBy(await perform(agent, "propose", work)), "owner_approval");
  assert.equal(blockedBy(await perform(agent, "propose", work)), "owner_approval");
  const { waiting } = await read(agent);
  assert.deepEqual(
    waiting.map(({ task_id, amount_pence }) => [task_id, amount_pence]),
    [[work.taskId, 300]],
  );
  const asked = { task_id: work.taskId, amount_pence: 300 };
  assert.equal(
    (await decide(agent, { ...asked, amount_pence: 200, decision: "approve" })).error?.code,
    "state_conflict",
  );
  assert.deepEqual((await decide(agent, { ...asked, decision: "refuse" })).body.waiting, []);
  assert.equal(blockedBy(await perform(agent, "propose", work)), "owner_refused");
  assert.equal(blockedBy(await perform(agent, "propose", work, { amount_pence: 250 })), "owner_approval");
  await decide(agent, { task_id: work.taskId, amount_pence: 250, decision: "approve" });
  await did(agent, "propose", work, { amount_pence: 250 });
  await did(agent, "accept", work);
  await did(provider, "accept", work);
  assert.equal(blockedBy(await perform(agent, "fund", work)), undefined);
  const { rows } = await pool().query(
    "SELECT action FROM audit_events WHERE action IN ('request_approval', 'approve_spending', 'refuse_spending') AND (subject_id = $1 OR subject_id = $2) ORDER BY seq",
    [agent.publicId, work.taskId],
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ["request_approval", "refuse_spending", "request_approval", "approve_spending"],
  );
});

test("only the agent's owner changes limits, and only soon after confirming", async () => {
  const agent = await ownedAgent();
  const stranger = await signedInOwner();
  assert.equal((await limit(agent, {}, stranger)).error?.code, "not_found");
  const mistakes = { allowed: ["Not a host"], per_day_pence: -1 };
  assert.deepEqual(
    (await limit(agent, mistakes)).error?.field_errors?.map(({ path }) => path),
    ["per_day_pence", "allowed.0"],
  );
  await pool().query("UPDATE owner_sessions SET confirmed_at = now() - interval '6 minutes' WHERE owner_id = $1", [
    owner.ownerId,
  ]);
  assert.equal((await limit(agent, {})).error?.reason, "step_up_required");
  await pool().query("UPDATE owner_sessions SET confirmed_at = now() WHERE owner_id = $1", [owner.ownerId]);
});

const RACERS = Number(process.env.LIMIT_RACERS ?? 30);

test("simultaneous acceptances, in two processes, never exceed the limit of the day", async () => {
  const agent = await ownedAgent();
  const works = await Promise.all(
    Array.from({ length: RACERS }, () => taskAt("proposed", { requester: agent, provider }, { amountPence: 100 })),
  );
  await limit(agent, { per_day_pence: 1_050 });
  const other = await startApiProcess({});
  try {
    const accept = async ({ contractId, termsHash }: (typeof works)[number], at: number) => {
      const body = { public_id: agent.publicId, contract_id: contractId, terms_hash: termsHash };
      if (at % 2 === 0)
        return blockedBy(await call("POST", "/api/v1/contracts/accept.php", { token: agent.token, body }));
      const answer = await fetch(`${other.url}/api/v1/contracts/accept.php`, {
        method: "POST",
        headers: { authorization: `Bearer ${agent.token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const { error } = (await answer.json()) as Answer<unknown>;
      return error?.gates?.find(({ gate }) => gate === "owner_limits")?.reason ?? error?.code;
    };
    const outcomes = await Promise.all(works.map(accept));
    assert.equal(outcomes.filter((outcome) => outcome === undefined).length, 10);
    assert.equal(outcomes.filter((outcome) => outcome === "over_day_limit").length, RACERS - 10);
    const { rows } = await pool().query(
      "SELECT sum(amount_pence)::int AS agreed FROM contracts WHERE requester_id = $1 AND requester_accepted_at IS NOT NULL",
      [agent.publicId],
    );
    assert.equal(rows[0].agreed, 1_000);
    assert.equal((await read(agent)).limits.spent_today_pence, 1_000);
  } finally {
    await other.stop();
  }
});
