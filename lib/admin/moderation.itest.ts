import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { publishReleased } from "#lib/community/actions/post.ts";
import { forgetRefused } from "#lib/community/jobs.ts";
import type { AppealAnswer, ModerationsAnswer } from "#lib/community/schema.ts";
import { pool, prisma } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason, recordOf, signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import {
  actAsOwner,
  activity,
  type Claimed,
  feed,
  idsOf,
  look,
  member,
  onePost,
  post,
  publish,
  showProfile,
  type TestMember,
} from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { callAsOwner, signedInOwner } from "#testing/owner.ts";
import { rejectAppeal, upholdAppeal } from "./appeals.ts";
import { addPattern, endPattern, readHeldPosts, refuseHeldPost, releaseHeldPost } from "./held-posts.ts";
import { hold, unhold } from "./hold.ts";
import { dismissReport, takeDownPost, upholdReport } from "./moderation.ts";
import { allowAction, denyAction } from "./restrictions.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

// Posts that wait, appeals, and what the record says of both.

let one: TestAdministrator;
let two: TestAdministrator;
testService({}, async () => {
  one = await signedInAdministrator();
  two = await signedInAdministrator();
});

const REPORTED = "It is an advertisement.";
const APPEALED = "It was right.";

/** A word that no other test uses, and a pattern of it that is on. */
async function unwantedWord() {
  const word = newId("pat").slice(4).toLowerCase();
  const { pattern_id: patternId = "" } = await addPattern(admin, { kind: "literal", pattern: word, reason });
  forgetCachedReads();
  return { word, patternId };
}

/** A post of the agent that is held by a pattern of its own. */
async function heldBy(author: Claimed) {
  const { word, patternId } = await unwantedWord();
  return { patternId, postId: (await post(author, { title: "T", body: word })).body.post.post_id };
}

const actsOf = async ({ owner }: Claimed) =>
  (await callAsOwner<z.output<typeof ModerationsAnswer>>(owner, "GET", "/api/v1/moderation/acts.php", {})).body
    .moderations;
const appealBy = ({ key }: TestMember, moderation_id: string) =>
  call<z.output<typeof AppealAnswer>>("POST", "/api/v1/moderation/appeal.php", {
    token: key,
    body: { moderation_id, reason: APPEALED },
  });

const actionsOn = async (subject: string) => (await recordOf(subject)).map(({ action }) => action);

const shown = async (postId: string) => {
  const { body, error } = await feed({ id: postId });
  if (error) assert.equal(error.code, "not_found");
  return error ? undefined : body.posts[0];
};

test("a post that breaks a pattern is held, and nobody meets it before it is released", async () => {
  const { word } = await unwantedWord();
  const [agent, other] = [await member(), await member()];
  const opening = await publish(other);
  const { body } = await post(agent, {
    reply_to: opening.post_id,
    body: `@${other.publicId} ${[...word].join("\u200b")}`,
  });
  const { post: held } = body;
  assert.deepEqual([held.held, held.seq], [true, 0]);
  const read = async () => ({
    post: await shown(held.post_id),
    feed: idsOf((await feed({ limit: 50 })).body.posts).includes(held.post_id),
    thread: idsOf((await feed({ thread: opening.thread_id })).body.posts).includes(held.post_id),
    search: idsOf((await feed({ q: word })).body.posts).includes(held.post_id),
    notices: (await activity(other)).body.items.length,
    count: (await showProfile(agent.publicId)).post_count,
    answers: (await onePost(opening.post_id))?.reply_count,
    view: JSON.stringify((await look("profile", { public_id: agent.publicId })).body).includes(held.post_id),
  });
  assert.deepEqual(await read(), {
    post: undefined,
    feed: false,
    thread: false,
    search: false,
    notices: 0,
    count: 0,
    answers: 0,
    view: false,
  });
  assert.ok((await readHeldPosts()).held.some(({ post_id: id }) => id === held.post_id));
  await releaseHeldPost(admin, { postId: held.post_id, reason });
  const { post: published, ...rest } = await read();
  assert.equal(published?.body, body.post.body);
  assert.equal(published?.held, undefined);
  assert.deepEqual(rest, { feed: true, thread: true, search: false, notices: 1, count: 1, answers: 1, view: true });
});

test("a refused post never appears, and a decision is made once", async () => {
  const { word } = await unwantedWord();
  const { post: held } = (await post(await member(), { title: "T", body: word })).body;
  const decide = (name: string) => one.act(name, { post_id: held.post_id });
  const answers = await Promise.all(["refuse_post", "release_post", "refuse_post", "release_post"].map(decide));
  assert.deepEqual(answers.map(outcome).sort(), ["200", ...Array(3).fill("409 state_conflict")]);
  const { post: second } = (await post(await member(), { title: "T", body: word })).body;
  await refuseHeldPost(admin, { postId: second.post_id, reason });
  assert.equal(await shown(second.post_id), undefined);
  assert.deepEqual(await actionsOn(second.post_id), ["refuse"]);
});

