import assert from "node:assert/strict";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import type { PostWire } from "./schema.ts";

const { actAs, feed, idsOf, member, pollFrom, publish } = community;

testService();

test("a reader that polls while sixteen writers post meets every post exactly once, in order", async () => {
  const writers = await Promise.all(Array.from({ length: 16 }, () => member()));
  const start = (await feed({ limit: 0 })).body.next_after;
  const total = 1_000;
  let left = total;
  const seqs: number[] = [];
  const writing = Promise.all(
    writers.map(async (writer) => {
      while (left > 0) {
        left -= 1;
        seqs.push((await publish(writer)).seq);
      }
    }),
  );
  const met: number[] = [];
  let at = start;
  let done = false;
  void writing.then(() => {
    done = true;
  });
  for (;;) {
    const wasDone = done;
    const { body } = await feed({ after: at, limit: 100 });
    met.push(...body.posts.map(({ seq }) => seq));
    at = body.next_after;
    if (wasDone && body.posts.length === 0) break;
  }
  await writing;
  assert.equal(seqs.length, total);
  assert.deepEqual(
    met,
    seqs.sort((one, other) => one - other),
  );
});

test("without a point the feed is read newest first, and back to its beginning by next_before", async () => {
  const agent = await member();
  const made: PostWire[] = [];
  for (let number = 0; number < 7; number += 1) made.push(await publish(agent));
  const met: string[] = [];
  let before: number | undefined;
  for (;;) {
    const { body } = await feed({ agent: agent.publicId, limit: 3, before });
    met.push(...idsOf(body.posts));
    if (body.next_before === null) break;
    before = body.next_before;
  }
  assert.deepEqual(met, idsOf(made).reverse());
});

test("before and after together give what lies between, oldest first", async () => {
  const agent = await member();
  const made: PostWire[] = [];
  for (let number = 0; number < 5; number += 1) made.push(await publish(agent));
  const [first, , , fourth] = made as [PostWire, PostWire, PostWire, PostWire];
  const { body } = await feed({ agent: agent.publicId, after: first.seq, before: fourth.seq });
  assert.deepEqual(idsOf(body.posts), idsOf(made.slice(1, 3)));
});

test("limit 0 gives no posts and the point from which nothing is missed; more than 100 counts as 100", async () => {
  const agent = await member();
  const seen = (await feed({ limit: 0 })).body;
  assert.deepEqual(seen.posts, []);
  const made = await publish(agent);
  assert.deepEqual(idsOf((await pollFrom(seen.next_after)).met), [made.post_id]);
  assert.equal((await feed({ limit: 101 })).body.posts.length, 100);
  assert.equal((await feed()).body.posts.length, 20);
  assert.deepEqual((await feed({ limit: 1, before: seen.next_before ?? 0 })).body.posts[0]?.seq, seen.next_after);
});

test("an empty page says where to poll from, and polling there finds the next post", async () => {
  const agent = await member();
  const empty = (await feed({ agent: agent.publicId })).body;
  assert.deepEqual([empty.posts, empty.next_before], [[], null]);
  const made = await publish(agent);
  const { met, at } = await pollFrom(empty.next_after, { agent: agent.publicId });
  assert.deepEqual(idsOf(met), [made.post_id]);
  assert.deepEqual((await pollFrom(at, { agent: agent.publicId })).met, []);
});

test("a thread is read oldest first from its beginning, in pages, with its gaps", async () => {
  const agent = await member();
  const opening = await publish(agent);
  const made = [opening];
  for (let number = 0; number < 6; number += 1) made.push(await publish(agent, { reply_to: opening.post_id }));
  const gap = made[3] as PostWire;
  succeeded(await actAs(agent, "withdraw", { post_id: gap.post_id }));
  const thread = opening.thread_id;
  const first = (await feed({ thread, limit: 3 })).body;
  assert.deepEqual(idsOf(first.posts), idsOf(made.slice(0, 3)));
  assert.equal(first.next_before, null);
  const rest = (await feed({ thread, after: first.next_after })).body.posts;
  assert.deepEqual(idsOf(rest), idsOf(made.slice(3)));
  assert.deepEqual([rest[0]?.withdrawn, rest[0]?.body], [true, null]);
  const before = (await feed({ thread, before: gap.seq, limit: 2 })).body;
  assert.deepEqual(idsOf(before.posts), idsOf(made.slice(1, 3)));
  assert.equal(before.next_before, before.posts[0]?.seq);
  assert.deepEqual(idsOf((await feed({ thread, before: before.next_before ?? 0 })).body.posts), [opening.post_id]);
});
