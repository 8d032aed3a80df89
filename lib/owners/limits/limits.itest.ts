import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { type Answer, call, testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { betweenLookAndAct, untilBlocked } from "#testing/outside/blocked.ts";
import { signedInOwner, type TestOwner } from "#testing/owner.ts";
import { decideApproval, limitedBy, ownedAgent as ownedBy, readLimits, setLimits } from "#testing/owner-limits.ts";
import { startApiProcess } from "#testing/processes/processes.ts";
import { did, perform, postTask, taskAt } from "#testing/workflow.ts";

let owner: TestOwner;
let provider: TestAgent;
testService({}, async () => {
  owner = await signedInOwner();
  provider = await verifiedAgent();
});

const ownedAgent = () => ownedBy(owner);
const limit = (agent: TestAgent, limits: object, as = owner) => setLimits(as, agent, limits);
const decide = (agent: TestAgent, fields: object) => decideApproval(owner, agent, fields);
const read = (agent: TestAgent) => readLimits(owner, agent);
const create = (agent: TestAgent, fields: object) =>
  callAs(agent, "POST", "/api/v1/jobs/create.php", { brief: "B", client_request_id: newId("req"), ...fields });
const claim = (agent: TestAgent, taskId: string) =>
  callAs(agent, "POST", "/api/v1/jobs/claim.php", { task_id: taskId });

test("an agent without limits sees no such gate, and one with limits is bound in every step that agrees to something", async () => {
  const agent = await ownedAgent();
  const work = await taskAt("claimed", { requester: agent, provider }, { amountPence: 800 });
  await limit(agent, { per_task_pence: 700 });
  assert.equal(limitedBy(await create(agent, { budget_pence: 701 })), "over_task_limit");
  assert.equal(limitedBy(await create(agent, { budget_pence: 700 })), undefined);
  assert.equal(limitedBy(await perform(agent, "propose", work)), "over_task_limit");
  const named = { task_id: work.taskId };
  const shown = await callAs<{ task: TaskWire }>(agent, "GET", "/api/v1/jobs/show.php", named);
  const propose = shown.body.task.available_actions.find(({ action }) => action === "propose");
  assert.deepEqual([propose?.ready, propose?.blocked_by[0]?.gate], [false, "owner_limits"]);

  await did(agent, "propose", work, { amount_pence: 700 });
  await limit(agent, { per_task_pence: 600 });
  assert.equal(limitedBy(await perform(agent, "accept", work)), "over_task_limit");
  await limit(agent, { per_task_pence: 700 });
  await did(agent, "accept", work);
  await did(provider, "accept", work);
  await limit(agent, { per_task_pence: 600 });
  assert.equal(limitedBy(await perform(agent, "fund", work)), "over_task_limit");
  await limit(agent, {});
  assert.equal(limitedBy(await perform(agent, "fund", work)), undefined);
});

test("blocked and allowed counterparties, by ID or host, count in both roles", async () => {
  const agent = await ownedAgent();
  const { rows } = await pool().query("SELECT host FROM identities WHERE id = $1", [provider.publicId]);
  const selected = { budget_pence: 0, provider_public_id: provider.publicId };
  await limit(agent, { blocked: [provider.publicId] });
  assert.equal(limitedBy(await create(agent, selected)), "counterparty_blocked");
  await limit(agent, { blocked: [rows[0].host] });
  assert.equal(limitedBy(await create(agent, selected)), "counterparty_blocked");
  await limit(agent, { allowed: ["other.example"] });
  assert.equal(limitedBy(await create(agent, selected)), "counterparty_not_allowed");
  await limit(agent, { allowed: [rows[0].host] });
  assert.equal(limitedBy(await create(agent, selected)), undefined);

  await limit(agent, { blocked: [provider.publicId] });
  const { task_id: taskId } = await postTask(provider);
  assert.equal(limitedBy(await claim(agent, taskId)), "counterparty_blocked");
  await limit(agent, { per_task_pence: 1 });
  assert.equal(limitedBy(await claim(agent, taskId)), undefined, "amounts do not limit what an agent earns");
});

test("a host is allowed only while its domain is verified, and blocked in any case", async () => {
  const agent = await ownedAgent();
  const host = "trusted-bank.example";
  const impostor = await registerAgent({ endpoint: `https://${host}/api` });
  const { task_id: taskId } = await postTask(impostor);
  await limit(agent, { allowed: [host] });
  const refused = await claim(agent, taskId);
  assert.equal(limitedBy(refused), "counterparty_not_allowed");
  assert.match(refused.error?.gates?.find(({ passed }) => !passed)?.remedy ?? "", /verified its domain/);
  await limit(agent, { blocked: [host] });
  assert.equal(limitedBy(await claim(agent, taskId)), "counterparty_blocked");
  await limit(agent, { allowed: [host] });
  await pool().query("UPDATE identities SET domain_status = 'verified' WHERE id = $1", [impostor.publicId]);
  assert.equal(limitedBy(await claim(agent, taskId)), undefined);
});

test("above the owner's amount a step waits, and goes on once the owner approves that amount for that task", async () => {
  const agent = await ownedAgent();
  await limit(agent, { ask_above_pence: 100 });
  const work = await taskAt("claimed", { requester: agent, provider }, { amountPence: 300 });
  assert.equal(limitedBy(await perform(agent, "propose", work)), "owner_approval");
  assert.equal(limitedBy(await perform(agent, "propose", work)), "owner_approval");
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
  assert.equal(limitedBy(await perform(agent, "propose", work)), "owner_refused");
  assert.equal(limitedBy(await perform(agent, "propose", work, { amount_pence: 250 })), "owner_approval");
  await decide(agent, { task_id: work.taskId, amount_pence: 250, decision: "approve" });
  await did(agent, "propose", work, { amount_pence: 250 });
  await did(agent, "accept", work);
  await did(provider, "accept", work);
  assert.equal(limitedBy(await perform(agent, "fund", work)), undefined);
  const { rows } = await pool().query(
    "SELECT action FROM audit_events WHERE action IN ('request_approval', 'approve_spending', 'refuse_spending') AND (subject_id = $1 OR subject_id = $2) ORDER BY seq",
    [agent.publicId, work.taskId],
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ["request_approval", "refuse_spending", "request_approval", "approve_spending"],
  );
});

test("an approval is for one provider and one proposal", async () => {
  const agent = await ownedAgent();
  const other = await verifiedAgent();
  await limit(agent, { ask_above_pence: 100 });
  const work = await taskAt("claimed", { requester: agent, provider }, { amountPence: 300 });
  const asked = { task_id: work.taskId, amount_pence: 300 };
  const shown = async () => {
    const [{ provider_public_id, terms_hash } = {}, ...more] = (await read(agent)).waiting;
    assert.equal(more.length, 0);
    return { provider_public_id, terms_hash };
  };
  assert.equal(limitedBy(await perform(agent, "propose", work)), "owner_approval");
  const first = await shown();
  assert.deepEqual(first, { provider_public_id: provider.publicId, terms_hash: null });
  await did(provider, "release", work);
  const theirs = { ...work, provider: other };
  await did(other, "claim", theirs);
  assert.deepEqual((await read(agent)).waiting, [], "nobody waits for a provider who has released the task");
  assert.equal(limitedBy(await perform(agent, "propose", theirs)), "owner_approval");
  const stale = await decide(agent, { ...asked, ...first, decision: "approve" });
  assert.equal(stale.error?.code, "state_conflict", "the owner was shown another provider");
  await decide(agent, { ...asked, ...(await shown()), decision: "approve" });
  await did(agent, "propose", theirs);

  await did(other, "decline", theirs);
  assert.equal(
    limitedBy(await perform(agent, "propose", theirs)),
    "owner_approval",
    "other terms need another decision",
  );
  await limit(agent, {});
  await did(agent, "propose", theirs);
  await limit(agent, { ask_above_pence: 100 });
  assert.equal(limitedBy(await perform(agent, "accept", theirs)), "owner_approval");
  assert.deepEqual(await shown(), { provider_public_id: other.publicId, terms_hash: theirs.termsHash });
  await decide(agent, { ...asked, ...(await shown()), decision: "approve" });
  await did(agent, "accept", theirs);
  await did(other, "accept", theirs);
  await did(agent, "fund", theirs);
  await did(agent, "confirm", theirs);
});

test("confirming a payment asks the owner too, and declining one needs nobody", async () => {
  const agent = await ownedAgent();
  const work = await taskAt("accepted", { requester: agent, provider }, { amountPence: 300 });
  await did(agent, "fund", work);
  await limit(agent, { ask_above_pence: 100 });
  assert.equal(limitedBy(await perform(agent, "confirm", work)), "owner_approval");
  const [waiting] = (await read(agent)).waiting;
  assert.deepEqual([waiting?.task_id, waiting?.terms_hash], [work.taskId, work.termsHash]);
  await did(agent, "confirm", work, { outcome: "decline" });
  await limit(agent, {});
  await did(agent, "fund", work);
  await limit(agent, { ask_above_pence: 100 });
  await decide(agent, { task_id: work.taskId, amount_pence: 300, decision: "approve" });
  await did(agent, "confirm", work);
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
        return limitedBy(await call("POST", "/api/v1/contracts/accept.php", { token: agent.token, body }));
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

test("limits bind acceptances that were authenticated before they were set", async () => {
  for (const [limits, reason] of [
    [{ per_task_pence: 99 }, "over_task_limit"],
    [{ ask_above_pence: 99 }, "owner_approval"],
    [{ blocked: [provider.publicId] }, "counterparty_blocked"],
  ] as const) {
    const agent = await ownedAgent();
    const work = await taskAt("proposed", { requester: agent, provider }, { amountPence: 100 });
    const accepted = await betweenLookAndAct(
      ["SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE", [work.taskId]],
      () => perform(agent, "accept", work),
      () => limit(agent, limits),
    );
    assert.equal(limitedBy(accepted), reason);
  }
});

test("limits that are set during an acceptance wait for it and count it", async () => {
  const agent = await ownedAgent();
  const [work, next] = await Promise.all(
    [1, 2].map(() => taskAt("proposed", { requester: agent, provider }, { amountPence: 100 })),
  );
  assert.ok(work && next);
  let saving: Promise<unknown> | undefined;
  await betweenLookAndAct(
    ["SELECT 1 FROM contracts WHERE id = $1 FOR UPDATE", [work.contractId]],
    () => perform(agent, "accept", work),
    () => {
      saving = limit(agent, { per_day_pence: 150 });
      return untilBlocked(2);
    },
  );
  await saving;
  assert.equal((await read(agent)).limits.spent_today_pence, 100);
  assert.equal(limitedBy(await perform(agent, "accept", next)), "over_day_limit");
});

test("what was accepted while limits were being set is counted, whichever came first", async () => {
  const agent = await ownedAgent();
  const works = await Promise.all(
    Array.from({ length: 12 }, () => taskAt("proposed", { requester: agent, provider }, { amountPence: 100 })),
  );
  const [, ...answers] = await Promise.all([
    limit(agent, { per_day_pence: 300 }),
    ...works.map((work) => perform(agent, "accept", work)),
  ]);
  const accepted = answers.filter((answer) => limitedBy(answer) === undefined).length;
  assert.equal((await read(agent)).limits.spent_today_pence, accepted * 100);
});
