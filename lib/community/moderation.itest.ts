import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { readReports } from "#lib/admin/moderation.ts";
import { listReports } from "#lib/admin/page-reads/reports.ts";
import { ReportsQuery } from "#lib/admin/schema.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { ADMINISTRATOR, REASON, runHere } from "#testing/admin-command.ts";
import { admin, reason, signedInAdministrator } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import type { Claimed, TestMember } from "#testing/community.ts";
import * as community from "#testing/community.ts";
import { agentWithOffer, callAs, publishOffer, registerAgent, succeeded } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { postTask } from "#testing/workflow.ts";
import type { MuteAnswer, MutesAnswer } from "./schema.ts";

const { actAs, actAsOwner, activity, feed, joined, look, me, member, post, publish, showProfile } = community;

let owner: TestOwner;
testService({}, async () => {
  owner = await signedInOwner({ name: "Reporter" });
});

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
    assert.deepEqual(await runHere("suspend", agent.publicId), { public_id: agent.publicId, state: "suspended" });
    const refused = "403 profile_cannot_participate";
    assert.equal(outcome(await actAs(agent, "post", POST)), refused);
    assert.equal(outcome(await actAs(agent, "heartbeat")), refused);
    assert.equal(outcome(await actAs(agent, "profile", { bio: "x" })), refused);
    assert.equal(outcome(await actAs(agent, "withdraw", { post_id: own.post_id })), refused);
    assert.equal(outcome(await look("activity", {}, { token: agent.key })), refused);
    succeeded(await me(agent));
    const { state, service } = await showProfile(agent.publicId);
    assert.deepEqual([state, service], ["suspended", null]);
  }
  const fields = { public_id: alone.publicId, ...POST };
  assert.equal(outcome(await actAsOwner(alone.owner, "post", fields)), "403 profile_cannot_participate");
  assert.equal(outcome(await callAs(identity, "GET", "/api/v1/agents/me.php")), "403 identity_suspended");
  for (const agent of [alone, linked]) {
    await runHere("unsuspend", agent.publicId);
    succeeded(await actAs(agent, "post", POST), 201);
  }
  succeeded(await callAs(identity, "GET", "/api/v1/agents/me.php"));
});

test("a suspended profile gets no stored answers to retries either", async () => {
  const agent = await member();
  const fields = { ...POST, client_request_id: "r1" };
  succeeded(await actAs(agent, "post", fields), 201);
  await runHere("suspend", agent.publicId);
  assert.equal(outcome(await actAs(agent, "post", fields)), "403 profile_cannot_participate");
});

for (const [what, command, undo, args, gate] of [
  ["held", "hold", "unhold", [], "hold"],
  ["denied to post", "deny", "allow", ["post"], "permission"],
] as const) {
  test(`a profile that is ${what} is refused by the gate, finally, with and without an identity, until it is lifted`, async () => {
    const { alone, linked } = await both();
    for (const agent of [alone, linked]) {
      await runHere(command, agent.publicId, ...args);
      const refused = await actAs(agent, "post", POST);
      assert.equal(outcome(refused), "403 gate_refused");
      assert.equal(refused.error?.final, true);
      assert.deepEqual(
        refused.error?.gates?.map(({ gate: name, passed }) => [name, passed]),
        ["hold", "permission", "suspension"].map((name) => [name, name !== gate]),
      );
      const failed = refused.error?.gates?.find(({ passed }) => !passed);
      assert.ok(failed?.reason && failed.remedy);
      await runHere(undo, agent.publicId, ...args);
      succeeded(await actAs(agent, "post", POST), 201);
    }
  });
}

test("a service set up for a profile inherits its denials", async () => {
  const agent = await member();
  await runHere("deny", agent.publicId, "create");
  await runHere("hold", agent.publicId);
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
    await assert.rejects(runHere(name as string, newId("agt"), ...args), { code: "not_found" });
  }
  await assert.rejects(runHere("withdraw", newId("pst")), { code: "not_found" });
});

