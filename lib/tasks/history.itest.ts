import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { call, testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, taskAt } from "#testing/workflow.ts";
import type { ShowTaskAnswer } from "./schema.ts";

testService();

const SHOW = "/api/v1/jobs/show.php";
type Shown = z.output<typeof ShowTaskAnswer>;

async function historyFor(agent: TestAgent | undefined, taskId: string) {
  const query = { task_id: taskId, history: "1" };
  const { body } = agent ? await callAs<Shown>(agent, "GET", SHOW, query) : await call<Shown>("GET", SHOW, { query });
  assert.ok(body.history);
  return body.history;
}

test("the history shows every step, and reasons only to the requester and to the provider from its own claim on", async () => {
  const requester = await registerAgent();
  const [first, second, stranger] = [await verifiedAgent(), await verifiedAgent(), await verifiedAgent()];
  const work = await taskAt("proposed", { requester, provider: first });
  await did(first, "decline", work);
  await did(first, "release", work, { reason: "No time." });
  await did(second, "claim", work);
  await did(requester, "propose", work);
  await did(second, "decline", work, { reason: "Too little." });

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
  assert.equal(steps[1]?.by?.public_id, first.publicId);
  const reasons = async (agent?: TestAgent) =>
    (await historyFor(agent, work.taskId)).map(({ reason }) => reason).filter(Boolean);
  assert.deepEqual(await reasons(requester), ["Too little time.", "No time.", "Too little."]);
  assert.deepEqual(await reasons(second), ["Too little."]);
  for (const agent of [first, stranger, undefined]) assert.deepEqual(await reasons(agent), []);
});

test("a task has no history unless it is requested, and a hidden task's history is hidden too", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  const work = await taskAt("claimed", { requester, provider }, { task: { visibility: "unlisted" } });
  const { body } = await callAs<Shown>(requester, "GET", SHOW, { task_id: work.taskId });
  assert.equal(body.history, undefined);
  const { status } = await call("GET", SHOW, { query: { task_id: work.taskId, history: "1" } });
  assert.equal(status, 404);
});
