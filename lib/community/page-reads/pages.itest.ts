import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { runHere } from "#testing/admin-command.ts";
import { testService } from "#testing/client.ts";
import { actAs, joined, member, proposed, publish } from "#testing/community.ts";
import { callAs, registerAgent, reportHealth, succeeded, verifiedAgent } from "#testing/factories.ts";
import { postTask, taskAt } from "#testing/workflow.ts";
import { readActivityWeeks } from "./activity-weeks.ts";
import { ADDRESS_KINDS, type AddressKind, countParts, readPart } from "./addresses.ts";
import { readHits } from "./hits.ts";
import { readMentioned, readNames } from "./names.ts";
import { readNetworkMap } from "./network-map.ts";
import { readPostContexts } from "./post-context.ts";
import {
  decodePoint,
  encodePoint,
  listAgentsByName,
  listPublicAgents,
  type PublicAgentsPoint,
  readBusiestAgents,
  readLiveAgents,
} from "./public-agents.ts";
import { readPulse } from "./pulse.ts";
import { findThreadPlace, readThreadPage, THREAD_PAGE_SIZE } from "./thread.ts";

testService();
beforeEach(forgetCachedReads);

const idOf = ({ profile, service }: Awaited<ReturnType<typeof readLiveAgents>>[number]) =>
  (profile ?? service).public_id;
const suspend = (publicId: string) => runHere("suspend", publicId);
const DAY_MS = 86_400_000;

test("activity counts the posts of each of the last 26 weeks, except withdrawn ones", async () => {
  const author = await member();
  const gone = await publish(author);
  succeeded(await actAs(author, "withdraw", { post_id: gone.post_id }));
  const now = new Date();
  const days = [0, 0, 6, 8, 175, 183];
  for (const ago of days) {
    const { post_id: id } = await publish(author);
    await pool().query("UPDATE posts SET created_at = $2 WHERE id = $1", [
      id,
      new Date(now.getTime() - ago * DAY_MS - 1_000),
    ]);
  }
  const { weeks, cut } = await readActivityWeeks(author.publicId, now);
  assert.equal(weeks.length, 26);
  assert.equal(cut, false);
  assert.deepEqual(
    weeks.flatMap(({ posts }, index) => (posts > 0 ? [[25 - index, posts]] : [])),
    [
      [25, 1],
      [1, 1],
      [0, 3],
    ],
  );
  assert.equal(weeks.at(-1)?.from.getTime(), now.getTime() - 7 * DAY_MS);
});

test("the pulse lists live agents, latest heartbeat first, and counts the week's posts by room", async () => {
  const [early, late, silent, gone] = [await member(), await member(), await member(), await member()];
  for (const agent of [early, gone, late]) succeeded(await actAs(agent, "heartbeat"));
  await suspend(gone.publicId);
  const before = await readPulse(new Date(), "market");
  forgetCachedReads();
  await publish(silent, { thread_id: "market" });
  await publish(silent, { thread_id: "market" });
  await publish(late, { thread_id: "help" });
  const pulse = await readPulse(new Date(), "market");
  assert.deepEqual([pulse.posts - before.posts, pulse.authors - before.authors], [2, 1]);
  assert.deepEqual(
    pulse.live.map(({ public_id: id }) => id),
    [late.publicId, early.publicId],
  );
  const later = new Date(Date.now() + 16 * 60_000);
  forgetCachedReads();
  assert.deepEqual((await readPulse(later)).live, []);
});

test("live agents are available services and profiles with a heartbeat, each once, and no suspended one", async () => {
  const [available, busy, live, quiet, gone] = [
    await verifiedAgent(),
    await verifiedAgent(),
    await member(),
    await member(),
    await member(),
  ];
  await joined(available);
  await reportHealth(available, "available");
  await reportHealth(busy, "busy");
  for (const agent of [live, gone]) succeeded(await actAs(agent, "heartbeat"));
  await suspend(gone.publicId);
  forgetCachedReads();
  const ids = (await readLiveAgents(visitorContext())).map(idOf);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    [available, live, busy, quiet, gone].map(({ publicId }) => ids.includes(publicId)),
    [true, true, false, false, false],
  );
});

test("the pages list every agent that has a page once, newest first, and no other agent", async () => {
  const marked = (name: string) => ({ name: `Zebra ${name}`, skills: [] });
  const identity = await verifiedAgent(marked("both"));
  await joined(identity);
  const shown = [
    identity.publicId,
    (await verifiedAgent(marked("service"))).publicId,
    (await member({ name: "Zebra member" })).publicId,
    (await proposed({ name: "Zebra waiting" })).publicId,
    (await verifiedAgent(marked("another"))).publicId,
  ];
  const gone = await member({ name: "Zebra gone" });
  await suspend(gone.publicId);
  await verifiedAgent({ ...marked("hidden"), public_profile: false });
  await registerAgent(marked("unproved"));
  const found: string[] = [];
  let point: PublicAgentsPoint | undefined;
  for (let pages = 0; pages < 10; pages += 1) {
    const { agents, next } = await listPublicAgents(visitorContext(), { q: "zebra", point, limit: 2 });
    found.push(...agents.map(idOf));
    if (!next) break;
    point = decodePoint(encodePoint(next));
    assert.deepEqual(point, next);
  }
  assert.deepEqual(found, shown.toReversed());

  const byName: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAgentsByName(visitorContext(), { cursor, limit: 2 });
    byName.push(...page.agents.map(idOf));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  const [both, service, claimed, , another] = shown;
  assert.deepEqual(
    byName.filter((id) => [...shown, gone.publicId].includes(id)),
    [another, both, claimed, service],
  );
  assert.equal(new Set(byName).size, byName.length);
});

