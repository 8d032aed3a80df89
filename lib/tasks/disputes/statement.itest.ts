import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { outcome, testService } from "#testing/client.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, readTask, taskAt } from "#testing/workflow.ts";
import type { DisputeWire } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
let stranger: TestAgent;
testService({}, async () => {
  [requester, provider, stranger] = [await verifiedAgent(), await verifiedAgent(), await verifiedAgent()];
});

type Answer = { dispute: DisputeWire };

const say = (agent: TestAgent, disputeId: string, statement: string, more: object = {}) =>
  callAs<Answer>(agent, "POST", "/api/v1/jobs/dispute_statement.php", { dispute_id: disputeId, statement, ...more });

const read = (agent: TestAgent, fields: object) =>
  callAs<{ disputes: DisputeWire[] }>(agent, "GET", "/api/v1/jobs/disputes.php", { ...fields });

async function disputed(state: "claimed" | "submitted" = "submitted", task: object = {}) {
  const work = await taskAt(state, { requester, provider }, { task });
  const { dispute } = await did(requester, "dispute", work);
  return { work, disputeId: dispute?.dispute_id ?? "" };
}

const resolve = (disputeId: string) =>
  resolveDispute(commandLineContext("root"), { disputeId, resolution: "provider", reason: "The work is as agreed." });

test("both parties are heard, and read each other and the administrator's reason", async () => {
  const { work, disputeId } = await disputed();
  const first = await say(provider, disputeId, "  All three words are counted.\r\nSee the result. ");
  assert.equal(first.status, 201);
  assert.equal((await say(requester, disputeId, "One is missing.")).status, 201);
  await resolve(disputeId);
  for (const agent of [requester, provider])
    for (const fields of [{ dispute_id: disputeId }, { task_id: work.taskId }]) {
      const { body } = await read(agent, fields);
      const [dispute] = body.disputes;
      assert.deepEqual(
        dispute?.statements.map(({ role, public_id: id, statement }) => [role, id, statement]),
        [
          ["provider", provider.publicId, "All three words are counted.\nSee the result."],
          ["requester", requester.publicId, "One is missing."],
        ],
      );
      assert.match(dispute?.statements[0]?.created_at ?? "", /^\d{4}-.+Z$/);
      assert.deepEqual([dispute?.resolution, dispute?.resolution_reason], ["provider", "The work is as agreed."]);
    }
});

test("of 20 sixth statements sent at once none is taken, and of 20 first ones five", async () => {
  const { disputeId } = await disputed();
  const many = (agent: TestAgent) =>
    Promise.all(Array.from({ length: 20 }, (_, at) => say(agent, disputeId, `Statement ${at}`)));
  const outcomes = (await many(provider)).map(outcome);
  assert.deepEqual(outcomes.toSorted(), [...Array(5).fill("201"), ...Array(15).fill("409 quota_exceeded")]);
  for (const { error } of await many(provider)) assert.equal(error?.reason, "dispute_statements");
  assert.equal((await say(requester, disputeId, "The other side still can.")).status, 201);
  const { body } = await read(requester, { dispute_id: disputeId });
  assert.equal(body.disputes[0]?.statements.length, 6);
  const beyond = "UPDATE disputes SET provider_statements = 6 WHERE id = $1";
  await assert.rejects(pool().query(beyond, [disputeId]), /disputes_statements/);
});

test("a request that is sent again adds no second statement, even after the resolution", async () => {
  const { disputeId } = await disputed();
  const more = { client_request_id: newId("req") };
  const answers = await Promise.all([1, 2, 3].map(() => say(provider, disputeId, "Once.", more)));
  assert.deepEqual(answers.map(outcome), ["201", "201", "201"]);
  assert.equal(answers.filter(({ headers }) => headers.has("idempotent-replayed")).length, 2);
  assert.equal(outcome(await say(provider, disputeId, "Twice.", more)), "409 request_id_conflict");
  await resolve(disputeId);
  assert.deepEqual((await say(provider, disputeId, "Once.", more)).body, answers[0]?.body);
  assert.equal((await read(provider, { dispute_id: disputeId })).body.disputes[0]?.statements.length, 1);
});

test("a resolved dispute takes no statements, and bad ones are refused with the field's name", async () => {
  const { disputeId } = await disputed();
  for (const statement of ["", "   ", "x".repeat(2_001), "a\u0000b", "a\u202eb"]) {
    const { status, error } = await say(provider, disputeId, statement);
    assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, "statement"], JSON.stringify(statement));
  }
  assert.equal((await say(provider, disputeId, "😀".repeat(2_000))).status, 201);
  await resolve(disputeId);
  await changesNothing("a statement after the resolution", async () => {
    assert.equal(outcome(await say(provider, disputeId, "Too late.")), "409 state_conflict");
  });
});

test("strangers find neither the dispute nor what was said, whether the task is listed or not", async () => {
  for (const visibility of ["listed", "unlisted"]) {
    const { work, disputeId } = await disputed("submitted", { visibility });
    await say(provider, disputeId, "Between us.");
    const unknown = await say(stranger, newId("dsp"), "Hello.");
    for (const answer of [
      await say(stranger, disputeId, "Hello."),
      await read(stranger, { dispute_id: disputeId }),
      await read(stranger, { task_id: work.taskId }),
    ]) {
      const { request_id: _, ...body } = answer.body as unknown as { request_id: string };
      const { request_id: __, ...missing } = unknown.body as unknown as { request_id: string };
      assert.deepEqual([answer.status, body], [404, missing]);
    }
    const shown = await callAs(stranger, "GET", "/api/v1/jobs/show.php", { task_id: work.taskId, history: "1" });
    assert.ok(!JSON.stringify(shown.body).includes(disputeId));
    const evidence = await callAs(stranger, "GET", "/api/v1/jobs/evidence.php", { task_id: work.taskId });
    assert.ok(!JSON.stringify(evidence.body).includes("Between us."));
  }
  assert.equal(outcome(await read(requester, {})), "422 invalid_input");
  assert.equal(
    outcome(await read(requester, { dispute_id: newId("dsp"), task_id: newId("tsk") })),
    "422 invalid_input",
  );
});

test("a provider that gave the task back stays a party of the dispute, and the next one is none", async () => {
  const { work, disputeId } = await disputed("claimed", { visibility: "unlisted" });
  await did(provider, "release", work);
  await did(stranger, "claim", { ...work, provider: stranger });
  assert.equal((await say(provider, disputeId, "The brief was unclear.")).status, 201);
  assert.equal((await read(provider, { dispute_id: disputeId })).body.disputes[0]?.statements[0]?.role, "provider");
  assert.equal((await say(stranger, disputeId, "I know nothing of this.")).status, 404);
  assert.deepEqual((await read(stranger, { task_id: work.taskId })).body.disputes, []);
});

test("the task offers the parties to speak while a dispute is open and they have statements left", async () => {
  const { work, disputeId } = await disputed();
  const offered = async (agent: TestAgent) => {
    const { available_actions: actions } = await readTask(work.taskId, agent);
    return actions.some(({ action, ready }) => action === "dispute_statement" && ready);
  };
  assert.deepEqual([await offered(requester), await offered(provider), await offered(stranger)], [true, true, false]);
  for (let count = 0; count < 5; count += 1) await say(provider, disputeId, `Statement ${count}`);
  assert.deepEqual([await offered(requester), await offered(provider)], [true, false]);
  await resolve(disputeId);
  assert.equal(await offered(requester), false);
});
