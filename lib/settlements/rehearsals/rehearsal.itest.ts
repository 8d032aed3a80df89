import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { ENDPOINTS } from "#lib/api/registry.ts";
import type { ContractWire } from "#lib/contracts/schema.ts";
import { pool } from "#lib/db/client.ts";
import { accessOf } from "#lib/kernel/access.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { call, outcome, testService } from "#testing/client.ts";
import {
  agentWithOffer,
  callAs,
  publishOffer,
  registerAgent,
  type TestAgent,
  type TestOffer,
} from "#testing/factories.ts";
import { finishRehearsal } from "./finish.ts";
import type { RehearsalAnswer, RehearsalsAnswer, RehearsalWire } from "./schema.ts";

testService();

const FORM = {
  input_schema: { type: "object", required: ["text"] },
  example_input: { text: "one two" },
  result_schema: { type: "object", required: ["words"] },
};
type Answer = { task: TaskWire; contract: ContractWire };
const rehearse = ({ offer, ...agent }: TestAgent & { offer: { offer_id: string } }) =>
  callAs<z.output<typeof RehearsalAnswer>>(agent, "POST", "/api/v1/agents/rehearse.php", { offer_id: offer.offer_id });
const step = async (agent: TestAgent, path: string, fields: object) => {
  const answer = await callAs<Answer>(agent, "POST", `/api/v1/${path}.php`, fields as Record<string, unknown>);
  assert.equal(answer.error, undefined, answer.error?.message);
  return answer.body;
};
const finish = (rehearsal: RehearsalWire, seconds = 0, left?: string) => {
  const clock = { now: () => secondsAfter(systemClock.now(), seconds) };
  const ctx = { actor: { kind: "system", name: "test" }, clock, requestId: newId("req") } as never;
  return finishRehearsal(ctx, { rehearsal_id: rehearsal.rehearsal_id, ...(left ? { left } : {}) });
};
const outcomeOf = async (agent: TestAgent) => {
  const { body } = await callAs<z.output<typeof RehearsalsAnswer>>(agent, "GET", "/api/v1/agents/rehearsals.php");
  return body.rehearsals[0];
};
const offerOf = async ({ publicId }: TestAgent) => {
  const query = { public_id: publicId };
  return (await call<{ agent: { offers: TestOffer[] } }>("GET", "/api/v1/agents/show.php", { query })).body.agent
    .offers[0];
};

/** Works through a rehearsal like any other order. */
async function submit(agent: TestAgent, rehearsal: RehearsalWire, result: string): Promise<TaskWire> {
  const on = { task_id: rehearsal.task_id };
  const { contract } = await step(agent, "jobs/claim", on);
  assert.equal(contract.terms?.rehearsal, true);
  await step(agent, "contracts/accept", { contract_id: contract.contract_id, terms_hash: contract.terms_hash });
  await step(agent, "jobs/start", on);
  return (await step(agent, "jobs/submit", { ...on, result })).task;
}

test("a rehearsal with a fitting result is completed and settled, and a dated fact of the offer", async () => {
  const agent = await agentWithOffer(FORM);
  const { status, body } = await rehearse(agent);
  assert.deepEqual([status, body.rehearsal.state], [202, "running"]);
  const { tasks } = (await callAs<{ tasks: TaskWire[] }>(agent, "GET", "/api/v1/jobs/inbox.php")).body;
  assert.deepEqual(
    [tasks[0]?.task_id, tasks[0]?.rehearsal, tasks[0]?.input],
    [body.rehearsal.task_id, true, FORM.example_input],
  );
  assert.equal(tasks[0]?.parties.requester.house, true);
  const task = await submit(agent, body.rehearsal, '{"words": 2}');
  assert.ok(task.available_actions.every(({ action }) => action !== "dispute"));
  await finish(body.rehearsal);
  const found = await outcomeOf(agent);
  assert.deepEqual([found?.state, found?.reason], ["passed", null]);
  const shown = await callAs<Answer>(agent, "GET", "/api/v1/jobs/show.php", { task_id: task.task_id });
  assert.equal(shown.body.task.state, "completed");
  const fact = (await offerOf(agent))?.last_rehearsal;
  assert.deepEqual([fact?.state, fact?.reason, typeof fact?.at], ["passed", null, "string"]);
  assert.equal((await offerOf(agent))?.orders_completed, 0);
});

test("a result that does not fit fails the rehearsal with the place, and ends the task", async () => {
  const agent = await agentWithOffer(FORM);
  const { rehearsal } = (await rehearse(agent)).body;
  await submit(agent, rehearsal, "{}");
  await finish(rehearsal);
  const found = await outcomeOf(agent);
  assert.deepEqual([found?.state, found?.reason], ["failed", "result.words is missing."]);
  assert.equal((await offerOf(agent))?.last_rehearsal?.reason, "result.words is missing.");
  const { rows } = await pool().query("SELECT state FROM tasks WHERE id = $1", [rehearsal.task_id]);
  assert.equal(rows[0].state, "cancelled");
});

test("after 15 minutes a rehearsal ends where it is, and not before", async () => {
  const agent = await agentWithOffer(FORM);
  const { rehearsal } = (await rehearse(agent)).body;
  await step(agent, "jobs/claim", { task_id: rehearsal.task_id });
  await finish(rehearsal, 890);
  assert.equal((await outcomeOf(agent))?.state, "running");
  await finish(rehearsal, 901);
  const found = await outcomeOf(agent);
  assert.equal(found?.state, "ended");
  assert.match(found?.reason ?? "", /no result within 15 minutes; the task was proposed/);
  assert.equal((await offerOf(agent))?.last_rehearsal, null);
});

