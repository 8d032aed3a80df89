import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { hold } from "#lib/admin/hold.ts";
import { ErrorBody } from "#lib/api/error-body.ts";
import { handle } from "#lib/api/handle.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, postTask, readTask, taskAt, type Work } from "#testing/workflow.ts";
import { TASK_STATES } from "./machine.ts";
import type { ShowTaskAnswer, TaskWire } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
let verified: TestAgent;
let unverified: TestAgent;
/** Verified identities that something holds back. */
let frozen: TestAgent;
let held: TestAgent;
let onHeldHost: TestAgent;
let leaked: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
  provider = await verifiedAgent();
  verified = await verifiedAgent();
  unverified = await registerAgent();
  [frozen, held, onHeldHost, leaked] = [
    await verifiedAgent(),
    await verifiedAgent(),
    await verifiedAgent({ endpoint: "https://held.example.org/run" }),
    await verifiedAgent(),
  ];
  await pool().query("UPDATE identities SET frozen_at = now() WHERE id = $1", [frozen.publicId]);
  await hold(admin, { subjectId: held.publicId, reason });
  await hold(admin, { subjectId: "host:held.example.org", reason });
  await call("POST", "/api/v1/agents/report_leak.php", { body: { secret: leaked.token } });
});

/** An answer down to its bytes, without what names the single request. */
async function bytes(
  agent: TestAgent | undefined,
  method: "GET" | "POST",
  path: string,
  fields: Record<string, unknown>,
) {
  const url = new URL(`/api/v1/${path}.php`, "http://localhost:3000");
  const all = { ...(agent ? { public_id: agent.publicId } : {}), ...fields };
  const headers = new Headers({
    "Idempotency-Key": "one",
    ...(agent ? { Authorization: `Bearer ${agent.token}` } : {}),
  });
  const init: RequestInit = { method, headers };
  if (method === "POST") {
    headers.set("Content-Type", "application/json");
    init.body = JSON.stringify(all);
  } else for (const [name, value] of Object.entries(all)) url.searchParams.set(name, String(value));
  const response = await handle(new Request(url, init), { address: "192.0.2.1" });
  const body = await response.text();
  const { request_id: id } = ErrorBody.parse(JSON.parse(body));
  const received = [...response.headers].filter(([name]) => name !== "x-request-id");
  return { status: response.status, headers: received, body: body.replace(id, "req_") };
}

const hash = `sha256:${"0".repeat(64)}`;
const terms = { scope: "s", amount_pence: 1, acceptance_criteria: [], data_terms: "d" };
const ON_TASK: ["GET" | "POST", string, object][] = [
  ["GET", "jobs/show", {}],
  ["GET", "jobs/show", { history: "1" }],
  ["POST", "jobs/claim", {}],
  ["POST", "jobs/release", {}],
  ["POST", "contracts/create", terms],
  ["POST", "jobs/start", {}],
  ["POST", "jobs/submit", { result: "r" }],
  ["POST", "jobs/request_changes", { reason: "r" }],
  ["POST", "jobs/complete", {}],
  ["POST", "jobs/cancel", {}],
  ["POST", "jobs/dispute", { reason: "r" }],
];
const ON_CONTRACT: ["GET" | "POST", string, object][] = [
  ["GET", "contracts/show", {}],
  ["POST", "contracts/accept", { terms_hash: hash }],
  ["POST", "contracts/decline", { reason: "r" }],
  ["POST", "payments/intent", {}],
];

test("for others, an unlisted task, its agreement and its payments are byte for byte as if they did not exist", async () => {
  const missing = { task_id: newId("tsk"), contract_id: newId("con"), payment_id: newId("pay") };
  const tried = [
    ...ON_TASK.map(([method, path, fields]) => [method, path, fields, "task_id"] as const),
    ...ON_CONTRACT.map(([method, path, fields]) => [method, path, fields, "contract_id"] as const),
    ["POST", "payments/confirm", { outcome: "succeed" }, "payment_id"] as const,
  ];
  const works: { state: string; ids: typeof missing }[] = [];
  for (const state of TASK_STATES) {
    const work = await taskAt(state, { requester, provider }, { task: { visibility: "unlisted" } });
    const ids = { task_id: work.taskId, contract_id: work.contractId, payment_id: work.paymentId };
    works.push({ state, ids });
  }
  for (const stranger of [verified, unverified, frozen, held, onHeldHost, leaked, undefined])
    for (const [method, path, fields, name] of tried) {
      if (!stranger && method === "POST") continue;
      const nowhere = await bytes(stranger, method, path, { ...fields, [name]: missing[name] });
      assert.equal(nowhere.status, stranger === leaked ? 403 : 404, path);
      for (const { state, ids } of works) {
        // Anyone verified who knows the ID of an open task may claim it, or learns what blocks the claim.
        const isProved = stranger && ![unverified, leaked].includes(stranger);
        if (path === "jobs/claim" && state === "open" && isProved) continue;
        const there = await bytes(stranger, method, path, { ...fields, [name]: ids[name] });
        assert.deepEqual(there, nowhere, `${path} of a task that is ${state}`);
      }
    }
});

test("an unlisted task with a selected provider is hidden even from a verified identity that would claim it", async () => {
  const { task_id } = await postTask(requester, { visibility: "unlisted", provider_public_id: provider.publicId });
  const there = await bytes(verified, "POST", "jobs/claim", { task_id });
  assert.deepEqual(there, await bytes(verified, "POST", "jobs/claim", { task_id: newId("tsk") }));
  assert.equal((await callAs(provider, "GET", "/api/v1/jobs/show.php", { task_id })).status, 200);
});

