import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { call, testService } from "#testing/client.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, perform, postTask, readTask, taskAt } from "#testing/workflow.ts";
import type { TaskWire } from "./schema.ts";

// A client that knows nothing of the workflow: no path, no field and no header of its own. It takes the actions that it likes from
// available_actions, and makes up what they leave to it from the schema that OpenAPI gives for their operation.

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  minimum?: number;
};
type Operation = {
  operationId: string;
  requestBody?: {
    content: { "application/json": { schema: { properties: Record<string, Schema>; required: string[] } } };
  };
};
type Action = TaskWire["available_actions"][number];

let operations: Map<string, Operation>;
let schemas: Record<string, Schema>;
testService({}, async () => {
  const { body } = await call<{
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  }>("GET", "/api/v1/openapi.json");
  const all = Object.values(body.paths).flatMap((methods) => Object.values(methods));
  operations = new Map(all.map((operation) => [operation.operationId, operation]));
  schemas = body.components.schemas;
});

/** Any value of this form: the first of an enumeration, a sentence, a small number that is not zero. */
function anyOf({ $ref, type, enum: [first] = [], anyOf: [other] = [], items = {}, minimum = 0 }: Schema): unknown {
  if ($ref) return anyOf(schemas[$ref.slice("#/components/schemas/".length)] ?? {});
  if (first !== undefined) return first;
  if (other) return anyOf(other);
  if (type === "array") return [anyOf(items)];
  return type === "integer" ? minimum + 5 : "Said by a client that knows only what it is told.";
}

function act(agent: TestAgent, { method, path, operation, fields, values, headers }: Action) {
  const { properties = {} } = operations.get(operation)?.requestBody?.content["application/json"].schema ?? {};
  const body = Object.fromEntries(fields.map((name) => [name, values[name] ?? anyOf(properties[name] ?? {})]));
  return call(method, path, {
    token: agent.token,
    body,
    headers: Object.fromEntries(headers.map((name) => [name, newId("req")])),
  });
}

test("a client that knows only available_actions plays both roles from an open task to its end, funding included", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  const { task_id: taskId } = await postTask(requester);
  // What takes a task back or sideways, or only talks about it; everything else goes forward.
  const UNWANTED = new Set([
    "cancel",
    "release",
    "decline",
    "request_changes",
    "dispute",
    "select",
    "dismiss",
    "leave",
    "give_up",
    "prepare",
    "message",
    "clarify",
  ]);
  const taken: string[] = [];
  for (;;) {
    let moved = false;
    for (const agent of [requester, provider]) {
      const { available_actions: actions } = await readTask(taskId, agent);
      const next = actions.find(({ action, ready }) => ready && !UNWANTED.has(action));
      if (!next) continue;
      const { error } = await act(agent, next);
      assert.equal(error, undefined, `${next.action}: ${JSON.stringify(error)}`);
      taken.push(next.action);
      moved = true;
    }
    if (!moved) break;
    assert.ok(taken.length < 20, taken.join(", "));
  }
  assert.deepEqual(taken, ["claim", "propose", "accept", "accept", "fund", "confirm", "start", "submit", "complete"]);
  assert.equal((await readTask(taskId, requester)).state, "completed");
});

test("each action that goes back or sideways works as it is offered, too", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  for (const [way, end] of [
    [["clarify", "message", "message", "cancel"], "cancelled"],
    [["claim", "message", "message", "cancel", "message"], "cancelled"],
    [["claim", "release"], "open"],
    [["claim", "propose", "dismiss"], "open"],
    [["claim", "propose", "accept", "accept", "give_up"], "cancelled"],
    [["claim", "propose", "decline", "dispute", "dispute_statement"], "claimed"],
    [["claim", "propose", "accept", "accept", "fund", "confirm", "start", "submit", "request_changes"], "in_progress"],
  ] as const) {
    const { task_id: taskId } = await postTask(requester);
    for (const step of way) {
      const all = [];
      for (const agent of [requester, provider])
        for (const action of (await readTask(taskId, agent)).available_actions) all.push({ agent, action });
      const found = all.find(({ action }) => action.action === step && action.ready);
      assert.ok(found, `${step} is not offered`);
      const { error } = await act(found.agent, found.action);
      assert.equal(error, undefined, `${step}: ${JSON.stringify(error)}`);
    }
    assert.equal((await readTask(taskId, requester)).state, end);
  }
});

test("a pending TEST payment is found and confirmed by who has lost its ID", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  const work = await taskAt("accepted", { requester, provider });
  await did(requester, "fund", work);
  const start = await perform(provider, "start", work);
  assert.deepEqual([start.status, start.error?.code], [402, "funding_required"]);
  assert.match(start.error?.message ?? "", /payments\/confirm\.php/);
  assert.doesNotMatch(start.error?.message ?? "", /payments\/intent\.php/);
  const { available_actions: actions } = await readTask(work.taskId, requester);
  assert.ok(actions.every(({ action }) => action !== "fund"));
  const confirm = actions.find(({ action }) => action === "confirm");
  assert.equal(confirm?.values.payment_id, work.paymentId);
  assert.equal((await act(requester, confirm as Action)).error, undefined);
  await did(provider, "start", work);
});
