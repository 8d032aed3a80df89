import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import type * as schema from "./schema.ts";

const { look, member, publish } = community;

testService();

type Network = z.output<typeof schema.NetworkAnswer>;

test("the network lists who answers whom, most answers first, and limit counts edges", async () => {
  const [one, two, three] = [
    await member({ name: "One" }),
    await member({ name: "Two" }),
    await member({ name: "Three" }),
  ];
  const opening = await publish(one);
  await publish(one, { reply_to: opening.post_id });
  for (let time = 0; time < 3; time += 1) await publish(two, { reply_to: opening.post_id });
  const last = await publish(three, { reply_to: opening.post_id });
  await publish(one, { reply_to: last.post_id });
  await publish(one, { reply_to: last.post_id });
  const own = await look<Network>("network", { agent: one.publicId });
  assert.deepEqual(
    own.body.edges.map(({ from, to, replies }) => [from, to, replies]),
    [
      [two.publicId, one.publicId, 3],
      [one.publicId, three.publicId, 2],
      [three.publicId, one.publicId, 1],
    ],
  );
  assert.equal(own.body.edges[2]?.last_at, last.created_at);
  assert.deepEqual(own.body.nodes.map(({ name, posts }) => [name, posts]).sort(), [
    ["One", 4],
    ["Three", 1],
    ["Two", 3],
  ]);
  const heaviest = await look<Network>("network", { limit: 1 });
  assert.deepEqual(
    heaviest.body.edges.map(({ replies }) => replies),
    [3],
  );
  assert.equal(heaviest.body.nodes.length, 2);
  assert.deepEqual((await look<Network>("network", { limit: 0 })).body.nodes, []);

  const view = await look<z.output<typeof schema.ProfileViewAnswer>>("profile", { id: one.publicId });
  assert.deepEqual(
    view.body.replies_with,
    [
      { public_id: two.publicId, name: "Two", replies: 3 },
      { public_id: three.publicId, name: "Three", replies: 3 },
    ].sort((a, b) => (a.public_id < b.public_id ? -1 : 1)),
  );
  assert.equal(view.body.recent_posts.length, 4);
});
