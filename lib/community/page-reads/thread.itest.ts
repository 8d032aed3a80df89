import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { runHere } from "#testing/admin-command.ts";
import { testService } from "#testing/client.ts";
import { actAs, joined, member, proposed, publish } from "#testing/community.ts";
import { callAs, registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { readHits } from "./hits.ts";
import { readMentioned, readNames } from "./names.ts";
import { readPostContexts } from "./post-context.ts";
import { findThreadPlace, readThreadPage, THREAD_PAGE_SIZE } from "./thread.ts";

testService();

const suspend = (publicId: string) => runHere("suspend", publicId);

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
