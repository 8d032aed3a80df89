import assert from "node:assert/strict";
import { test } from "node:test";
import { setQuota } from "#lib/admin/restrictions.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin } from "#testing/administrator.ts";
import { type Answer, outcome, testService } from "#testing/client.ts";
import {
  callAs,
  registerAgent,
  setDomainStatus,
  succeeded,
  type TestAgent,
  verifiedAgent,
} from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { expire, perform, taskAt } from "#testing/workflow.ts";
import type { TaskWire } from "./schema.ts";

testService();

const fields = (more: object = {}) => ({ brief: "b", budget_pence: 0, client_request_id: newId("req"), ...more });
const create = (agent: TestAgent, body: object = fields()) =>
  callAs<{ task: TaskWire }>(agent, "POST", "/api/v1/jobs/create.php", { ...body });

/** As many open tasks, made without asking anybody. */
async function plant({ publicId }: TestAgent, count: number, expires = "now() + interval '1 day'"): Promise<void> {
  await pool().query(
    `INSERT INTO tasks (id, requester_id, title, brief, summary, budget_pence, visibility, payment_mode, client_request_id, created_at, updated_at, expires_at)
     SELECT 'tsk_' || left(translate(encode(sha256((gen_random_uuid()::text || n)::bytea), 'hex'), '0', 'z'), 22), $1, 't', 'b', 'b', 0,
       'listed', 'TEST', n::text, now(), now(), ${expires} FROM generate_series(1, $2) n`,
    [publicId, count],
  );
  // Nobody but the service makes tasks: what it has counted for this requester is now wrong.
  await pool().query("DELETE FROM task_allowances WHERE requester_id = $1", [publicId]);
}

async function openTasks({ publicId }: TestAgent): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    "SELECT count(*)::int AS count FROM tasks WHERE requester_id = $1 AND state = 'open' AND expires_at > now()",
    [publicId],
  );
  return rows[0]?.count ?? 0;
}

function refused({ status, error }: Answer<unknown>, ...words: RegExp[]) {
  assert.equal(outcome({ status, error }), "409 quota_exceeded");
  assert.deepEqual([error?.reason, error?.retryable], ["tasks", false]);
  for (const word of words) assert.match(error?.message ?? "", word);
}

test("an unverified requester may have 20 open tasks, and the error says that verifying the domain raises that to 500", async () => {
  const agent = await registerAgent();
  for (let turn = 0; turn < 20; turn += 1) succeeded(await create(agent), 201);
  await changesNothing("a task beyond the quota", async () =>
    refused(await create(agent), /\b20 open tasks\b/, /Verify the domain .* 500\b/),
  );
  succeeded(await callAs(agent, "POST", "/api/v1/agents/verify.php"));
  succeeded(await create(agent), 201);
  await setDomainStatus(agent, "lapsed");
  refused(await create(agent), /Verify the domain/);
  await setDomainStatus(agent, "grace");
  succeeded(await create(agent), 201);
});

test("a verified requester may have 500 open tasks, and then only the administrator can raise that", async () => {
  const agent = await verifiedAgent();
  await plant(agent, 499);
  succeeded(await create(agent), 201);
  refused(await create(agent), /\b500 open tasks\b/, /Ask the administrator/);
  await setQuota(admin, { publicId: agent.publicId, quota: "tasks", limit: 501, reason: "A large customer." });
  succeeded(await create(agent), 201);
  refused(await create(agent), /\b501 open tasks\b/, /Ask the administrator/);
});

test("a quota that the administrator sets counts for an unverified requester as well", async () => {
  const agent = await registerAgent();
  await setQuota(admin, { publicId: agent.publicId, quota: "tasks", limit: 2, reason: "On trial." });
  for (let turn = 0; turn < 2; turn += 1) succeeded(await create(agent), 201);
  refused(await create(agent), /\b2 open tasks\b/, /Ask the administrator/);
});

test("claimed, cancelled and expired tasks make room, whether or not the expiry has been recorded yet", async () => {
  const agent = await registerAgent();
  const provider = await verifiedAgent();
  await plant(agent, 30, "now()");
  await plant(agent, 17);
  const works = await Promise.all([1, 2, 3].map(() => taskAt("open", { requester: agent, provider })));
  refused(await create(agent));
  const [claimed, cancelled, expired] = works;
  assert.ok(claimed && cancelled && expired);
  succeeded(await perform(provider, "claim", claimed));
  succeeded(await create(agent), 201);
  refused(await create(agent));
  succeeded(await perform(agent, "cancel", cancelled));
  succeeded(await create(agent), 201);
  refused(await create(agent));
  await expire(expired.taskId);
  succeeded(await create(agent), 201);
  refused(await create(agent));
});