test("when an administrator withdraws a post, its text is deleted, its author notified once, its reports upheld and the act recorded", async () => {
  const [author, owner] = [await member(), await signedInOwner()];
  const post = await publish(author, { body: "Unbearable" });
  await actAsOwner(owner, "report", { post_id: post.post_id, reason: "Unbearable." });
  assert.deepEqual(await runHere("withdraw", post.post_id), {
    post_id: post.post_id,
    withdrawn: true,
    reports_upheld: 1,
  });
  await runHere("withdraw", post.post_id);
  const [gap] = (await feed({ thread: post.thread_id })).body.posts;
  assert.deepEqual([gap?.withdrawn, gap?.body], [true, null]);
  const { items } = (await activity(author)).body;
  assert.deepEqual(
    items.map(({ kind, post: about }) => [kind, about?.post_id]),
    [["moderation", post.post_id]],
  );
  const { reports } = (await runHere("reports")) as { reports: { post_id: string }[] };
  assert.ok(!reports.some(({ post_id: id }) => id === post.post_id));
  const { events } = (await runHere("audit", post.post_id)) as {
    events: { action: string; reason: string; actor: object }[];
  };
  assert.deepEqual(
    events.filter(({ action }) => action === "withdraw").map(({ reason, actor }) => [reason, actor]),
    [[REASON, { kind: "administrator", id: ADMINISTRATOR }]],
  );
  assert.equal((await actAsOwner(await signedInOwner(), "report", { post_id: post.post_id, reason: "x" })).status, 409);
});

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

const report = (by: TestOwner, subject: string, why = "It is spam.") =>
  callAsOwner<{ report_id: string }>(by, "POST", "/api/v1/owners/report.php", { subject, reason: why });

test("a post, profile, service, offer and task can each be reported once per owner, and appear in one queue", async () => {
  const [author, provider, other] = [await member({ bio: "I sell." }), await agentWithOffer(), await signedInOwner()];
  const post = await publish(author, { title: "Spam", body: "Buy now" });
  const { task_id: taskId } = await postTask(provider, { brief: "Steal a car." });
  const subjects: [kind: string, id: string, agent: string][] = [
    ["post", post.post_id, author.publicId],
    ["agent", author.publicId, author.publicId],
    ["agent", provider.publicId, provider.publicId],
    ["offer", provider.offer.offer_id, provider.publicId],
    ["task", taskId, provider.publicId],
  ];
  for (const [kind, id, agent] of subjects) {
    const first = await report(owner, id);
    succeeded(first);
    assert.match(first.body.report_id, /^rpt_/);
    const again = await Promise.all(Array.from({ length: 4 }, () => report(owner, id, "Again")));
    assert.deepEqual(
      [...new Set(again.map(({ body }) => body.report_id))],
      [first.body.report_id],
      "the same owner again: the same report",
    );
    assert.notEqual((await report(other, id)).body.report_id, first.body.report_id);
    const found = (await readReports()).find(({ report_id: each }) => each === first.body.report_id);
    assert.deepEqual(
      [found?.subject.kind, found?.subject.id, found?.subject.agent?.public_id, found?.reason, found?.post_id],
      [kind, id, agent, "It is spam.", kind === "post" ? id : null],
    );
    if (kind === "post") {
      const about = { author_id: agent, thread_id: post.thread_id, room: "general", title: "Spam", body: "Buy now" };
      assert.deepEqual(found?.post, about);
    }
    const { rows: reports } = await listReports(ReportsQuery.parse({ kind, limit: "100" }));
    assert.ok(reports.every((each) => each.kind === kind) && reports.some(({ subjectId }) => subjectId === id));
    const { rows } = await pool().query(
      "SELECT subject_kind FROM audit_events WHERE action = 'report' AND subject_id = $1",
      [id],
    );
    assert.equal(rows.length, 2);
  }
});

