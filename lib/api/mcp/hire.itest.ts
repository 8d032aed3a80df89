import assert from "node:assert/strict";
import { test } from "node:test";
import { agentWithOffer, callAs, type TestAgent, type TestOffer, verifiedAgent } from "#testing/factories.ts";
import { mcpClient } from "#testing/mcp-clients.ts";
import { servedService } from "#testing/served.ts";
import type { Hired } from "./hire.ts";

const SCHEMAS = {
  input_schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  result_schema: { type: "object", required: ["words"] },
};
const INPUT = { text: "one two" };

let requester: TestAgent;
let provider: TestAgent & { offer: TestOffer };
let free: TestAgent & { offer: TestOffer };
const http = servedService({}, async () => {
  requester = await verifiedAgent();
  provider = await agentWithOffer({ ...SCHEMAS, price_pence: 250, turnaround_hours: 24 });
  free = await agentWithOffer({ price_pence: 0 });
});

const credentials = (agent: TestAgent) => ({ Authorization: `Bearer ${agent.token}` });

type Task = { taskId: string; status: string; statusMessage: string; result?: { structuredContent: Hired } };
type Reply = {
  result?: { structuredContent: Hired; resultType: string } & Task;
  error?: { code: number; data?: object };
};

const REVISION = "2026-07-28";
const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };

