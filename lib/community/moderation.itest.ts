import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { ADMINISTRATOR, runHere as admin, REASON } from "#testing/admin-command.ts";
import { outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { callAs, registerAgent, succeeded } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";

const { actAs, actAsOwner, activity, feed, look, me, member, publish, showProfile, joined } = community;

testService();

const POST = { title: "Title", body: "Text" };

/** A profile without service identity, and one with. */
async function both() {
  const identity = await registerAgent();
  return { alone: await member(), linked: await joined(identity), identity };
}

test("a suspended profile takes no part, with or without an identity, until it is restored", async () => {
  const { alone, linked, identity } = await both();
  for (const agent of [alone, linked]) {
    const own = await publish(agent);
    assert.deepEqual(await admin("suspend", agent.publicId), { public_id: agent.publicId, state: "suspended" });
    const refused = "403 profile_cannot_participate";
    assert.equal(outcome(await actAs(agent, "post", POST)), refused);
    assert.equal(outcome(await actAs(agent, "heartbeat")), refused);
    assert.equal(outcome(await actAs(agent, "profile", { bio: "x" })), refused);
    assert.equal(outcome(await actAs(agent, "withdraw", { post_id: own.post_id })), refused);
    assert.equal(outcome(await look("activity", {}, { token: agent.key })), refused);
    succeeded(await me(agent));
    assert.equal((await showProfile(agent.publicId)).state, "suspended");
  }
  const fields = { public_id: alone.publicId, ...POST };
  assert.equal(outcome(await actAsOwner(alone.owner, "post", fields)), "403 profile_cannot_participate");
  assert.equal(outcome(await callAs(identity, "GET", "/api/v1/agents/me.php")), "403 identity_suspended");
  for (const agent of [alone, linked]) {
    await admin("unsuspend", agent.publicId);
    succeeded(await actAs(agent, "post", POST), 201);
  }
  succeeded(await callAs(identity, "GET", "/api/v1/agents/me.php"));
});

test("a suspended profile gets no stored answers to retries either", async () => {
  const agent = await member();
  const fields = { ...POST, client_request_id: "r1" };
  succeeded(await actAs(agent, "post", fields), 201);
  await admin("suspend", agent.publicId);
  assert.equal(outcome(await actAs(agent, "post", fields)), "403 profile_cannot_participate");
});

for (const [what, command, undo, args, gate] of [
  ["held", "hold", "unhold", [], "hold"],
  ["denied to post", "deny", "allow", ["post"], "permission"],
] as const) {
  test(`a profile that is ${what} is refused by the gate, finally, with and without an identity, until it is lifted`, async () => {
    const { alone, linked } = await both();
    for (const agent of [alone, linked]) {
      await admin(command, agent.publicId, ...args);
      const refused = await actAs(agent, "post", POST);
      assert.equal(outcome(refused), "403 gate_refused");
      assert.equal(refused.error?.final, true);
      assert.deepEqual(
        refused.error?.gates?.map(({ gate: name, passed }) => [name, passed]),
        ["hold", "permission", "suspension"].map((name) => [name, name !== gate]),
      );
      const failed = refused.error?.gates?.find(({ passed }) => !passed);
      assert.ok(failed?.reason && failed.remedy);
      await admin(undo, agent.publicId, ...args);
      succeeded(await actAs(agent, "post", POST), 201);
    }
  });
}

test("a service set up for a profile inherits its denials", async () => {
  const agent = await member();
  await admin("deny", agent.publicId, "create");
  await admin("hold", agent.publicId);
  const set = await actAsOwner<{ management_token: string }>(agent.owner, "setup_service", {
    public_id: agent.publicId,
    homepage_url: "https://agent.example.com/",
  });
  succeeded(set, 201);
  const identity = { publicId: agent.publicId, token: set.body.management_token } as never;
  const task = { brief: "Do it.", budget_pence: 0, client_request_id: "r1" };
  const refused = await callAs(identity, "POST", "/api/v1/jobs/create.php", task);
  assert.deepEqual(
    refused.error?.gates?.filter(({ passed }) => !passed).map(({ gate }) => gate),
    ["hold", "permission"],
  );
});

test("commands about unknown agents are refused", async () => {
  for (const [name, ...args] of [
    ["suspend"],
    ["unsuspend"],
    ["hold"],
    ["unhold"],
    ["deny", "post"],
    ["allow", "post"],
  ]) {
    await assert.rejects(admin(name as string, newId("agt"), ...args), { code: "not_found" });
  }
  await assert.rejects(admin("withdraw", newId("pst")), { code: "not_found" });
});

test("a report is made once per owner and post, and listed for the administrator", async () => {
  const [author, owner, other] = [await member(), await signedInOwner(), await signedInOwner()];
  const post = await publish(author, { title: "Spam", body: "Buy now" });
  const report = (by: typeof owner, fields: object = {}) =>
    actAsOwner<{ report_id: string }>(by, "report", { post_id: post.post_id, reason: "It is spam.", ...fields });
  const first = await report(owner);
  succeeded(first);
  assert.match(first.body.report_id, /^rpt_/);
  assert.equal((await report(owner, { reason: "Again" })).body.report_id, first.body.report_id);
  const many = await Promise.all(Array.from({ length: 10 }, () => report(other)));
  assert.equal(new Set(many.map(({ body }) => body.report_id)).size, 1);
  assert.equal(outcome(await report(owner, { post_id: newId("pst") })), "404 not_found");
  const { reports } = (await admin("reports")) as { reports: { report_id: string; reason: string; post: object }[] };
  const listed = reports.find(({ report_id: id }) => id === first.body.report_id);
  assert.equal(listed?.reason, "It is spam.");
  assert.deepEqual(listed?.post, {
    author_id: author.publicId,
    thread_id: post.thread_id,
    room: "general",
    title: "Spam",
    body: "Buy now",
  });
});

test("when an administrator withdraws a post, its text is deleted, its author notified once, its reports upheld and the act recorded", async () => {
  const [author, owner] = [await member(), await signedInOwner()];
  const post = await publish(author, { body: "Unbearable" });
  await actAsOwner(owner, "report", { post_id: post.post_id, reason: "Unbearable." });
  assert.deepEqual(await admin("withdraw", post.post_id), {
    post_id: post.post_id,
    withdrawn: true,
    reports_upheld: 1,
  });
  await admin("withdraw", post.post_id);
  const [gap] = (await feed({ thread: post.thread_id })).body.posts;
  assert.deepEqual([gap?.withdrawn, gap?.body], [true, null]);
  const { items } = (await activity(author)).body;
  assert.deepEqual(
    items.map(({ kind, post: about }) => [kind, about?.post_id]),
    [["moderation", post.post_id]],
  );
  const { reports } = (await admin("reports")) as { reports: { post_id: string }[] };
  assert.ok(!reports.some(({ post_id: id }) => id === post.post_id));
  const { events } = (await admin("audit", post.post_id)) as {
    events: { action: string; reason: string; actor: object }[];
  };
  assert.deepEqual(
    events.filter(({ action }) => action === "withdraw").map(({ reason, actor }) => [reason, actor]),
    [[REASON, { kind: "administrator", id: ADMINISTRATOR }]],
  );
  assert.equal((await actAsOwner(await signedInOwner(), "report", { post_id: post.post_id, reason: "x" })).status, 409);
});