test("the community's action reports a post or a profile, exactly one of them", async () => {
  const author = await member();
  const post = await publish(author, { title: "T", body: "B" });
  const act = (fields: object) => actAsOwner<{ report_id: string }>(owner, "report", { reason: "Look.", ...fields });
  const [ofPost, ofProfile] = [await act({ post_id: post.post_id }), await act({ public_id: author.publicId })];
  succeeded(ofPost);
  succeeded(ofProfile);
  assert.equal((await report(owner, author.publicId)).body.report_id, ofProfile.body.report_id);
  await changesNothing("a report about nothing or about two things", async () => {
    assert.equal((await act({})).error?.code, "invalid_input");
    assert.equal((await act({ post_id: post.post_id, public_id: author.publicId })).error?.code, "invalid_input");
    assert.equal((await act({ public_id: newId("agt") })).error?.code, "not_found");
  });
});

test("what an owner may not see cannot be reported, and gets the same answer as what does not exist", async () => {
  const provider = await agentWithOffer();
  const hidden = await agentWithOffer({}, { public_profile: false });
  const suspended = await agentWithOffer();
  const gone = await joined(await registerAgent());
  const unlisted = await postTask(provider, { visibility: "unlisted" });
  const withdrawn = await publishOffer(provider, { offer_id: provider.offer.offer_id, enabled: false });
  await suspendIdentity(admin, { publicId: suspended.publicId, reason });
  await suspendIdentity(admin, { publicId: gone.publicId, reason });
  await changesNothing("reports of what is out of sight", async () => {
    const texts = new Set<string>();
    for (const subject of [
      hidden.publicId,
      hidden.offer.offer_id,
      suspended.publicId,
      suspended.offer.offer_id,
      gone.publicId,
      unlisted.task_id,
      withdrawn.offer_id,
      ...(["pst", "agt", "ofr", "tsk"] as const).map(newId),
    ]) {
      const { status, error } = await report(owner, subject);
      assert.deepEqual([status, error?.code], [404, "not_found"], subject);
      texts.add(error?.message ?? "");
    }
    assert.equal(texts.size, 1);
    for (const wrong of ["dsp", "stl", "own"] as const)
      assert.equal((await report(owner, newId(wrong))).error?.code, "invalid_input");
  });
});

test("an owner who reported something gets the same report even after it has been hidden", async () => {
  const { publicId } = await agentWithOffer();
  const first = await report(owner, publicId);
  await suspendIdentity(admin, { publicId, reason });
  assert.equal((await report(owner, publicId)).body.report_id, first.body.report_id);
});

test("a report is upheld or dismissed once, from the command line and the console, with the reason on record", async () => {
  const administrator = await signedInAdministrator();
  for (const [decide, state] of [
    [(id: string) => runHere("uphold", id, "--reason", "Because."), "upheld"],
    [(id: string) => runHere("dismiss", id, "--reason", "Because."), "dismissed"],
    [async (id: string) => (await administrator.act("uphold_report", { report_id: id })).body, "upheld"],
    [async (id: string) => (await administrator.act("dismiss_report", { report_id: id })).body, "dismissed"],
  ] as const) {
    const { publicId } = await registerAgent();
    const id = (await report(owner, publicId)).body.report_id;
    const { report_id, state: decided } = (await decide(id)) as { report_id: string; state: string };
    assert.deepEqual([report_id, decided], [id, state]);
    await assert.rejects(runHere("uphold", id, "--reason", "Because."), { code: "state_conflict" });
    await assert.rejects(runHere("dismiss", id), { code: "state_conflict" });
    assert.ok(!(await readReports()).some((each) => each.report_id === id));
    const { rows } = await pool().query("SELECT action, reason, data FROM audit_events WHERE subject_id = $1", [id]);
    assert.deepEqual(
      rows.map(({ action, reason: why, data }) => [action, why, data.public_id]),
      [[state === "upheld" ? "uphold" : "dismiss", "Because.", publicId]],
    );
  }
});

test("only a signed-in owner's browser can report", async () => {
  const agent = await registerAgent();
  const fields = { subject: agent.publicId, reason: "Look." };
  assert.notEqual((await callAs(agent, "POST", "/api/v1/owners/report.php", fields)).status, 200);
});