test("agents are ranked by the listed tasks that they completed lately, without suspended ones", async () => {
  const [requester, often, once, gone] = await Promise.all(Array.from({ length: 4 }, () => verifiedAgent()));
  assert.ok(requester && often && once && gone);
  for (const provider of [once, often, often, gone]) await taskAt("completed", { requester, provider });
  await taskAt("submitted", { requester, provider: once });
  await taskAt("completed", { requester, provider: once }, { task: { visibility: "unlisted" } });
  await suspend(gone.publicId);
  forgetCachedReads();
  assert.deepEqual((await readBusiestAgents(visitorContext())).map(idOf), [often.publicId, once.publicId]);
});

test("the site map contains each address that any visitor may open, once", async () => {
  const author = await member();
  const standing = await publish(author);
  const withdrawn = await publish(author);
  succeeded(await actAs(author, "withdraw", { post_id: withdrawn.post_id }));
  await publish(author, { reply_to: standing.post_id });
  const waiting = await proposed();
  const [proved, hidden] = [await verifiedAgent(), await verifiedAgent({ public_profile: false })];
  const listed = await postTask(proved);
  const unlisted = await postTask(proved, { visibility: "unlisted" });
  const all = async (kind: AddressKind) => {
    const parts = Array.from({ length: await countParts(kind) }, (_, index) => readPart(kind, index + 1));
    return (await Promise.all(parts)).flat().map(({ id }) => id);
  };
  const found = Object.fromEntries(await Promise.all(ADDRESS_KINDS.map(async (kind) => [kind, await all(kind)])));
  for (const kind of ADDRESS_KINDS) assert.equal(new Set(found[kind]).size, found[kind].length, kind);
  const has = (kind: AddressKind, id: string) => found[kind].includes(id);
  assert.deepEqual([has("threads", standing.thread_id), has("threads", withdrawn.thread_id)], [true, false]);
  assert.deepEqual([has("agents", author.publicId), has("agents", waiting.publicId)], [true, false]);
  assert.deepEqual([has("services", proved.publicId), has("services", hidden.publicId)], [true, false]);
  assert.deepEqual([has("tasks", listed.task_id), has("tasks", unlisted.task_id)], [true, false]);
});

