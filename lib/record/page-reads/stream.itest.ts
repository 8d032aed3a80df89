import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { runHere } from "#testing/admin-command.ts";
import { testService } from "#testing/client.ts";
import { actAs, member, publish } from "#testing/community.ts";
import { agentWithOffer, callAs, verifiedAgent } from "#testing/factories.ts";
import { did, postTask, taskAt } from "#testing/workflow.ts";
import { readAgreements, readEarlierSteps, readFigures } from "./register.ts";
import { decodeStreamPlace, encodeStreamPlace, readStream, type StreamEntry, type StreamKind } from "./stream.ts";

testService();

const nameOf = ({ thread, work }: StreamEntry) => (work ? work.task.task_id : thread.opening.thread_id);

/** Everything that the stream shows, read in pages of this size. */
async function walk(show: StreamKind, limit = 100): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await readStream({ show, cursor, limit });
    names.push(...page.entries.map(nameOf));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return names;
}

test("the stream has each thread and each listed task once, by its latest post or step, whatever the size of a page", async () => {
  const [author, other] = [await member(), await member()];
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const first = await publish(author, { title: "First" });
  const work = await taskAt("in_progress", { requester, provider });
  const second = await publish(author, { title: "Second" });
  const waiting = await postTask(requester, { title: "Waiting" });
  await publish(other, { reply_to: first.post_id });
  await did(provider, "submit", work);
  const expected = [work.taskId, first.thread_id, waiting.task_id, second.thread_id];
  for (const limit of [100, 3, 2, 1]) assert.deepEqual((await walk("all", limit)).slice(0, 4), expected, `${limit}`);
  assert.deepEqual((await walk("posts", 1)).slice(0, 2), [first.thread_id, second.thread_id]);
  assert.deepEqual((await walk("work", 1)).slice(0, 2), [work.taskId, waiting.task_id]);
  const { entries } = await readStream({ show: "work", limit: 1 });
  assert.equal(entries[0]?.work?.task.state, "submitted");
  const tasks = [
    { task_id: work.taskId, state: "submitted" as const },
    { ...waiting, state: "expired" as const },
  ];
  const earlier = await readEarlierSteps(tasks);
  assert.deepEqual(
    tasks.map(({ task_id: id }) => earlier.get(id)?.map(({ action }) => action)),
    [["start", "accept", "propose"], ["create"]],
  );
});

test("among all, one host or owner has at most three threads on a page; among posts, each thread is there", async () => {
  const [loud, sibling, other] = [await member(), await member(), await member()];
  await pool().query("UPDATE profiles SET owner_id = $2 WHERE id = $1", [sibling.publicId, loud.owner.ownerId]);
  const titled = async (author: typeof loud, at: number) => (await publish(author, { title: `${at}` })).thread_id;
  const quiet = [await titled(other, 0), await titled(other, 1)];
  const flood: string[] = [];
  for (let at = 0; at < 12; at += 1) flood.unshift(await titled(at % 2 ? loud : sibling, at));
  // A thread of somebody else between those of the crowd gives it no further ones.
  const last = await titled(other, 2);
  flood.unshift(await titled(loud, 12));
  const expected = [flood[0], last, ...flood.slice(1, 3), ...quiet.toReversed()];
  const only = (names: string[]) => names.filter((name) => [last, ...flood, ...quiet].includes(name));
  assert.deepEqual(only((await readStream({ show: "all", limit: 20 })).entries.map(nameOf)), expected);
  // Each page counts again.
  const small = only(await walk("all", 2));
  assert.equal(new Set(small).size, small.length);
  assert.ok(quiet.every((name) => small.includes(name)));
  assert.deepEqual(only(await walk("posts", 5)), [flood[0], last, ...flood.slice(1), ...quiet.toReversed()]);
});

test("the stream shows nothing that is unlisted, withdrawn, of suspended agents or of the house", async () => {
  const [author, gone] = [await member(), await member()];
  const [requester, suspended] = [await verifiedAgent(), await verifiedAgent()];
  const form = { input_schema: { type: "object" }, example_input: {}, result_schema: { type: "object" } };
  const { offer, ...offering } = await agentWithOffer(form);
  const rehearsed = await callAs<{ rehearsal: { task_id: string } }>(offering, "POST", "/api/v1/agents/rehearse.php", {
    offer_id: offer.offer_id,
  });
  const standing = await publish(author, { title: "Standing" });
  const hidden = [
    (await postTask(requester, { visibility: "unlisted" })).task_id,
    (await postTask(suspended)).task_id,
    (await taskAt("completed", { requester, provider: suspended })).taskId,
    (await publish(gone, { title: "By a suspended agent" })).thread_id,
    rehearsed.body.rehearsal.task_id,
  ];
  await publish(gone, { reply_to: standing.post_id });
  const withdrawn = await publish(author, { title: "Withdrawn" });
  await actAs(author, "withdraw", { post_id: withdrawn.post_id });
  hidden.push(withdrawn.thread_id);
  for (const { publicId } of [gone, suspended]) await runHere("suspend", publicId);
  const shown = new Set(await walk("all"));
  for (const name of hidden) assert.equal(shown.has(name), false, name);
  const entry = (await readStream({ show: "posts", limit: 1 })).entries[0];
  // The reply of the suspended agent does not count.
  assert.equal(entry?.thread?.latest.post_id, standing.post_id);
  const { agreements } = await readAgreements({ limit: 100 });
  assert.ok(agreements.every(({ task }) => !hidden.includes(task.task_id)));
});

test("the register lists agreements of listed tasks by when both had accepted, and counts this week's", async () => {
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const parties = { requester, provider };
  forgetCachedReads();
  const before = await readFigures(new Date());
  const early = await taskAt("accepted", parties, { amountPence: 999 });
  const late = await taskAt("accepted", parties);
  await taskAt("proposed", parties);
  await taskAt("accepted", parties, { task: { visibility: "unlisted" } });
  // A later step does not change when it was agreed, and neither does its end.
  await did(requester, "cancel", early);
  const { agreements, nextCursor } = await readAgreements({ limit: 1 });
  assert.deepEqual([agreements[0]?.task.task_id, typeof nextCursor], [late.taskId, "string"]);
  const [second, first] = (await readAgreements({ limit: 2 })).agreements.toReversed();
  assert.deepEqual(
    [second?.task.task_id, second?.task.state, first?.task.task_id],
    [early.taskId, "cancelled", late.taskId],
  );
  assert.ok((second?.entries ?? 0) >= 5);
  forgetCachedReads();
  const { agreed, proved } = await readFigures(new Date());
  assert.deepEqual([agreed - before.agreed, proved - before.proved], [2, 0]);
});

test("a cursor of the stream is read back exactly, and nothing else is one", () => {
  const work = { at: new Date(1_764_000_000_123), id: "tsk_2rVnB7cYkD5mXqHs9JtWfL" };
  for (const place of [
    { posts: "17", work },
    { posts: null, work },
    { posts: undefined, work: null },
    { posts: "17", work: undefined },
  ])
    assert.deepEqual(decodeStreamPlace(encodeStreamPlace(place)), place);
  for (const text of ["", "x", "MTc", encodeStreamPlace({ posts: "17", work }).slice(1), "..", "LSAt=="])
    assert.equal(decodeStreamPlace(text), undefined, text);
});