/** One request of the newest revision, from a client that can do what it says. */
async function send(method: string, params: object, { agent = requester, capabilities = TASKS as object } = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const { name, taskId } = params as Record<string, string>;
  const response = await fetch(`${http.url}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": REVISION,
      "Mcp-Method": method,
      "Mcp-Name": name ?? taskId ?? "",
      ...credentials(agent),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
  });
  return (await response.json()) as Reply;
}

const hire = (args: object, options = {}) => send("tools/call", { name: "hire", arguments: args }, options);
const get = async (taskId: string) => (await send("tasks/get", { taskId })).result as Task;
const of = (offer: TestOffer, more: object = {}) => ({
  offer_id: offer.offer_id,
  input: offer.input_schema ? INPUT : "A text.",
  max_price_pence: offer.price_pence,
  ...more,
});

/** Takes every step that the provider can take. */
async function work(agent: TestAgent, taskId: string, result?: string): Promise<void> {
  const step = (path: string, fields: object) =>
    callAs<{ contract: { contract_id: string; terms_hash: string } }>(agent, "POST", `/api/v1/${path}.php`, {
      task_id: taskId,
      ...fields,
    });
  if (result !== undefined) {
    await step("jobs/start", {});
    assert.equal((await step("jobs/submit", { result })).status, 200);
    return;
  }
  const { contract_id, terms_hash } = (await step("jobs/claim", {})).body.contract;
  await callAs(agent, "POST", "/api/v1/contracts/accept.php", { contract_id, terms_hash });
}

test("a client that follows tasks gets one, which is paid for and completed while it is asked how it stands", async () => {
  const { result: made } = await hire(of(provider.offer));
  assert.deepEqual([made?.resultType, made?.status], ["task", "working"]);
  const taskId = made?.taskId ?? "";
  assert.equal((await get(taskId)).status, "working");
  await work(provider, taskId);
  assert.deepEqual(
    [(await get(taskId)).status, (await get(taskId)).statusMessage],
    ["working", "Waiting for the result."],
    "the second accepted, the agreement is paid for",
  );
  await work(provider, taskId, '{"words": 2}');
  const { status, result } = await get(taskId);
  const { stage, task, next } = result?.structuredContent ?? {};
  assert.deepEqual([status, stage, task?.state, next?.tool], ["completed", "completed", "completed", "jobs_evidence"]);
});

test("a result that no machine has checked is handed over, and the task of the protocol stays completed", async () => {
  const { result: made } = await hire(of(free.offer));
  const taskId = made?.taskId ?? "";
  await work(free, taskId);
  await work(free, taskId, "Ein Text.");
  const { status, result } = await get(taskId);
  const { stage, next, task } = result?.structuredContent ?? {};
  assert.deepEqual([status, stage, next?.tool, task?.result], ["completed", "reviewing", "jobs_complete", "Ein Text."]);
  await callAs(requester, "POST", "/api/v1/jobs/request_changes.php", { task_id: taskId, reason: "Formal." });
  assert.equal((await get(taskId)).status, "completed");
});

test("a hire can be cancelled; an order that has ended says so", async () => {
  const { result: made } = await hire(of(free.offer, { client_request_id: "to-cancel" }));
  const taskId = made?.taskId ?? "";
  for (const method of ["tasks/update", "tasks/cancel"])
    assert.equal((await send(method, { taskId, inputResponses: {} })).result?.resultType, "complete");
  assert.equal((await get(taskId)).status, "cancelled");
  const { result } = await hire(of(free.offer, { client_request_id: "to-cancel" }));
  assert.deepEqual([result?.structuredContent.stage, result?.structuredContent.next], ["ended", null]);
});

test("nobody asks about another's hire, or without saying that they follow tasks", async () => {
  const { result: made } = await hire(of(free.offer, { client_request_id: "another" }));
  const taskId = made?.taskId ?? "";
  const others: [string, TestAgent][] = [
    [taskId, free],
    [taskId, await verifiedAgent()],
    [`tsk_${"1".repeat(22)}`, requester],
    ["nonsense", requester],
  ];
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    for (const [id, agent] of others)
      assert.equal((await send(method, { taskId: id, inputResponses: {} }, { agent })).error?.code, -32_602, method);
    const { error } = await send(method, { taskId, inputResponses: {} }, { capabilities: {} });
    assert.deepEqual([error?.code, error?.data], [-32_021, { requiredCapabilities: TASKS }]);
  }
  assert.equal((await get(taskId)).status, "working", "and nothing was cancelled");
});

test("other clients get a handle at once, and the same call goes on with the same order and never orders twice", async () => {
  const args = of(provider.offer, { client_request_id: "by-hand" });
  const all = await Promise.all(Array.from({ length: 5 }, () => hire(args, { capabilities: {} })));
  const first = all[0]?.result?.structuredContent;
  assert.ok(first?.task_id);
  for (const { result } of all) assert.equal(result?.structuredContent.task_id, first.task_id);
  assert.deepEqual(first.next?.arguments, {
    task_id: first.task_id,
    until: "change",
    after_version: first.task.version,
  });
  // Whatever else has changed, an order with this ID exists.
  const changed = await hire({ ...args, max_price_pence: 1 }, { capabilities: {} });
  assert.equal(changed.result?.structuredContent.task_id, first.task_id);
  const same = await hire(of(provider.offer, { input: { text: "the same" } }), { capabilities: {} });
  const again = await hire(of(provider.offer, { input: { text: "the same" } }), { capabilities: {} });
  assert.equal(again.result?.structuredContent.task_id, same.result?.structuredContent.task_id, "without an ID too");
});

test("without an offer, the cheapest available one that is in time and takes such an input is ordered", async () => {
  const { result } = await hire({ skill: "translation", input: INPUT, max_price_pence: 300 }, { capabilities: {} });
  assert.equal(result?.structuredContent.task.offer?.offer_id, provider.offer.offer_id);
});

test("what cannot be ordered is refused with everything that is wrong, and remedies that name tools", async () => {
  const client = await mcpClient("2025-11-25", http.url, credentials(requester));
  type Refusal = { error: { code: string; message: string; field_errors?: { path: string }[] } };
  const refused: [object, string, string[]?][] = [
    [{ surprise: 1, max_price_pence: -1 }, "invalid_input", ["surprise", "offer_id", "input", "max_price_pence"]],
    [of(provider.offer, { skill: "translation" }), "invalid_input", ["skill"]],
    [of(provider.offer, { input: { text: 1 } }), "invalid_input", ["input.text"]],
    [of(provider.offer, { max_price_pence: 249 }), "invalid_input", ["max_price_pence"]],
    [of(provider.offer, { due_in_hours: 23 }), "offer_unavailable"],
    [{ skill: "no-such-skill", input: "a", max_price_pence: 1 }, "offer_unavailable"],
    [{ ...of(free.offer), offer_id: `ofr_${"1".repeat(22)}` }, "not_found"],
  ];
  try {
    for (const [args, code, paths] of refused) {
      const { error } = await client.call<Refusal>("hire", args as Record<string, unknown>);
      assert.equal(error.code, code, JSON.stringify(args));
      assert.doesNotMatch(error.message, /\.php/);
      if (paths) assert.deepEqual(error.field_errors?.map(({ path }) => path).sort(), [...paths].sort());
    }
  } finally {
    await client.close();
  }
  const anonymous = await mcpClient("2025-11-25", http.url);
  try {
    assert.equal((await anonymous.call<Refusal>("hire", of(free.offer))).error.code, "invalid_credential");
  } finally {
    await anonymous.close();
  }
});

test("a model that sees only the list of tools and a brief orders, waits and completes", async () => {
  const client = await mcpClient("2025-11-25", http.url, credentials(requester));
  try {
    const tools = await client.list();
    /** The one tool whose description says this. */
    const toolThat = (says: RegExp) => {
      const [tool, more] = tools.filter(({ description }) => says.test(description ?? ""));
      assert.ok(tool && !more, `${says}: ${tool?.name} ${more?.name}`);
      return tool;
    };
    /** The arguments of a tool, each by what its own description says. */
    const filled = (
      { name, inputSchema: { properties = {}, required = [] } }: (typeof tools)[0],
      brief: [RegExp, unknown][],
    ) => {
      const args = Object.entries(properties).flatMap(([field, { description }]) =>
        brief.filter(([says]) => says.test(String(description))).map(([, value]) => [field, value] as const),
      );
      for (const field of required)
        assert.ok(
          args.some(([each]) => each === field),
          `${name} needs ${field}`,
        );
      return Object.fromEntries(args);
    };
    const hiring = toolThat(/^Orders an offer for at most/);
    assert.match(
      hiring.description ?? "",
      /call the tool in `next`, then hire again with the same arguments, until `is_over`/,
    );
    const brief: [RegExp, unknown][] = [
      [/cheapest available offer with this skill/, "translation"],
      [/^What to work on: JSON/, { text: "by a model" }],
      [/^The most that may be paid, in pence/, 300],
    ];
    const args = filled(hiring, brief);
    let answer = await client.call<Hired>(hiring.name, args);
    const { task_id: taskId } = answer;
    const said = ["claimed", "worked"];
    for (let calls = 0; !answer.is_over; calls += 1) {
      assert.ok(calls < 8, "it comes to an end");
      if (answer.stage === "waiting_for_provider" && said.shift() === "claimed") await work(provider, taskId);
      if (answer.stage === "waiting_for_result") await work(provider, taskId, '{"words": 3}');
      const { tool, arguments: given } = answer.next ?? { tool: "", arguments: {} };
      const known = tools.find(({ name }) => name === tool)?.inputSchema.properties ?? {};
      for (const [field, value] of Object.entries(given)) {
        const { enum: values } = known[field] as { enum?: unknown[] };
        assert.ok(!values || values.includes(value), `${tool}.${field}: ${value}`);
      }
      await client.call(tool, given);
      answer = await client.call<Hired>(hiring.name, args);
    }
    assert.deepEqual([answer.stage, answer.task.state, answer.task.result], ["completed", "completed", '{"words": 3}']);

    // The same by the single steps: whatever comes next is among the task's actions, with its tool and arguments.
    const ordering = toolThat(/^Posts a task with everything filled in from the offer/);
    const { matches } = await client.call<{ matches: { offer: TestOffer }[] }>("agents_match", {
      skill: "translation",
      budget_pence: 0,
    });
    const offer = matches.find((match) => match.offer.offer_id === free.offer.offer_id)?.offer;
    const steps: [RegExp, unknown][] = [
      [/^ID of an offer/, offer?.offer_id],
      [/^What to work on: JSON/, "A text."],
      [/^The price that you believe the offer to have/, offer?.price_pence],
      [/^Identifies this request permanently/, "by-steps"],
    ];
    const ordered = await client.call<{ task: Hired["task"] }>(ordering.name, filled(ordering, steps));
    const { task_id } = ordered.task;
    await work(free, task_id);
    await work(free, task_id, "Ein Text.");
    const waiting = toolThat(/^Answers the task at once if it is already as wanted/);
    const { task } = await client.call<{ task: Hired["task"] }>(waiting.name, { task_id, until: "submitted" });
    const [complete] = task.available_actions.filter(({ action }) => action === "complete") as unknown as {
      tool: string;
      values: Record<string, string>;
    }[];
    const done = await client.call<{ task: Hired["task"] }>(complete?.tool ?? "", complete?.values);
    assert.equal(done.task.state, "completed");
  } finally {
    await client.close();
  }
});
