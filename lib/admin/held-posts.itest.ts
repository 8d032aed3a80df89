import assert from "node:assert/strict";
import { test } from "node:test";
import { publishReleased } from "#lib/community/actions/post.ts";
import { prisma } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason, recordOf, signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { outcome, testService } from "#testing/client.ts";
import { activity, feed, idsOf, look, member, onePost, post, publish, showProfile } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { addPattern, endPattern, readHeldPosts, refuseHeldPost, releaseHeldPost } from "./held-posts.ts";

let administrator: TestAdministrator;
testService({}, async () => {
  administrator = await signedInAdministrator();
});

const actionsOn = async (subject: string) => (await recordOf(subject)).map(({ action }) => action);

const shown = async (postId: string) => {
  const { body, error } = await feed({ id: postId });
  if (error) assert.equal(error.code, "not_found");
  return error ? undefined : body.posts[0];
};

/** A word that no other test uses, and a pattern of it that is on. */
async function unwantedWord() {
  const word = newId("pat").slice(4).toLowerCase();
  const { pattern_id: patternId = "" } = await addPattern(admin, { kind: "literal", pattern: word, reason });
  forgetCachedReads();
  return { word, patternId };
}

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
    ...{ post: undefined, feed: false, thread: false, search: false, notices: 0, count: 0, answers: 0, view: false },
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
  const decide = (name: string) => administrator.act(name, { post_id: held.post_id });
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
    const answer = await administrator.act("add_pattern", { kind, pattern });
    assert.equal(outcome(answer), "422 invalid_input", pattern);
    assert.equal(answer.error?.field_errors?.[0]?.path, "pattern");
  }
});
