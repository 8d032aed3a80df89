import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold } from "#lib/admin/hold.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, postTask, readTask, taskAt } from "#testing/workflow.ts";
import type { TaskState } from "../machine.ts";
import type { TaskWire } from "../schema.ts";
import { TEMPLATES_PER_KIND, type TemplateWire, type WaitingWire } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
});

async function waiting(agent: TestAgent): Promise<[action: string, taskId: string, deadline: string | null][]> {
  const { body } = await callAs<WaitingWire>(agent, "GET", "/api/v1/jobs/waiting.php");
  return body.waiting.map(({ action, task, deadline }) => [action, task.task_id, deadline]);
}

const DUE = "2031-01-01T12:00:00.000Z";

test("each step waits for one party, with its deadline, and for the other nothing does", async () => {
  const turns: [TaskState, "requester" | "provider" | "both" | null, string][] = [
    ["claimed", "requester", "propose"],
    ["proposed", "both", "accept"],
    ["accepted", "requester", "fund"],
    ["in_progress", "provider", "submit"],
    ["submitted", "requester", "complete"],
    ["completed", null, ""],
    ["cancelled", null, ""],
  ];
  for (const [state, turn, action] of turns) {
    const { taskId } = await taskAt(state, { requester, provider }, { terms: { due_at: DUE, review_days: 3 } });
    for (const [role, agent] of [
      ["requester", requester],
      ["provider", provider],
    ] as const) {
      const found = (await waiting(agent)).find(([, id]) => id === taskId);
      assert.equal(found?.[0], turn === role || turn === "both" ? action : undefined, `${state} for the ${role}`);
      assert.equal((await readTask(taskId, agent)).awaited_action, found?.[0] ?? null);
      if (found?.[0] === "submit") assert.equal(found[2], DUE);
      if (found?.[0] === "complete") assert.ok(found[2] && found[2] < DUE);
    }
  }
});

test("what waits is ordered by its deadline, and what has none comes last", async () => {
  const [alone, other] = [await verifiedAgent(), await verifiedAgent()];
  const offered = (seconds: number) =>
    postTask(other, { provider_public_id: alone.publicId, expires_in_seconds: seconds }).then((task) => task.task_id);
  const [later, sooner] = [await offered(5_000), await offered(1_000)];
  const { taskId: undated } = await taskAt("claimed", { requester: alone, provider: other });
  assert.deepEqual(
    (await waiting(alone)).map(([action, id]) => [action, id]),
    [
      ["claim", sooner],
      ["claim", later],
      ["propose", undated],
    ],
  );
});

test("a dispute waits for the other party until it has said something; holds wait for nobody", async () => {
  const work = await taskAt("submitted", { requester, provider });
  const about = async (agent: TestAgent) => (await waiting(agent)).find(([, id]) => id === work.taskId)?.[0];
  const { dispute } = await did(requester, "dispute", work);
  assert.deepEqual([await about(requester), await about(provider)], [undefined, "dispute_statement"]);
  const list = await call<{ tasks: TaskWire[] }>("GET", "/api/v1/jobs/list.php", { query: {} });
  const listed = list.body.tasks.find(({ task_id: id }) => id === work.taskId);
  for (const task of [listed, await readTask(work.taskId), await readTask(work.taskId, requester)])
    assert.equal(task?.disputed, true);
  const said = { dispute_id: dispute?.dispute_id, statement: "It is all there." };
  succeeded(await callAs(provider, "POST", "/api/v1/jobs/dispute_statement.php", said), 201);
  assert.equal(await about(provider), undefined);
  assert.equal((await readTask(work.taskId, provider)).awaited_action, null);
  await resolveDispute(admin, { disputeId: dispute?.dispute_id ?? "", resolution: "provider", reason });
  assert.equal((await readTask(work.taskId)).disputed, undefined);
  const held = await taskAt("in_progress", { requester, provider });
  await hold(admin, { subjectId: held.taskId, reason });
  assert.ok((await waiting(provider)).every(([, id]) => id !== held.taskId));
});

type Answer = { templates: TemplateWire[] };
const save = (agent: TestAgent, kind: string, name: string, fields: object) =>
  callAs<Answer>(agent, "POST", "/api/v1/agents/template_save.php", { kind, name, fields });

test("templates are saved under their names, replaced, listed for their identity alone, and removed", async () => {
  const agent = await registerAgent();
  await save(agent, "task", "Weekly", { brief: "Count.", budget_pence: 500 });
  await save(agent, "offer", "Counting", { skill: "counting", price_pence: 100 });
  const { body } = await save(agent, "task", "Weekly", { brief: "Count again." });
  assert.deepEqual(
    body.templates.map(({ kind, name, fields }) => [kind, name, fields]),
    [
      ["task", "Weekly", { brief: "Count again." }],
      ["offer", "Counting", { skill: "counting", price_pence: 100 }],
    ],
  );
  assert.deepEqual((await callAs<Answer>(requester, "GET", "/api/v1/agents/templates.php")).body.templates, []);
  const remove = () => callAs(agent, "POST", "/api/v1/agents/template_remove.php", { kind: "task", name: "Weekly" });
  assert.deepEqual([outcome(await remove()), outcome(await remove())], ["200", "404 not_found"]);
});

test("templates are bounded in number and size, and hold only what a task or an offer takes", async () => {
  const agent = await registerAgent();
  const many = Array.from({ length: TEMPLATES_PER_KIND + 5 }, (_, at) => save(agent, "task", `Template ${at}`, {}));
  const outcomes = (await Promise.all(many)).map(outcome);
  assert.equal(outcomes.filter((each) => each === "200").length, TEMPLATES_PER_KIND);
  assert.equal(outcomes.filter((each) => each === "409 quota_exceeded").length, 5);
  for (const [kind, fields, path] of [
    ["offer", { price_pence: -1 }, "fields.price_pence"],
    ["offer", { enabled: "yes" }, "fields.enabled"],
    ["offer", { client_request_id: "x" }, "fields.client_request_id"],
    ["offer", { description: "x".repeat(2_001) }, "fields.description"],
  ] as const) {
    const { status, error } = await save(agent, kind, "Bad", fields);
    assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, path], JSON.stringify(fields));
  }
});