const PARTY_FIELDS = [
  "brief",
  "result",
  "result_url",
  "evidence_hash",
  "changes_reason",
  "held",
  "dispute_id",
  "settlement_id",
];

async function seen(agent: TestAgent | undefined, work: Work): Promise<string[]> {
  const task = await readTask(work.taskId, agent);
  return PARTY_FIELDS.filter((field) => field in task);
}

test("each reader of a listed task sees exactly what they may, in every state", async () => {
  for (const state of TASK_STATES) {
    const work = await taskAt(state, { requester, provider }, { task: { brief: `secret ${"x".repeat(300)}` } });
    assert.deepEqual(await seen(requester, work), PARTY_FIELDS, state);
    assert.deepEqual(await seen(verified, work), state === "open" ? ["brief"] : [], state);
    for (const stopped of [frozen, held, onHeldHost])
      assert.deepEqual(await seen(stopped, work), await seen(verified, work), state);
    assert.deepEqual(await seen(unverified, work), [], state);
    assert.deepEqual(await seen(undefined, work), [], state);
    const claimed = state !== "open" && state !== "expired";
    if (claimed) assert.deepEqual(await seen(provider, work), PARTY_FIELDS, state);
  }
});

test("visitors see the metadata of a listed agreement, and only its parties see the terms", async () => {
  const work = await taskAt("proposed", { requester, provider });
  const path = "/api/v1/contracts/show.php";
  const query = { contract_id: work.contractId };
  const isPrivate = ["terms", "terms_canonical", "decline_reason"];
  const fieldsOf = (answer: { body: { contract: object } }) =>
    isPrivate.filter((field) => field in answer.body.contract);
  for (const party of [requester, provider])
    assert.deepEqual(fieldsOf(await callAs(party, "GET", path, query)), isPrivate);
  assert.deepEqual(fieldsOf(await callAs(verified, "GET", path, query)), []);
  const visitor = await call<{ contract: { terms_hash: string; amount_pence: number } }>("GET", path, { query });
  assert.deepEqual(fieldsOf(visitor), []);
  assert.deepEqual([visitor.body.contract.terms_hash, visitor.body.contract.amount_pence], [work.termsHash, 500]);
});

test("an unlisted task appears only in the lists of its parties", async () => {
  const marker = `zebra${Date.now()}`;
  const fields = { title: marker, visibility: "unlisted", skill: "translation", provider_public_id: provider.publicId };
  const { task_id } = await postTask(requester, fields);
  for (const query of [{}, { q: marker }, { skill: "translation" }, { state: "open" }, { payment_mode: "TEST" }]) {
    const { body } = await call<{ tasks: TaskWire[] }>("GET", "/api/v1/jobs/list.php", {
      query: { limit: 100, ...query },
    });
    assert.ok(body.tasks.every((task) => task.task_id !== task_id && task.visibility === "listed"));
  }
  const has = async (agent: TestAgent, path: string) => {
    const { body } = await callAs<{ tasks: TaskWire[] }>(agent, "GET", `/api/v1/jobs/${path}.php`, { limit: 100 });
    return body.tasks.some((task) => task.task_id === task_id);
  };
  assert.ok(await has(requester, "mine"));
  assert.ok(await has(provider, "inbox"));
  for (const agent of [verified, unverified, requester]) assert.ok(!(await has(agent, "inbox")));
  for (const agent of [verified, unverified]) assert.ok(!(await has(agent, "mine")));
});

type Shown = z.output<typeof ShowTaskAnswer>;

async function historyFor(agent: TestAgent | undefined, taskId: string) {
  const path = "/api/v1/jobs/show.php";
  const query = { task_id: taskId, history: "1" };
  const { body } = agent ? await callAs<Shown>(agent, "GET", path, query) : await call<Shown>("GET", path, { query });
  assert.ok(body.history);
  return body.history;
}

test("the history shows every step, and reasons only to the requester and to the provider from its own claim on", async () => {
  const work = await taskAt("proposed", { requester, provider });
  await did(provider, "decline", work);
  await did(provider, "release", work, { reason: "No time." });
  await did(verified, "claim", work);
  await did(requester, "propose", work);
  await did(verified, "decline", work, { reason: "Too little." });

  const steps = await historyFor(undefined, work.taskId);
  assert.deepEqual(
    steps.map(({ action, state }) => `${action} ${state}`),
    [
      "create open",
      "claim claimed",
      "propose proposed",
      "decline claimed",
      "release open",
      "claim claimed",
      "propose proposed",
      "decline claimed",
    ],
  );
  assert.equal(steps[1]?.by?.public_id, provider.publicId);
  const reasons = async (agent?: TestAgent) =>
    (await historyFor(agent, work.taskId)).map(({ reason }) => reason).filter(Boolean);
  assert.deepEqual(await reasons(requester), ["Too little time.", "No time.", "Too little."]);
  assert.deepEqual(await reasons(verified), ["Too little."]);
  for (const agent of [provider, unverified, undefined]) assert.deepEqual(await reasons(agent), []);
  const unasked = await callAs<Shown>(requester, "GET", "/api/v1/jobs/show.php", { task_id: work.taskId });
  assert.equal(unasked.body.history, undefined);
});
