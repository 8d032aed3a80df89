import assert from "node:assert/strict";
import { test } from "node:test";
import { denyAction } from "#lib/admin/restrictions.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { readTask } from "#testing/workflow.ts";
import type { TaskWire } from "./schema.ts";

let requester: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
});

const create = (agent: TestAgent, fields: object) =>
  callAs<{ task: TaskWire }>(agent, "POST", "/api/v1/jobs/create.php", { ...fields });
const fields = (more: object = {}) => ({
  brief: "Count.",
  budget_pence: 100,
  client_request_id: newId("req"),
  ...more,
});

async function tasksOf(agent: TestAgent): Promise<number> {
  const { rows } = await pool().query("SELECT 1 FROM tasks WHERE requester_id = $1", [agent.publicId]);
  return rows.length;
}

test("one request sent two hundred times at once creates one task, and all answers are the same", async () => {
  const agent = await registerAgent();
  const request = fields();
  const answers = await Promise.all(Array.from({ length: 200 }, () => create(agent, request)));
  assert.ok(answers.every(({ status }) => status === 201));
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true").length, 199);
  assert.equal(await tasksOf(agent), 1);
  const { rows } = await pool().query("SELECT action FROM audit_events WHERE subject_id = $1", [
    answers[0]?.body.task.task_id,
  ]);
  assert.deepEqual(rows, [{ action: "create" }]);
});

test("a request is the same whatever the order of its properties and whether it states its defaults", async () => {
  const request = fields();
  const first = await create(requester, request);
  const { brief, budget_pence, client_request_id } = request;
  for (const same of [
    { client_request_id, budget_pence, brief },
    { ...request, brief: " Count.\r\n" },
    { ...request, visibility: "listed", payment_mode: "TEST" },
  ]) {
    const again = await create(requester, same);
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(again.headers.get("Idempotent-Replayed"), "true");
  }
});

test("a different request with a used ID is refused and changes nothing, whatever differs", async () => {
  const request = fields();
  await create(requester, request);
  await changesNothing("a conflicting request", async () => {
    for (const change of [
      { brief: "Count!" },
      { budget_pence: 101 },
      { title: "T" },
      { skill: "count" },
      { visibility: "unlisted" },
      { expires_in_seconds: 60 },
    ])
      assert.equal((await create(requester, { ...request, ...change })).error?.code, "request_id_conflict");
  });
});

test("of two different simultaneous requests with one ID, one creates its task and the other is refused", async () => {
  for (let round = 0; round < 20; round += 1) {
    const agent = await registerAgent();
    const request = fields();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(agent, { ...request, budget_pence: index % 2 })),
    );
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(new Set(made.map(({ body }) => body.task.task_id)).size, 1);
    assert.ok(answers.every(({ status, error }) => status === 201 || error?.code === "request_id_conflict"));
    assert.equal(made.length, 5);
    assert.equal(await tasksOf(agent), 1);
  }
});

test("two requesters can use the same ID", async () => {
  const request = fields();
  const [one, other] = [await create(requester, request), await create(await registerAgent(), request)];
  assert.notEqual(one.body.task.task_id, other.body.task.task_id);
});

test("an answered request always gets the same answer, whatever has changed since", async () => {
  const agent = await registerAgent();
  const provider = await verifiedAgent();
  const request = fields({ provider_public_id: provider.publicId });
  const first = await create(agent, request);
  assert.equal(
    (await callAs(agent, "POST", "/api/v1/jobs/cancel.php", { task_id: first.body.task.task_id })).status,
    200,
  );
  await suspendIdentity(admin, { publicId: provider.publicId, reason: "test" });
  await denyAction(admin, { publicId: agent.publicId, action: "create", reason: "test" });
  const again = await create(agent, request);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.equal((await create(agent, { ...request, budget_pence: 7 })).error?.code, "request_id_conflict");
  assert.equal((await create(agent, { ...request, client_request_id: newId("req") })).error?.code, "not_found");
  assert.equal((await create(agent, fields())).error?.code, "gate_refused");
});

test("a refused request leaves its ID unused", async () => {
  const request = fields({ provider_public_id: newId("agt") });
  assert.equal((await create(requester, request)).error?.code, "not_found");
  assert.equal(
    (await create(requester, { ...request, provider_public_id: requester.publicId })).error?.code,
    "invalid_input",
  );
  assert.equal(
    (await create(requester, { ...request, payment_mode: "LIVE", provider_public_id: undefined })).error?.code,
    "live_unavailable",
  );
  assert.equal((await create(requester, { ...request, provider_public_id: undefined })).status, 201);
});

test("by default a task's title is the first line of its brief, and it expires after a week", async () => {
  const brief = `${"é".repeat(100)}\nsecond line ${"y".repeat(500)}`;
  const { task } = (await create(requester, fields({ brief }))).body;
  assert.equal(task.title, `${"é".repeat(79)}…`);
  assert.equal(task.summary, brief.slice(0, 280));
  assert.equal(Date.parse(task.expires_at) - Date.parse(task.created_at), 604_800_000);
  assert.deepEqual([task.state, task.visibility, task.payment_mode, task.currency], ["open", "listed", "TEST", "GBP"]);
  const own = (await create(requester, fields({ title: "T", expires_in_seconds: 60 }))).body.task;
  assert.deepEqual([own.title, Date.parse(own.expires_at) - Date.parse(own.created_at)], ["T", 60_000]);
  const request = fields({ client_request_id: "the-name-of-it" });
  const { task: named } = (await create(requester, request)).body;
  assert.equal(named.client_request_id, "the-name-of-it");
  assert.equal((await readTask(named.task_id, await verifiedAgent())).client_request_id, undefined);
  const made = async (agent: TestAgent, id = "the-name-of-it") =>
    (await callAs<{ tasks: TaskWire[] }>(agent, "GET", "/api/v1/jobs/mine.php", { client_request_id: id })).body.tasks;
  assert.deepEqual(
    (await made(requester)).map(({ task_id }) => task_id),
    [named.task_id],
  );
  assert.deepEqual([await made(await verifiedAgent()), await made(requester, "no-name")], [[], []]);
});

test("invalid tasks are refused", async () => {
  const bad: object[] = [
    { budget_pence: -1 },
    { budget_pence: 0.5 },
    { budget_pence: 100_000_000 },
    { budget_pence: "100" },
    { payment_mode: "CRYPTO" },
    { payment_mode: "test" },
    { visibility: "hidden" },
    { brief: "" },
    { brief: "  \n " },
    { brief: "x".repeat(20_001) },
    { brief: "a\u0000b" },
    { title: "x".repeat(201) },
    { skill: "Not A Skill" },
    { expires_in_seconds: 0 },
    { expires_in_seconds: 2_592_001 },
    { client_request_id: "with space" },
    { client_request_id: undefined },
    { state: "completed" },
    { override: true },
  ];
  await changesNothing("a bad request", async () => {
    for (const change of bad)
      assert.equal(
        (await create(requester, fields(change))).error?.code,
        "invalid_input",
        JSON.stringify(change).slice(0, 60),
      );
  });
});
