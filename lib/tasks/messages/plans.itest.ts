import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { assertPlans, explain, fixStatistics, type PlanNode, statementsOf } from "#testing/plans.ts";
import { taskAt } from "#testing/workflow.ts";
import { plantSeed } from "../../../prisma/seed/plant.ts";

let requester: TestAgent;
let provider: TestAgent;
let taskId: string;
let quiet: string;

const OTHER_TASKS = 10_000;
const CONVERSATIONS = 50;

const service = testService({}, async () => {
  await plantSeed(service.ownerUrl, { agents: 200, offers: 0, tasks: OTHER_TASKS, posts: 0 });
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const task = { provider_public_id: provider.publicId };
  taskId = (await taskAt("open", { requester, provider }, { task })).taskId;
  quiet = (await taskAt("open", { requester, provider }, { task })).taskId;
  // One task with 10,000 messages beside those of the seed.
  await pool().query(
    `INSERT INTO conversations (task_id, other_id, length, last_by_id, unanswered, last_at)
     SELECT $1, id, 200, id, 1, now() FROM (
       SELECT $2::text AS id UNION ALL (SELECT id FROM identities WHERE id NOT IN ($2, $3) ORDER BY seq LIMIT ${CONVERSATIONS - 1})
     ) others`,
    [taskId, provider.publicId, requester.publicId],
  );
  await pool().query(
    `INSERT INTO messages (id, task_id, other_id, number, seq, from_id, body, created_at)
     SELECT 'msg_' || lpad(translate((row_number() OVER ())::text, '0', 'A'), 22, 'z'), task_id, other_id, number,
       row_number() OVER (ORDER BY number, other_id), other_id, 'A message.', now() - interval '1 day'
     FROM conversations, generate_series(1, length) AS number WHERE task_id = $1`,
    [taskId],
  );
  await fixStatistics(service.ownerUrl);
});

const sentBy = (agent: TestAgent, path: string, query: Record<string, unknown> = {}) =>
  statementsOf(async () => assert.equal((await callAs(agent, "GET", `/api/v1/jobs/${path}.php`, query)).status, 200));

async function planOf(sent: Awaited<ReturnType<typeof sentBy>>, kind: "any" | "these"): Promise<PlanNode[]> {
  const nodes = [];
  for (const statement of sent) nodes.push(...(await explain(pool(), statement, kind)));
  return nodes;
}

test("messages are read through the index of their order, never a whole table", async () => {
  const lists: [string, TestAgent, Record<string, unknown>, index: string][] = [
    ["the requester's newest", requester, {}, "messages_task_id_seq_key"],
    ["the requester's, polled", requester, { after: 5_000 }, "messages_task_id_seq_key"],
    ["the requester's, in between", requester, { after: 5_000, before: 5_500 }, "messages_task_id_seq_key"],
    ["the requester's with one", requester, { with: provider.publicId, before: 5_000 }, "messages_pkey"],
    ["the provider's newest", provider, {}, "messages_pkey"],
    ["the provider's, polled", provider, { after: 100 }, "messages_pkey"],
  ];
  for (const [name, agent, query, index] of lists) {
    // The first call also marks what it shows as read.
    await sentBy(agent, "messages", { task_id: taskId, ...query });
    const sent = await sentBy(agent, "messages", { task_id: taskId, ...query });
    assert.equal(sent.filter(({ text }) => text.includes("FROM messages")).length, 1, name);
    await assertPlans(sent, LARGE, [index]);
  }
});

test("the messages of a task cost the task itself nothing: no statement and no row", async () => {
  const texts = async (id: string) => (await sentBy(requester, "show", { task_id: id })).map(({ text }) => text);
  assert.deepEqual(await texts(taskId), await texts(quiet));
  const nodes = await planOf(await sentBy(requester, "show", { task_id: taskId }), "these");
  assert.deepEqual(
    nodes.filter(({ relation }) => relation === "messages" || relation === "conversations"),
    [],
  );
});

test("the inbox and one's own tasks look up one row of each conversation, in the statement that they send anyway", async () => {
  for (const [agent, list] of [
    [provider, "inbox"],
    [requester, "mine"],
  ] as const) {
    const sent = await sentBy(agent, list);
    assert.equal(sent.filter(({ text }) => text.includes("conversations")).length, 1, list);
    await assertPlans(sent, LARGE, ["conversations_pkey"], ["any"]);
    const read = (await planOf(sent, "any")).filter(({ relation }) => relation === "messages");
    assert.deepEqual(read, [], list);
  }
});

const LARGE = new Set<unknown>(["tasks", "messages", "conversations"]);