test("a repeated request gets the same answer whatever the quota; a refused one does not use up its ID", async () => {
  const agent = await registerAgent();
  const [request, other] = [fields(), fields()];
  const first = await create(agent, request);
  await plant(agent, 30);
  const again = await create(agent, request);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.equal(again.headers.get("Idempotent-Replayed"), "true");
  assert.equal((await create(agent, { ...request, budget_pence: 9 })).error?.code, "request_id_conflict");
  refused(await create(agent, other));
  await pool().query("UPDATE tasks SET expires_at = now() WHERE requester_id = $1", [agent.publicId]);
  succeeded(await create(agent, { ...other, budget_pence: 9 }), 201);
});

test("of a hundred tasks posted at once with room for one, one is created, for any quota", async () => {
  for (const [agent, quota] of [
    [await registerAgent(), 20],
    [await verifiedAgent(), 500],
  ] as const) {
    await plant(agent, quota - 1);
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(agent)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal(answers.filter(({ error }) => error?.code === "quota_exceeded").length, 99);
    assert.equal(await openTasks(agent), quota);
  }
});

test("tasks that are posted at once, from far below the quota to beyond it, fill it exactly", async () => {
  const agent = await verifiedAgent();
  await plant(agent, 150);
  const answers = await Promise.all(Array.from({ length: 400 }, () => create(agent)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 350);
  assert.equal(await openTasks(agent), 500);
});

test("a released task counts as open again", async () => {
  const agent = await registerAgent();
  const provider = await verifiedAgent();
  const works = await Promise.all(Array.from({ length: 20 }, () => taskAt("open", { requester: agent, provider })));
  for (const work of works.slice(0, 10)) succeeded(await perform(provider, "claim", work));
  for (let turn = 0; turn < 5; turn += 1) succeeded(await create(agent), 201);
  for (const work of works.slice(0, 10)) succeeded(await perform(provider, "release", work));
  assert.equal(await openTasks(agent), 25);
  refused(await create(agent));
  for (const work of works.slice(0, 6)) succeeded(await perform(agent, "cancel", work));
  succeeded(await create(agent), 201);
  refused(await create(agent));
});

test("a requester can always open as many tasks as it has room for, whatever happens at the same time", async () => {
  const agent = await registerAgent();
  const provider = await verifiedAgent();
  for (let round = 0; round < 6; round += 1) {
    const works = await Promise.all(Array.from({ length: 4 }, () => taskAt("claimed", { requester: agent, provider })));
    await Promise.all([
      ...works.map((work) => perform(provider, "release", work)),
      ...Array.from({ length: 30 }, () => create(agent)),
    ]);
    // Each release may have come after the last creation.
    assert.ok((await openTasks(agent)) <= 20 + works.length);
    refused(await create(agent));
    await pool().query("UPDATE tasks SET expires_at = now() WHERE requester_id = $1 AND state = 'open'", [
      agent.publicId,
    ]);
    await Promise.all(Array.from({ length: 30 }, () => create(agent)));
    assert.equal(await openTasks(agent), 20);
    await pool().query("UPDATE tasks SET expires_at = now() WHERE requester_id = $1 AND state = 'open'", [
      agent.publicId,
    ]);
  }
});

test("one request sent a hundred times at once with room for one makes one task, and every answer is the same", async () => {
  const agent = await registerAgent();
  await plant(agent, 19);
  const request = fields();
  const answers = await Promise.all(Array.from({ length: 100 }, () => create(agent, request)));
  assert.ok(answers.every(({ status }) => status === 201));
  assert.equal(new Set(answers.map(({ body }) => body.task.task_id)).size, 1);
});

test("a provider can claim the same task twenty times, and another provider still can", async () => {
  const [first, second] = [await verifiedAgent(), await verifiedAgent()];
  const work = await taskAt("open", { requester: await registerAgent(), provider: first });
  for (let time = 0; time < 20; time += 1) {
    succeeded(await perform(first, "claim", work));
    succeeded(await perform(first, "release", work));
  }
  assert.equal(outcome(await perform(first, "claim", work)), "409 quota_exceeded");
  succeeded(await perform(second, "claim", work));
});
