import assert from "node:assert/strict";
import { test } from "node:test";
import { readOwnerInbox } from "#lib/community/owned/inbox.ts";
import { pool } from "#lib/db/client.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { MessageWire } from "#lib/tasks/messages/schema.ts";
import { admin, reason } from "#testing/administrator.ts";
import { outcome, testService } from "#testing/client.ts";
import { joined } from "#testing/community.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { actingAs, callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { did, taskAt } from "#testing/workflow.ts";
import { printDisputes } from "./commands/lists.ts";
import { resolveDispute } from "./disputes.ts";
import { dismissReport } from "./moderation.ts";
import { readDisputedConversation, readReportedConversation } from "./page-reads/conversations.ts";
import { findReport } from "./page-reads/reports.ts";

let requester: TestAgent;
let provider: TestAgent;
let asker: TestAgent;
let owner: TestOwner;
testService({}, async () => {
  [requester, provider, asker] = [await verifiedAgent(), await verifiedAgent(), await verifiedAgent()];
  owner = await signedInOwner();
  await joined(provider);
  for (const table of ["identities", "profiles"])
    await pool().query(`UPDATE ${table} SET owner_id = $2 WHERE id = $1`, [provider.publicId, owner.ownerId]);
});

const messagesOf = async (agent: TestAgent, taskId: string) =>
  (await callAs<{ messages: MessageWire[] }>(agent, "GET", "/api/v1/jobs/messages.php", { task_id: taskId })).body
    .messages;

async function write(agent: TestAgent, taskId: string, body: string): Promise<MessageWire> {
  const fields = { task_id: taskId, body };
  const answer = await callAs<{ message: MessageWire }>(agent, "POST", "/api/v1/jobs/message.php", fields);
  succeeded(answer, 201);
  return answer.body.message;
}

const bodies = (messages: MessageWire[]) => messages.map(({ body }) => body);

test("an administrator reads what the parties of a dispute wrote to each other, only while it is open", async () => {
  const work = await taskAt("open", { requester, provider });
  await write(asker, work.taskId, "A question of a third.");
  await did(provider, "claim", work);
  await write(provider, work.taskId, "Which words?");
  await write(requester, work.taskId, "All of them.");
  const { dispute } = await did(requester, "dispute", work);
  const disputeId = dispute?.dispute_id ?? "";
  const said = ["Which words?", "All of them."];
  assert.deepEqual(bodies(await readDisputedConversation(disputeId)), said);
  const printed = (await printDisputes(disputeId)) as unknown as { dispute: { messages: MessageWire[] } };
  assert.deepEqual(bodies(printed.dispute.messages), said);
  await resolveDispute(admin, { disputeId, resolution: "provider", reason });
  assert.deepEqual(await readDisputedConversation(disputeId), []);
});

test("only the owner of its recipient can report a message, and its conversation is read until that is decided", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider });
  const received = await write(requester, taskId, "An insult.");
  const own = await write(provider, taskId, "An answer.");
  const report = (by: TestOwner, subject: string) =>
    callAsOwner<{ report_id: string }>(by, "POST", "/api/v1/owners/report.php", { subject, reason: "It insults." });
  for (const [by, subject] of [
    [owner, own.message_id],
    [await signedInOwner(), received.message_id],
    [owner, newId("msg")],
  ] as const)
    assert.equal(outcome(await report(by, subject)), "404 not_found");
  assert.deepEqual(await readReportedConversation(received.message_id), []);
  const made = await report(owner, received.message_id);
  succeeded(made);
  const { report_id: reportId } = made.body;
  const shown = await findReport(reportId);
  assert.deepEqual(
    [shown?.kind, shown?.subjectId, shown?.agentId, shown?.body],
    ["message", received.message_id, requester.publicId, "An insult."],
  );
  assert.deepEqual(bodies(await readReportedConversation(received.message_id)), ["An insult.", "An answer."]);
  await dismissReport(admin, { reportId, reason });
  assert.deepEqual(await readReportedConversation(received.message_id), []);
  assert.equal((await findReport(reportId))?.body, "");
});

test("an owner sees which messages its agent has not read, and reads them without marking them", async () => {
  const actor = { kind: "owner", id: owner.ownerId } as OwnerActor;
  const unread = async () =>
    (await readOwnerInbox(actor, undefined)).waiting.messages.map((each) => [
      each.public_id,
      each.task_id,
      each.unread,
    ]);
  const { taskId } = await taskAt("claimed", { requester, provider });
  await write(requester, taskId, "First.");
  await write(requester, taskId, "Second.");
  const waits = [provider.publicId, taskId, 2];
  assert.deepEqual((await unread())[0], waits);
  const acting = await actingAs(owner, provider);
  assert.deepEqual(bodies(await messagesOf(acting, taskId)), ["Second.", "First."]);
  assert.deepEqual((await unread())[0], waits);
  await messagesOf(provider, taskId);
  assert.ok((await unread()).every(([, id]) => id !== taskId));

  const { taskId: own } = await taskAt("open", { requester: provider, provider: requester });
  await write(asker, own, "A question.");
  assert.deepEqual((await unread())[0], [provider.publicId, own, 1]);
  const { taskId: theirs } = await taskAt("open", { requester, provider });
  await write(provider, theirs, "May I?");
  assert.deepEqual(bodies(await messagesOf(acting, theirs)), ["May I?"]);
});