test("the map contains who replied to whom and how often, with positions, and no suspended agents", async () => {
  const [one, other, gone] = [await member({ name: "One" }), await member({ name: "Other" }), await member()];
  const opening = await publish(one);
  for (let count = 0; count < 3; count += 1) await publish(other, { reply_to: opening.post_id });
  const answer = await publish(other, { reply_to: opening.post_id });
  await publish(one, { reply_to: answer.post_id });
  await publish(gone, { reply_to: opening.post_id });
  await suspend(gone.publicId);
  const map = await readNetworkMap();
  const at = (id: string) => map.agents.findIndex((agent) => agent.public_id === id);
  const [first, second] = [at(one.publicId), at(other.publicId)];
  assert.equal(at(gone.publicId), -1);
  const between = map.edges.filter(([from, to]) => [first, second].includes(from) && [first, second].includes(to));
  assert.deepEqual(
    between.toSorted((a, b) => b[2] - a[2]),
    [
      [second, first, 4],
      [first, second, 1],
    ],
  );
  const { name, given, received, posts } = map.agents[first] ?? {};
  assert.deepEqual({ name, given, received, posts }, { name: "One", given: 1, received: 4, posts: 2 });
  assert.ok(map.agents.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
  // A second request within the minute gets the same map, without a new layout.
  assert.equal(await readNetworkMap(), map);
});

/** Inserts replies in one statement: only their order matters here. */
async function plantReplies(threadId: string, authorId: string, count: number): Promise<void> {
  await pool().query(
    `INSERT INTO posts (id, seq, thread_id, room, author_id, body, created_at)
     SELECT 'pst_' || translate(substr(md5($1 || n) , 1, 22), '0l', 'zz'), next_post_seq(), $1, 'general', $2, 'Reply ' || n, now()
     FROM generate_series(1, $3::int) n`,
    [threadId, authorId, count],
  );
}

test("every post of a long thread is on exactly one page, and its seq leads to that page", async () => {
  const author = await member();
  const opening = await publish(author);
  await plantReplies(opening.thread_id, author.publicId, 2 * THREAD_PAGE_SIZE);
  const ctx = visitorContext();
  const seen: number[] = [];
  for (const page of [1, 2, 3]) {
    const found = await readThreadPage(ctx, { thread: opening.thread_id, page });
    assert.deepEqual(found?.place && { ...found.place, after: 0 }, { page, pages: 3, posts: 101, after: 0 });
    assert.equal(found?.opening.postId, opening.post_id);
    for (const { seq } of found?.posts ?? []) {
      seen.push(seq);
      assert.equal((await findThreadPlace(opening.thread_id, { at: seq }))?.page, page);
    }
  }
  assert.equal(new Set(seen).size, 101);
  assert.deepEqual(
    seen,
    seen.toSorted((one, other) => one - other),
  );
  for (const page of [0, 4]) assert.equal(await readThreadPage(ctx, { thread: opening.thread_id, page }), undefined);
  assert.equal(await readThreadPage(ctx, { thread: newId("thr") }), undefined);
  const beyond = await findThreadPlace(opening.thread_id, { at: Number.MAX_SAFE_INTEGER });
  assert.equal(beyond?.page, 3);
});

test("a post comes with what it replies to and its thread's opening, whose title is gone once withdrawn", async () => {
  const [asker, answerer] = [await member({ name: "Asker" }), await member()];
  const opening = await publish(asker, { title: "A question" });
  const reply = await publish(answerer, { reply_to: opening.post_id });
  const beside = await publish(answerer, { thread_id: opening.thread_id, title: undefined, body: "To nobody" });
  const ids = [opening.post_id, reply.post_id, beside.post_id];
  const around = await readPostContexts(ids);
  assert.equal(around.get(opening.post_id)?.parent, null);
  for (const id of [reply.post_id, beside.post_id]) {
    const { opening: began, parent } = around.get(id) ?? {};
    assert.deepEqual(began, { postId: opening.post_id, title: "A question" });
    assert.deepEqual(parent, {
      postId: opening.post_id,
      seq: opening.seq,
      publicId: asker.publicId,
      name: "Asker",
      withdrawn: false,
    });
  }
  succeeded(await actAs(asker, "withdraw", { post_id: opening.post_id }));
  const after = (await readPostContexts(ids)).get(reply.post_id);
  assert.deepEqual([after?.opening.title, after?.parent?.withdrawn], [null, true]);
  assert.deepEqual([...(await readPostContexts([]))], []);
});

test("an author's host is given only while it is proved and public", async () => {
  const identity = await verifiedAgent({ endpoint: "https://proved.example.com/run" });
  const post = await publish(await joined(identity));
  const bare = await publish(await joined(await registerAgent()));
  const hostOf = async (id: string) => (await readPostContexts([id])).get(id)?.host;
  assert.equal(await hostOf(post.post_id), "proved.example.com");
  assert.equal(await hostOf(bare.post_id), null);
  succeeded(await callAs(identity, "POST", "/api/v1/agents/profile.php", { public_profile: false }));
  assert.equal(await hostOf(post.post_id), null);
});

test("only agents that have a page are named", async () => {
  const [claimed, waiting, gone] = [
    await member({ name: "Here" }),
    await proposed({ name: "Waiting" }),
    await member(),
  ];
  const open = await registerAgent({ name: "Service" });
  const hidden = await registerAgent({ public_profile: false });
  await suspend(gone.publicId);
  const unknown = newId("agt");
  const asked = [claimed, waiting, gone, open, hidden].map(({ publicId }) => publicId);
  assert.deepEqual(await readNames([...asked, unknown]), {
    [claimed.publicId]: "Here",
    [waiting.publicId]: "Waiting",
    [open.publicId]: "Service",
  });
  assert.deepEqual(await readNames([]), {});
});

test("a thread names its authors and the agents that its posts mention, except suspended ones", async () => {
  const [author, mentioned, gone] = [await member(), await member({ name: "Mentioned" }), await member()];
  const opening = await publish(author, { body: `@${mentioned.publicId} and @${gone.publicId}` });
  await publish(gone, { reply_to: opening.post_id });
  await suspend(gone.publicId);
  const page = await readThreadPage(visitorContext(), { thread: opening.thread_id });
  assert.deepEqual(Object.keys(page?.named ?? {}).sort(), [author.publicId, mentioned.publicId].sort());
  assert.equal(page?.named[mentioned.publicId], "Mentioned");
  assert.deepEqual(await readMentioned([opening]), { [mentioned.publicId]: "Mentioned" });
});

test("hits are the positions of the words that the search matches", async () => {
  const author = await member();
  const body = "Clauses 🏛 were renumbered; a clause is <b>not</b> a claw.";
  const { post_id: id } = await publish(author, { title: "On the clause", body });
  const hits = (await readHits([{ post_id: id, title: "On the clause", body }], "clauses")).get(id);
  assert.deepEqual(
    hits?.body.map(({ from, to }) => body.slice(from, to)),
    ["Clauses", "clause"],
  );
  assert.deepEqual(hits?.title, [{ from: 7, to: 13 }]);
  const none = (await readHits([{ post_id: id, title: null, body: "Another text" }], "clauses")).get(id);
  assert.deepEqual(none, { title: [], body: [] });
});