test("a rehearsal that the agent releases or gives up has failed at once, with the reason that it gave", async () => {
  for (const [path, reason, expected] of [
    ["jobs/release", "Too hard.", "The agent released the task: Too hard."],
    ["jobs/give_up", undefined, "The agent gave the task up."],
  ] as const) {
    const agent = await agentWithOffer(FORM);
    const { rehearsal } = (await rehearse(agent)).body;
    const on = { task_id: rehearsal.task_id };
    const { contract } = await step(agent, "jobs/claim", on);
    const { contract_id, terms_hash } = contract;
    if (path === "jobs/give_up") await step(agent, "contracts/accept", { contract_id, terms_hash });
    else await step(agent, "contracts/decline", { contract_id, reason: "Not so." });
    await step(agent, path, { ...on, ...(reason ? { reason } : {}) });
    const { rows } = await pool().query(
      "SELECT payload FROM graphile_worker._private_jobs WHERE key = $1 AND run_at <= now()",
      [`rehearsal ${rehearsal.rehearsal_id} left`],
    );
    assert.equal(rows[0]?.payload.left, expected);
    await finish(rehearsal, 0, rows[0]?.payload.left);
    const found = await outcomeOf(agent);
    assert.deepEqual([found?.state, found?.reason, found?.seconds], ["failed", expected, null]);
    assert.equal((await offerOf(agent))?.last_rehearsal?.reason, expected);
    const shown = await callAs<Answer>(agent, "GET", "/api/v1/jobs/show.php", { task_id: rehearsal.task_id });
    assert.equal(shown.body.task?.state ?? shown.status, "cancelled");
  }
});

test("the house is marked where it is shown, and a rehearsal counts in no total and no track record", async () => {
  const agent = await agentWithOffer(FORM);
  const figures = async () => {
    const [totals, record] = [
      await callAs<{ totals: object }>(agent, "GET", "/api/v1/settlements/mine.php"),
      await call<{ record: object }>("GET", "/api/v1/agents/record.php", { query: { public_id: agent.publicId } }),
    ];
    return { totals: totals.body.totals, record: record.body.record };
  };
  const before = await figures();
  const { rehearsal } = (await rehearse(agent)).body;
  const task = await submit(agent, rehearsal, '{"words": 2}');
  await finish(rehearsal);
  assert.deepEqual(await figures(), before);
  const { public_id } = task.parties.requester;
  const { body } = await call<{ agent: { house?: true } }>("GET", "/api/v1/agents/show.php", { query: { public_id } });
  assert.equal(body.agent.house, true);
  const own = await call<{ agent: object }>("GET", "/api/v1/agents/show.php", { query: { public_id: agent.publicId } });
  assert.ok(!("house" in own.body.agent));
});

test("rehearsals are bounded, and need an own offer with an example and a verified domain", async () => {
  const agent = await agentWithOffer({ example_input: "some text" });
  for (let made = 0; made < 6; made += 1) assert.equal((await rehearse(agent)).status, 202);
  assert.equal(outcome(await rehearse(agent)), "409 quota_exceeded");
  const plain = await agentWithOffer();
  const refused = await rehearse(plain);
  assert.deepEqual([refused.status, refused.error?.field_errors?.[0]?.path], [422, "offer_id"]);
  assert.equal(outcome(await rehearse({ ...plain, offer: agent.offer })), "404 not_found");
  const unverified = await registerAgent();
  const offer = await publishOffer(unverified, { example_input: "x" });
  const { error } = await rehearse({ ...unverified, offer });
  assert.deepEqual(
    error?.gates?.filter(({ passed }) => !passed).map(({ gate }) => gate),
    ["domain"],
  );
  const { rows } = await pool().query("SELECT count(*)::int AS houses FROM identities WHERE house");
  assert.equal(rows[0].houses, 1);
});

test("no public read shows a rehearsal, its task or the house", async () => {
  const agent = await agentWithOffer(FORM);
  const { rehearsal } = (await rehearse(agent)).body;
  await submit(agent, rehearsal, '{"words": 2}');
  await finish(rehearsal);
  const { rows } = await pool().query("SELECT id, name FROM identities WHERE house");
  const hidden = [rehearsal.rehearsal_id, rehearsal.task_id ?? "", rows[0].id, rows[0].name];
  const values: Record<string, string> = {
    public_id: agent.publicId,
    task_id: rehearsal.task_id ?? "",
    skill: "translation",
    budget_pence: "99999",
    role: "provider",
    payment_mode: "TEST",
    limit: "100",
  };
  let read = 0;
  for (const { method, path, selector, input, auth } of ENDPOINTS) {
    if (method !== "GET" || !accessOf(auth).anonymous) continue;
    const wanted = Object.keys(input.shape).filter((name) => name in values);
    const some = selector ? [selector.field, selector.value] : undefined;
    for (const names of [wanted, wanted.filter((name) => name !== "public_id" && name !== "task_id")]) {
      const query = Object.fromEntries([...names.map((name) => [name, values[name]]), ...(some ? [some] : [])]);
      const { status, body } = await call("GET", path, { query });
      if (status === 200) read += 1;
      const text = JSON.stringify(body) ?? "";
      for (const each of hidden) assert.ok(!text.includes(each), `${path} ${JSON.stringify(query)} shows ${each}`);
    }
  }
  assert.ok(read > 15, `only ${read} reads`);
});
