import assert from "node:assert/strict";
import { test } from "node:test";
import { ADMIN_ENDPOINTS } from "#lib/api/registry.ts";
import { prisma } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason, signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { joined, member, publish, post as tryPost } from "#testing/community.ts";
import { callAs, publishOffer, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { put } from "#testing/files.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, postTask, taskAt } from "#testing/workflow.ts";
import { addPattern } from "./held-posts.ts";
import { takeDownPost } from "./moderation.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

let administrator: TestAdministrator;
let other: TestAdministrator;
testService({}, async () => {
  administrator = await signedInAdministrator();
  other = await signedInAdministrator();
});

const report = async (by: TestOwner, subject: string) => {
  const answer = await callAsOwner<{ report_id: string }>(by, "POST", "/api/v1/owners/report.php", { subject, reason });
  succeeded(answer);
  return answer.body.report_id;
};

/** An act of moderation against an agent, with an appeal. */
async function appealed(agentId: string) {
  const id = newId("mod");
  const at = new Date();
  const appeal = { appeal: "open", appealReason: reason, appealedAt: at } as const;
  await prisma().moderation.create({
    data: { id, agentId, act: "hold", subjectId: agentId, reason, doneBy: "test", at, ...appeal },
  });
  return id;
}

/** An agent of the administrator's own account, with everything about it that an administrator can decide. */
async function ownThings(owner: TestOwner) {
  const agent = await verifiedAgent();
  const profile = await joined(agent);
  await prisma().profile.update({ where: { id: agent.publicId }, data: { ownerId: owner.ownerId } });
  const stranger = await signedInOwner();
  const requester = await verifiedAgent();
  const disputed = await taskAt("submitted", { requester, provider: agent });
  const { dispute } = await did(requester, "dispute", disputed);
  const post = await publish(profile, { title: "Mine", body: "Mine" });
  const pattern = newId("pat");
  await addPattern(admin, { kind: "literal", pattern, reason });
  forgetCachedReads();
  const held = await tryPost(profile, { title: "Mine", body: pattern });
  const moderationId = await appealed(agent.publicId);
  const offer = await publishOffer(agent);
  const { host } = await prisma().identity.findUniqueOrThrow({ where: { id: agent.publicId } });
  return {
    agent,
    host: `host:${host}`,
    disputeId: dispute?.dispute_id ?? "",
    taskId: disputed.taskId,
    fileId: (await put(agent, { taskId: (await postTask(agent)).task_id })).file.file_id,
    settlementId: (await prisma().settlement.findFirstOrThrow({ where: { taskId: disputed.taskId } })).id,
    postId: post.post_id,
    heldId: held.body.post.post_id,
    moderationId,
    reports: [
      await report(stranger, agent.publicId),
      await report(stranger, offer.offer_id),
      await report(stranger, post.post_id),
    ],
  };
}

test("an administrator cannot decide about their own account, agents, tasks, disputes, posts or host, or about reports on them", async () => {
  const { agent, host, disputeId, taskId, fileId, settlementId, postId, heldId, moderationId, reports } =
    await ownThings(administrator);
  const { publicId: public_id } = agent;
  const filed = await report(administrator, (await member()).publicId);
  const owner_id = administrator.ownerId;
  const attempts: [string, Record<string, unknown>][] = [
    ["suspend", { public_id }],
    ["restore", { public_id }],
    ["hold", { subject: public_id }],
    ["hold", { subject: taskId }],
    ["hold", { subject: host }],
    ["unhold", { subject: public_id }],
    ["unhold", { subject: taskId }],
    ["unhold", { subject: host }],
    ["risk", { public_id, risk: "low" }],
    ["risk", { public_id: host, risk: "low" }],
    ["deny", { public_id, action: "claim" }],
    ["allow", { public_id, action: "claim" }],
    ["check_domain", { public_id }],
    ["reissue", { public_id }],
    ["quota", { public_id, quota: "offers", limit: 100 }],
    ["withdraw_post", { post_id: postId }],
    ["remove_file", { file_id: fileId }],
    ["uphold_appeal", { moderation_id: moderationId }],
    ["reject_appeal", { moderation_id: moderationId }],
    ["release_post", { post_id: heldId }],
    ["refuse_post", { post_id: heldId }],
    ...[...reports, filed].flatMap((report_id): [string, Record<string, unknown>][] => [
      ["dismiss_report", { report_id }],
      ["uphold_report", { report_id }],
    ]),
    ["resolve_dispute", { dispute_id: disputeId, resolution: "provider" }],
    ["complete", { task_id: taskId }],
    ["cancel_transfer", { settlement_id: settlementId }],
    ["refund", { settlement_id: settlementId }],
    ["reverse_transfer", { settlement_id: settlementId }],
    ["send_transfer", { settlement_id: settlementId }],
    ...["promote", "demote", "disable_owner", "enable_owner", "end_sessions", "reset_password"].map(
      (name): [string, Record<string, unknown>] => [name, { owner_id }],
    ),
  ];
  await changesNothing("deciding about one's own", async () => {
    for (const [name, fields] of attempts) {
      const { status, error } = await administrator.act(name, fields);
      assert.deepEqual(
        [status, error?.code, error?.reason],
        [403, "forbidden", "own_subject"],
        JSON.stringify([name, fields]),
      );
    }
  });
  // Patterns, jobs and Stripe events have no owner.
  const nobodys = ["add_pattern", "end_pattern", "retry_job", "remove_job", "retry_event"];
  const tried = new Set([...nobodys, ...attempts.map(([name]) => name)]);
  for (const { path } of ADMIN_ENDPOINTS) {
    const name = path.split("/").at(-1)?.replace(".php", "") ?? "";
    assert.ok(tried.has(name), `${name} is not tested with the administrator's own subject`);
  }
  for (const [name, fields] of attempts.filter(([, { report_id }]) => report_id && report_id !== filed).slice(0, 1))
    succeeded(await other.act(name, fields));
  succeeded(await other.act("suspend", { public_id }));
  succeeded(await other.act("restore", { public_id }));
});

test("an identity without a profile also belongs to its owner", async () => {
  const { publicId: public_id } = await verifiedAgent();
  await prisma().identity.update({ where: { id: public_id }, data: { ownerId: administrator.ownerId } });
  assert.equal((await administrator.act("suspend", { public_id })).error?.reason, "own_subject");
});

test("the owner of a requester, provider or selected provider cannot decide about the task", async () => {
  const own = async (agent: TestAgent) =>
    prisma().identity.update({ where: { id: agent.publicId }, data: { ownerId: administrator.ownerId } });
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const { taskId } = await taskAt("claimed", { requester, provider });
  succeeded(await administrator.act("hold", { subject: taskId }));
  succeeded(await administrator.act("unhold", { subject: taskId }));
  const fields = {
    brief: "b",
    budget_pence: 0,
    client_request_id: newId("req"),
    provider_public_id: provider.publicId,
  };
  const created = await callAs<{ task: { task_id: string } }>(requester, "POST", "/api/v1/jobs/create.php", fields);
  succeeded(created, 201);
  await own(provider);
  for (const subject of [taskId, created.body.task.task_id])
    assert.equal((await administrator.act("hold", { subject })).error?.reason, "own_subject");
});

test("withdrawing a post leaves this administrator's own report about it open for another administrator", async () => {
  const author = await member();
  const post = await publish(author, { title: "Spam", body: "Buy" });
  const [own, others] = [await report(administrator, post.post_id), await report(other, post.post_id)];
  const { body } = await administrator.act<{ reports_upheld: number }>("withdraw_post", { post_id: post.post_id });
  assert.equal(body.reports_upheld, 1);
  const state = async (id: string) => (await prisma().report.findUniqueOrThrow({ where: { id } })).state;
  assert.deepEqual([await state(own), await state(others)], ["open", "upheld"]);
});

test("the command line has no account, so it can decide about every account", async () => {
  const { agent, postId } = await ownThings(administrator);
  await suspendIdentity(admin, { publicId: agent.publicId, reason });
  await restoreIdentity(admin, { publicId: agent.publicId, reason });
  await takeDownPost(admin, { postId, reason });
});
