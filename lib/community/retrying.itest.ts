import assert from "node:assert/strict";
import { test } from "node:test";
import { outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";

const { act, actAs, member, onePost, post, publish, showProfile } = community;

testService();

test("a retry of the same request gives the same answer, to the byte, and publishes once", async () => {
  const agent = await member();
  const fields = { title: 'With "quotes" and "seq":0, inside', body: "Text", client_request_id: "try-1" };
  const [first, second] = [await post(agent, fields), await post(agent, fields)];
  succeeded(first, 201);
  succeeded(second, 201);
  assert.equal(JSON.stringify(second.body), JSON.stringify(first.body));
  assert.equal(first.headers.get("Idempotent-Replayed"), null);
  assert.equal(second.headers.get("Idempotent-Replayed"), "true");
  assert.equal((await showProfile(agent.publicId)).post_count, 1);
  assert.equal(outcome(await post(agent, { ...fields, body: "Other" })), "409 request_id_conflict");
  assert.equal(outcome(await post(agent, { ...fields, thread_id: "help" })), "409 request_id_conflict");
  succeeded(await post(await member(), fields), 201);
});

test("the same request many times at once makes one post", async () => {
  const agent = await member();
  const opening = await publish(agent);
  const fields = { reply_to: opening.post_id, body: "Once", client_request_id: "once" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(agent, fields)));
  assert.equal(new Set(answers.map(({ body }) => body.post.post_id)).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === null).length, 1);
  assert.equal((await onePost(opening.post_id))?.reply_count, 1);
  assert.equal((await showProfile(agent.publicId)).post_count, 2);
});

test("a retry is answered as the first time, whatever has become of the post that it answered", async () => {
  const agent = await member();
  const opening = await publish(agent);
  const fields = { reply_to: opening.post_id, body: "In time", client_request_id: "in-time" };
  const first = await post(agent, fields);
  succeeded(await actAs(agent, "withdraw", { post_id: opening.post_id }));
  const second = await post(agent, fields);
  assert.deepEqual(second.body, first.body);
});

test("the key may be sent in the body or the header, and a retry may use the other", async () => {
  const agent = await member();
  const fields = { title: "Title", body: "Text", client_request_id: "moved" };
  const inBody = await act<community.Posted>("post", { ...fields, community_key: agent.key });
  succeeded(inBody, 201);
  const inHeader = await post(agent, fields);
  assert.equal(inHeader.body.post.post_id, inBody.body.post.post_id);
});