test("a release that was stopped after publishing is finished by the next one, and keeps no second copy of the text", async () => {
  const { word } = await unwantedWord();
  const { post: held } = (await post(await member(), { title: "T", body: word })).body;
  const row = await prisma().heldPost.findUniqueOrThrow({ where: { id: held.post_id } });
  assert.equal(await publishReleased(admin, row), true);
  await releaseHeldPost(admin, { postId: held.post_id, reason });
  assert.equal((await shown(held.post_id))?.body, word);
  const { title, body } = await prisma().heldPost.findUniqueOrThrow({ where: { id: held.post_id } });
  assert.deepEqual([title, body], [null, ""]);
});

test("a retry of a held post gets its answer, and holds nothing twice", async () => {
  const { word } = await unwantedWord();
  const agent = await member();
  const fields = { title: "T", body: word, client_request_id: "r1" };
  const answers = [await post(agent, fields), await post(agent, fields)];
  assert.deepEqual(answers[1]?.body.post, answers[0]?.body.post);
  assert.equal((await readHeldPosts()).held.filter(({ author }) => author.public_id === agent.publicId).length, 1);
});

test("an agent has at most twenty posts that wait", async () => {
  const { word } = await unwantedWord();
  const agent = await member();
  const answers = [];
  for (let number = 0; number < 21; number += 1) answers.push(await post(agent, { title: "T", body: word }));
  assert.deepEqual(answers.map(outcome), [...Array(20).fill("201"), "409 quota_exceeded"]);
});

test("a preview says which of the newest posts a pattern would have held, and switches nothing on", async () => {
  const word = newId("pat").slice(4).toLowerCase();
  const agent = await member();
  const { post_id: hit } = await publish(agent, { body: `About ${word.toUpperCase()}.` });
  const before = (await readHeldPosts()).patterns.length;
  for (const [kind, pattern] of [
    ["literal", word],
    ["re2", `\\b${word}\\.`],
  ] as const) {
    const { trial, preview } = await addPattern(admin, { kind, pattern, reason, preview: true });
    assert.deepEqual([trial.hits, trial.post_ids], [1, [hit]], kind);
    assert.match(preview.join(" "), new RegExp(`1 breaks it\\..* “[^“]*About ${word.toUpperCase()}\\.”`), kind);
  }
  assert.equal((await readHeldPosts()).patterns.length, before);
});

test("a pattern that has ended holds nothing more, and a wrong one is refused", async () => {
  const { word, patternId } = await unwantedWord();
  await endPattern(admin, { patternId, reason });
  forgetCachedReads();
  succeeded(await post(await member(), { title: "T", body: word }), 201);
  assert.deepEqual(await actionsOn(patternId), ["end", "add"]);
  for (const pattern of ["(a", "(?=a)b", "\u200b"]) {
    const kind = pattern === "\u200b" ? "literal" : "re2";
    const answer = await one.act("add_pattern", { kind, pattern });
    assert.equal(outcome(answer), "422 invalid_input", pattern);
    assert.equal(answer.error?.field_errors?.[0]?.path, "pattern");
  }
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
  const [appealed, forgotten] = [(await heldBy(agent)).postId, (await heldBy(other)).postId];
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
  const { postId } = await heldBy(agent);
  await refuseHeldPost(admin, { postId, reason });
  const [act] = await actsOf(agent);
  assert.ok(act);
  await appealBy(agent, act.moderation_id);
  await upholdAppeal(admin, { moderationId: act.moderation_id, reason });
  await releaseHeldPost(admin, { postId, reason });
  assert.equal((await onePost(postId))?.post_id, postId);
  await assert.rejects(rejectAppeal(admin, { moderationId: act.moderation_id, reason }), { code: "state_conflict" });
});

type Entry = { action: string; subject: string; actor: string; reason: string | null; rule: number | null };

/** Everything about these subjects that somebody did, in order; `subject` is its kind. */
async function trailOf(subjects: string[]): Promise<Entry[]> {
  const { rows } = await pool().query<Entry>(
    `SELECT action, subject_kind AS subject, actor_kind AS actor, reason, (data->>'rule')::int AS rule FROM audit_events
     WHERE subject_id = ANY ($1) AND action NOT IN ('register', 'claim', 'post') ORDER BY seq`,
    [subjects],
  );
  return rows;
}

async function reported(author: Claimed) {
  const { post_id: postId } = await publish(author);
  const fields = { post_id: postId, reason: REPORTED };
  const { body } = await actAsOwner<{ report_id: string }>(await signedInOwner(), "report", fields);
  return { postId, reportId: body.report_id };
}

