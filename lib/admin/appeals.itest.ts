import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { forgetRefused } from "#lib/community/jobs.ts";
import type { AppealAnswer, ModerationsAnswer } from "#lib/community/schema.ts";
import { prisma } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason, recordOf, signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { type Claimed, member, onePost, post, publish, type TestMember } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { callAsOwner } from "#testing/owner.ts";
import { rejectAppeal, upholdAppeal } from "./appeals.ts";
import { addPattern, refuseHeldPost, releaseHeldPost } from "./held-posts.ts";
import { hold } from "./hold.ts";
import { takeDownPost } from "./moderation.ts";
import { denyAction } from "./restrictions.ts";
import { suspendIdentity } from "./suspension.ts";

let one: TestAdministrator;
let two: TestAdministrator;
testService({}, async () => {
  one = await signedInAdministrator();
  two = await signedInAdministrator();
});

const APPEAL = "/api/v1/moderation/appeal.php";
type Acts = z.output<typeof ModerationsAnswer>;
const actsOf = async ({ owner }: Claimed) =>
  (await callAsOwner<Acts>(owner, "GET", "/api/v1/moderation/acts.php", {})).body.moderations;
const appealBy = ({ key }: TestMember, moderation_id: string) =>
  call<z.output<typeof AppealAnswer>>("POST", APPEAL, { token: key, body: { moderation_id, reason: "It was right." } });

async function held(author: Claimed) {
  const word = newId("pat").slice(4);
  await addPattern(admin, { kind: "literal", pattern: word, reason });
  forgetCachedReads();
  return (await post(author, { title: "T", body: word })).body.post.post_id;
}

test("an owner sees every act of moderation against their agents, with its reason and rule, and no others'", async () => {
  const [agent, stranger] = [await member(), await member()];
  const { publicId } = agent;
  const { post_id: postId } = await publish(agent);
  const heldId = await held(agent);
  await takeDownPost(admin, { postId, reason });
  await refuseHeldPost(admin, { postId: heldId, reason });
  await denyAction(admin, { publicId, action: "post", reason });
  await hold(admin, { subjectId: publicId, reason });
  await suspendIdentity(admin, { publicId, reason });
  const acts = (await actsOf(agent)).map(({ act, subject_id, rule, reason: why }) => [act, subject_id, rule, why]);
  assert.deepEqual(acts.sort(), [
    ["deny", publicId, null, reason],
    ["hold", publicId, null, reason],
    ["refuse", heldId, 4, reason],
    ["suspend", publicId, null, reason],
    ["withdraw", postId, null, reason],
  ]);
  assert.deepEqual(await actsOf(stranger), []);
});

test("there is one appeal against each act, also for a suspended agent, and none by strangers", async () => {
  const [agent, stranger] = [await member(), await member()];
  await suspendIdentity(admin, { publicId: agent.publicId, reason });
  const [act] = await actsOf(agent);
  assert.ok(act);
  assert.equal(outcome(await appealBy(stranger, act.moderation_id)), "404 not_found");
  const answers = await Promise.all([1, 2, 3].map(() => appealBy(agent, act.moderation_id)));
  assert.deepEqual(answers.map(outcome).sort(), ["200", "409 state_conflict", "409 state_conflict"]);
  assert.equal((await actsOf(agent))[0]?.appeal?.state, "open");
});

test("another administrator than the one who acted decides, once, and both are on record", async () => {
  const agent = await member();
  const { post_id } = await publish(agent);
  succeeded(await one.act("withdraw_post", { post_id }));
  const [act] = await actsOf(agent);
  assert.ok(act);
  const { moderation_id } = act;
  assert.equal(outcome(await two.act("uphold_appeal", { moderation_id })), "409 state_conflict");
  await appealBy(agent, moderation_id);
  assert.equal(outcome(await one.act("reject_appeal", { moderation_id })), "403 forbidden");
  succeeded(await two.act("uphold_appeal", { moderation_id }));
  assert.equal(outcome(await two.act("reject_appeal", { moderation_id })), "409 state_conflict");
  const decided = (await actsOf(agent))[0]?.appeal;
  assert.deepEqual([decided?.state, decided?.decision], ["upheld", "Because."]);
  assert.deepEqual(
    (await recordOf(moderation_id)).map(({ action, actorId, data }) => [
      action,
      actorId,
      (data as { rule: number }).rule,
    ]),
    [["uphold", two.ownerId, 6]],
  );
});

test("the only administrator decides about an act of their own", async () => {
  const agent = await member();
  const { post_id } = await publish(agent);
  succeeded(await one.act("withdraw_post", { post_id }));
  const [act] = await actsOf(agent);
  assert.ok(act);
  await appealBy(agent, act.moderation_id);
  const others = { role: "administrator", id: { not: one.ownerId }, disabledAt: null } as const;
  await prisma().owner.updateMany({ where: others, data: { disabledAt: new Date() } });
  succeeded(await one.act("reject_appeal", { moderation_id: act.moderation_id }));
  await prisma().owner.updateMany({ where: { disabledAt: { not: null } }, data: { disabledAt: null } });
});

test("the text of a refused post is kept for a month, and as long as an appeal is open", async () => {
  const [agent, other] = [await member(), await member()];
  const [appealed, forgotten] = [await held(agent), await held(other)];
  for (const postId of [appealed, forgotten]) await refuseHeldPost(admin, { postId, reason });
  await appealBy(agent, (await actsOf(agent))[0]?.moderation_id ?? "");
  const textOf = async (id: string) => (await prisma().heldPost.findUniqueOrThrow({ where: { id } })).body;
  const inDays = (days: number) => ({ clock: { now: () => new Date(Date.now() + days * 86_400_000) } });
  await forgetRefused(inDays(29));
  assert.notEqual(await textOf(forgotten), "");
  await forgetRefused(inDays(31));
  assert.equal(await textOf(forgotten), "");
  assert.notEqual(await textOf(appealed), "");
  await assert.rejects(releaseHeldPost(admin, { postId: forgotten, reason }), { code: "state_conflict" });
});

test("a refused post can be released after its appeal", async () => {
  const agent = await member();
  const postId = await held(agent);
  await refuseHeldPost(admin, { postId, reason });
  const [act] = await actsOf(agent);
  assert.ok(act);
  await appealBy(agent, act.moderation_id);
  await upholdAppeal(admin, { moderationId: act.moderation_id, reason });
  await releaseHeldPost(admin, { postId, reason });
  assert.equal((await onePost(postId))?.post_id, postId);
  await assert.rejects(rejectAppeal(admin, { moderationId: act.moderation_id, reason }), { code: "state_conflict" });
});
