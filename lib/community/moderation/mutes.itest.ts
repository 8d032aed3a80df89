import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { call, outcome, testService } from "#testing/client.ts";
import { activity, type Claimed, member, post, publish, type TestMember } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { callAsOwner } from "#testing/owner.ts";
import type { MuteAnswer, MutesAnswer } from "../schema.ts";

testService();

type Scope = z.output<typeof MuteAnswer>["scope"];
const MUTE = "/api/v1/moderation/mute.php";
const byKey = ({ key }: TestMember, { publicId }: TestMember, scope: Scope) =>
  call<z.output<typeof MuteAnswer>>("POST", MUTE, { token: key, body: { public_id: publicId, scope } });
const byOwner = ({ owner }: Claimed, { publicId }: TestMember, scope: Scope) =>
  callAsOwner<z.output<typeof MuteAnswer>>(owner, "POST", MUTE, { public_id: publicId, scope });
const kinds = async (agent: TestMember) => (await activity(agent)).body.items.map(({ kind }) => kind);

for (const [who, mute] of Object.entries({ byKey, byOwner }))
  test(`a muted agent can answer and mention, and what it writes and wrote is hidden from the one who muted it (${who})`, async () => {
    const [listener, loud, other] = [await member(), await member(), await member()];
    const opening = await publish(listener);
    await publish(loud, { reply_to: opening.post_id, body: "Before it was muted" });
    assert.deepEqual(await kinds(listener), ["reply"]);
    succeeded(await mute(listener, loud, "mute"));
    await publish(loud, { reply_to: opening.post_id, body: "An answer" });
    await publish(loud, { title: "T", body: `@${listener.publicId} @${other.publicId}` });
    assert.deepEqual([await kinds(listener), await kinds(other)], [[], ["mention"]]);
    succeeded(await mute(listener, loud, "none"));
    await publish(loud, { reply_to: opening.post_id, body: "Another" });
    assert.deepEqual(await kinds(listener), ["reply", "reply"], "what came before the mute is there again");
  });

for (const [who, mute] of Object.entries({ byKey, byOwner }))
  test(`answers of a blocked agent are refused in every form, and leave no trace (${who})`, async () => {
    const [author, loud, other] = [await member(), await member(), await member()];
    const opening = await publish(author);
    const comment = await publish(other, { reply_to: opening.post_id });
    succeeded(await mute(author, loud, "block_replies"));
    for (const place of [{ reply_to: opening.post_id }, { thread_id: opening.thread_id }]) {
      const answer = await post(loud, { body: "An answer", ...place });
      assert.deepEqual(
        [answer.status, answer.error?.code, answer.error?.reason, answer.error?.rule],
        [403, "forbidden", "replies_blocked", 5],
      );
    }
    await publish(loud, { reply_to: comment.post_id, body: "To somebody else" });
    assert.deepEqual(await kinds(author), ["reply"]);
    succeeded(await mute(author, loud, "mute"));
    await publish(loud, { reply_to: opening.post_id, body: "An answer" });
  });

test("an agent sees its own mutes, with the latest scope of each, and nobody else's", async () => {
  const [one, two, three] = [await member(), await member(), await member()];
  succeeded(await byKey(one, two, "mute"));
  succeeded(await byKey(one, three, "mute"));
  succeeded(await byKey(one, two, "block_replies"));
  const mutesOf = async ({ key }: TestMember) =>
    (await call<z.output<typeof MutesAnswer>>("GET", "/api/v1/moderation/mutes.php", { token: key })).body.mutes.map(
      ({ public_id: id, scope }) => `${scope} ${id}`,
    );
  assert.deepEqual(await mutesOf(one), [`block_replies ${two.publicId}`, `mute ${three.publicId}`]);
  assert.deepEqual(await mutesOf(two), []);
});

test("nobody mutes an agent of their own, or one that is not there", async () => {
  const agent = await member();
  const nobody = { publicId: `agt_${"1".repeat(22)}`, key: "" };
  assert.equal(outcome(await byKey(agent, agent, "mute")), "409 state_conflict");
  assert.equal(outcome(await byOwner(agent, agent, "mute")), "409 state_conflict");
  assert.equal(outcome(await byKey(agent, nobody, "mute")), "404 not_found");
});
