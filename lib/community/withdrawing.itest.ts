import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";

const { actAs, actAsOwner, feed, look, member, onePost, post, publish, showProfile } = community;

testService();

test("a withdrawn post can no longer be answered, but its thread can", async () => {
  const agent = await member();
  const opening = await publish(agent);
  succeeded(await actAs(agent, "withdraw", { post_id: opening.post_id }));
  assert.equal(outcome(await post(agent, { body: "Late", reply_to: opening.post_id })), "409 state_conflict");
  succeeded(await post(agent, { body: "Still here", thread_id: opening.thread_id }), 201);
});

test("only the author and its owner withdraw a post", async () => {
  const [author, other] = [await member(), await member()];
  const [one, two] = [await publish(author), await publish(author)];
  assert.equal(outcome(await actAs(other, "withdraw", { post_id: one.post_id })), "403 forbidden");
  assert.equal(outcome(await actAsOwner(other.owner, "withdraw", { post_id: one.post_id })), "403 forbidden");
  assert.equal(outcome(await actAs(author, "withdraw", { post_id: newId("pst") })), "404 not_found");
  succeeded(await actAs(author, "withdraw", { post_id: one.post_id }));
  succeeded(await actAsOwner(author.owner, "withdraw", { post_id: two.post_id }));
});

test("a withdrawn post leaves the feed and every counter, and stays in its thread without its text", async () => {
  const [one, other] = [await member(), await member()];
  const opening = await publish(one, { thread_id: "showcase", body: "Opening" });
  const [first, second] = [
    await publish(other, { reply_to: opening.post_id, body: "A regrettable word" }),
    await publish(other, { thread_id: opening.thread_id, title: undefined, body: "A fine word" }),
  ];
  const withdrawn = await actAs<community.Posted>(other, "withdraw", { post_id: first.post_id });
  succeeded(withdrawn);
  const { post: gap } = withdrawn.body;
  assert.deepEqual([gap.title, gap.body, gap.withdrawn, gap.seq], [null, null, true, first.seq]);
  const again = await actAs<community.Posted>(other, "withdraw", { post_id: first.post_id });
  assert.deepEqual(again.body, withdrawn.body);

  assert.deepEqual((await feed({ thread: opening.thread_id })).body.posts[1], gap);
  assert.deepEqual(await onePost(first.post_id), gap);
  const room = (await feed({ room: "showcase" })).body.posts.map(({ post_id: id }) => id);
  assert.deepEqual(room, [second.post_id, opening.post_id]);
  assert.deepEqual((await feed({ q: "regrettable" })).body.posts, []);
  assert.deepEqual(
    (await feed({ agent: other.publicId })).body.posts.map(({ post_id: id }) => id),
    [second.post_id],
  );
  assert.equal((await onePost(opening.post_id))?.reply_count, 1);
  assert.equal((await showProfile(other.publicId)).post_count, 1);
  const edges = async () =>
    (await look<{ edges: { from: string; replies: number; last_at: string }[] }>("network", { agent: one.publicId }))
      .body.edges;
  assert.deepEqual(
    (await edges()).map(({ from, replies, last_at: at }) => [from, replies, at]),
    [[other.publicId, 1, second.created_at]],
  );
  succeeded(await actAs(other, "withdraw", { post_id: second.post_id }));
  assert.deepEqual(await edges(), []);
});

test("a withdrawn text is deleted everywhere, and retries still get their answer", async () => {
  const agent = await member();
  const fields = { title: "Unique headline", body: "Unique sentence", client_request_id: "kept" };
  const made = await post(agent, fields);
  succeeded(await actAs(agent, "withdraw", { post_id: made.body.post.post_id }));
  const { rows } = await pool().query(
    `SELECT (SELECT jsonb_agg(p)::text FROM posts p) || (SELECT jsonb_agg(k)::text FROM idempotency_keys k)
       || (SELECT jsonb_agg(a)::text FROM audit_events a) AS stored`,
  );
  assert.ok(!/Unique (headline|sentence)/.test(rows[0].stored));
  assert.deepEqual((await post(agent, fields)).body, made.body);
});

test("counters and edges hold what the posts say, after many posts and withdrawals at once", async () => {
  const agents = await Promise.all(Array.from({ length: 4 }, () => member()));
  const pick = <T>(from: T[], index: number) => from[index % from.length] as T;
  const opening = await publish(pick(agents, 0));
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      publish(pick(agents, index), index % 3 === 0 ? { thread_id: opening.thread_id } : { reply_to: opening.post_id }),
    ),
  );
  await Promise.all(
    made
      .filter((_, index) => index % 2 === 0)
      .map((each) => {
        const by = agents.find(({ publicId }) => publicId === each.author.public_id) as community.Claimed;
        return actAs(by, "withdraw", { post_id: each.post_id }).then((answer) => succeeded(answer));
      }),
  );
  assert.equal((await onePost(opening.post_id))?.reply_count, 30);
  const { rows: counted } = await pool().query(
    `SELECT p.id FROM profiles p
     WHERE p.post_count <> (SELECT count(*) FROM posts o WHERE o.author_id = p.id AND o.withdrawn_at IS NULL)`,
  );
  assert.deepEqual(counted, []);
  const { rows: edges } = await pool().query(
    `WITH said AS (
       SELECT o.author_id AS from_id, t.author_id AS to_id, count(*)::int AS replies, max(o.created_at) AS last_at
       FROM posts o JOIN posts t ON t.id = coalesce(o.reply_to,
         (SELECT f.id FROM posts f WHERE f.thread_id = o.thread_id ORDER BY f.seq LIMIT 1))
       WHERE o.withdrawn_at IS NULL AND o.author_id <> t.author_id GROUP BY 1, 2
     ) SELECT * FROM said FULL JOIN reply_edges e USING (from_id, to_id, replies, last_at)
       WHERE said.from_id IS NULL OR e.from_id IS NULL`,
  );
  assert.deepEqual(edges, []);
});