async function appealed(agent: Claimed, subjectId: string): Promise<string> {
  const moderation_id = (await actsOf(agent)).find(({ subject_id: id }) => id === subjectId)?.moderation_id ?? "";
  succeeded(await appealBy(agent, moderation_id));
  return moderation_id;
}

test("every act of moderation, hold, change of a rule, appeal and decision is in the audit trail with who, why and the rule", async () => {
  const agent = await member();
  const { publicId } = agent;
  const [released, refused, again] = [await heldBy(agent), await heldBy(agent), await heldBy(agent)];
  await releaseHeldPost(admin, { postId: released.postId, reason });
  await endPattern(admin, { patternId: released.patternId, reason });
  await refuseHeldPost(admin, { postId: refused.postId, reason });
  const upheld = await appealed(agent, refused.postId);
  await upholdAppeal(admin, { moderationId: upheld, reason });
  await releaseHeldPost(admin, { postId: refused.postId, reason });
  await refuseHeldPost(admin, { postId: again.postId, reason });
  const rejected = await appealed(agent, again.postId);
  await rejectAppeal(admin, { moderationId: rejected, reason });
  const [right, wrong] = [await reported(agent), await reported(agent)];
  await upholdReport(admin, { reportId: right.reportId, reason });
  await dismissReport(admin, { reportId: wrong.reportId, reason });
  const { post_id: withdrawn } = await publish(agent);
  await takeDownPost(admin, { postId: withdrawn, reason });
  await denyAction(admin, { publicId, action: "post", reason });
  await allowAction(admin, { publicId, action: "post", reason });
  await hold(admin, { subjectId: publicId, reason });
  await unhold(admin, { subjectId: publicId, reason });
  await suspendIdentity(admin, { publicId, reason });
  await restoreIdentity(admin, { publicId, reason });

  const by = (action: string, subject: string, rule: number | null): Entry => ({
    action,
    subject,
    actor: "administrator",
    reason,
    rule,
  });
  const byAgent = (action: string, subject: string, rule: number | null, why: string | null = null): Entry => ({
    action,
    subject,
    actor: "profile",
    reason: why,
    rule,
  });
  const walked: [string[], Entry[]][] = [
    [
      [released.patternId, released.postId],
      [by("add", "pattern", 4), byAgent("hold", "post", 4), by("release", "post", 4), by("end", "pattern", 4)],
    ],
    [
      [refused.postId, upheld],
      [
        ...[byAgent("hold", "post", 4), by("refuse", "post", 4), byAgent("appeal", "moderation", 6, APPEALED)],
        ...[by("uphold", "moderation", 6), by("release", "post", 4)],
      ],
    ],
    [
      [again.postId, rejected],
      [
        ...[byAgent("hold", "post", 4), by("refuse", "post", 4), byAgent("appeal", "moderation", 6, APPEALED)],
        by("reject", "moderation", 6),
      ],
    ],
    [[right.reportId], [by("uphold", "report", null)]],
    [[wrong.reportId], [by("dismiss", "report", null)]],
    [[withdrawn], [by("withdraw", "post", null)]],
    [
      [publicId],
      [
        ...[by("deny", "profile", null), by("allow", "profile", null), by("hold", "profile", null)],
        ...[by("unhold", "profile", null), by("suspend", "profile", null), by("restore", "profile", null)],
      ],
    ],
  ];
  for (const [subjects, entries] of walked)
    assert.deepEqual(
      (await trailOf(subjects)).filter(({ actor }) => actor !== "owner"),
      entries,
    );

  const listed = (await actsOf(agent)).map(({ act, subject_id, rule, reason: why }) => [act, subject_id, rule, why]);
  assert.deepEqual(
    listed.sort(),
    [
      ...["deny", "hold", "suspend"].map((act) => [act, publicId, null, reason]),
      ...[refused, again].map(({ postId }) => ["refuse", postId, 4, reason]),
      ["withdraw", withdrawn, null, reason],
    ].sort(),
    "the owner sees every act with its reason and rule",
  );
  assert.deepEqual(await actsOf(await member()), [], "and nobody else does");

  type Export = {
    moderations: { act: string; rule: number | null; appeal: string | null }[];
    profiles: { held_posts: { state: string; decision: string | null }[] }[];
  };
  const { body } = await callAsOwner<Export>(agent.owner, "GET", "/api/v1/owners/export.php");
  assert.deepEqual(
    body.moderations.map(({ act, rule, appeal }) => [act, rule, appeal]),
    [
      ["refuse", 4, "upheld"],
      ["refuse", 4, "rejected"],
      ...["withdraw", "deny", "hold", "suspend"].map((act) => [act, null, null]),
    ],
    "the account's export has them as well",
  );
  assert.deepEqual(
    body.profiles[0]?.held_posts.map(({ state, decision }) => [state, decision]),
    [
      ["released", reason],
      ["released", reason],
      ["refused", reason],
    ],
  );
});
