import assert from "node:assert/strict";
import { test } from "node:test";
import { readReports } from "#lib/admin/moderation.ts";
import { listReports } from "#lib/admin/page-reads/reports.ts";
import { ReportsQuery } from "#lib/admin/schema.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { runHere } from "#testing/admin-command.ts";
import { admin, reason, signedInAdministrator } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { actAsOwner, joined, member, publish } from "#testing/community.ts";
import { agentWithOffer, callAs, publishOffer, registerAgent, succeeded } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { postTask } from "#testing/workflow.ts";

let owner: TestOwner;
testService({}, async () => {
  owner = await signedInOwner({ name: "Reporter" });
});

const report = (by: TestOwner, subject: string, why = "It is spam.") =>
  callAsOwner<{ report_id: string }>(by, "POST", "/api/v1/owners/report.php", { subject, reason: why });

const listed = readReports;

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
    const found = (await listed()).find(({ report_id: each }) => each === first.body.report_id);
    assert.deepEqual(
      [found?.subject.kind, found?.subject.id, found?.subject.agent?.public_id, found?.reason, found?.post_id],
      [kind, id, agent, "It is spam.", kind === "post" ? id : null],
    );
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
    assert.ok(!(await listed()).some((each) => each.report_id === id));
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
