import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { expireDueTasks } from "#lib/tasks/advance.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { call, forFile, outcome } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { evidenceOf, logKey, signed, startSignedLog } from "#testing/log/signed-log.ts";
import { writeStatements } from "#testing/log/statements.ts";
import { expire, perform, taskAt } from "#testing/workflow.ts";
import type { Evidence } from "./schema.ts";

const log = forFile(startSignedLog);

test("a completed task leaves a file that proves every step, for its parties with the texts", async () => {
  const { taskId } = await taskAt("completed", log);
  const unsigned = await evidenceOf(taskId, log.requester);
  assert.equal((await verifyEvidence(unsigned.body)).verdict, "consistent");
  await signed();
  const { body, headers } = await evidenceOf(taskId, log.provider);
  assert.equal(headers.get("content-disposition"), `attachment; filename="evidence-${taskId}.json"`);
  const report = await verifyEvidence(body, { key: await logKey() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  assert.deepEqual(
    body.statements.map((statement) => ("event" in statement ? statement.event : "")),
    [
      "task.created",
      "task.claimed",
      "contract.proposed",
      "contract.accepted",
      "contract.accepted",
      "settlement.recorded",
      "payment.confirmed",
      "task.started",
      "task.submitted",
      "task.completed",
      "settlement.approved",
    ],
  );
  assert.equal(Object.keys(body.attachments.terms).length, 1);
  assert.equal(body.attachments.result?.text, "Three words.");
  assert.equal(statSync(join(log.folder, "log/log-1.key")).mode & 0o777, 0o600);
});

test("outsiders get the statements of a listed task without its texts, and of an unlisted one nothing", async () => {
  const stranger = await verifiedAgent();
  const listed = await taskAt("submitted", log);
  const unlisted = await taskAt("submitted", log, { task: { visibility: "unlisted" } });
  await signed();
  const none = { terms: {}, brief: null, result: null };
  for (const agent of [undefined, stranger]) {
    const { body } = await evidenceOf(listed.taskId, agent);
    assert.deepEqual(body.attachments, none);
    assert.equal((await verifyEvidence(body, { key: await logKey() })).verdict, "proved");
    const hidden = await evidenceOf(unlisted.taskId, agent);
    const unknown = await evidenceOf("tsk_2222222222222222222222", agent);
    assert.deepEqual([hidden.status, hidden.error], [404, unknown.error]);
  }
  const { body } = await evidenceOf(unlisted.taskId, log.requester);
  assert.notDeepEqual(body.attachments, none);
  assert.equal((await verifyEvidence(body, { key: await logKey() })).verdict, "proved");
});

test("an identity's file tells when its domain was verified, and a hidden identity has none", async () => {
  await signed();
  const file = { query: { public_id: log.provider.publicId } };
  const { body, headers } = await call<Evidence>("GET", "/api/v1/agents/evidence.php", file);
  const tag = headers.get("ETag") ?? "";
  assert.match(tag, /^W\//);
  const again = await call("GET", "/api/v1/agents/evidence.php", { ...file, headers: { "If-None-Match": tag } });
  assert.deepEqual([again.status, again.headers.get("ETag")], [304, tag]);
  assert.equal((await verifyEvidence(body, { key: await logKey() })).verdict, "proved");
  assert.deepEqual(
    body.statements.map((statement) => "event" in statement && [statement.event, Object.keys(statement.facts)]),
    [["identity.verified", ["domain"]]],
  );
  const hidden = await registerAgent({ public_profile: false });
  const answer = await call("GET", "/api/v1/agents/evidence.php", { query: { public_id: hidden.publicId } });
  assert.equal(answer.status, 404);
});

test("an erased statement leaves its hash, and the file still verifies", async () => {
  const { taskId } = await taskAt("claimed", log);
  await signed();
  await pool().query("UPDATE log_statements SET statement = NULL, text_salt = NULL WHERE chain = $1 AND n = 1", [
    taskId,
  ]);
  const { body } = await evidenceOf(taskId, log.requester);
  assert.deepEqual([Object.keys(body.statements[0] ?? {}), body.attachments.brief], [["n", "erased"], null]);
  assert.equal((await verifyEvidence(body, { key: await logKey() })).verdict, "proved");
  await assert.rejects(pool().query("UPDATE log_statements SET n = 7 WHERE chain = $1", [taskId]), /never changed/);
  await assert.rejects(pool().query("DELETE FROM log_statements WHERE chain = $1", [taskId]), /never changed/);
});

test("an expiry, which is recorded for many tasks at once, is in the log too", async () => {
  const { taskId } = await taskAt("open", log);
  await expire(taskId);
  await expireDueTasks({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_test" });
  await signed();
  const { body } = await evidenceOf(taskId, log.requester);
  assert.equal((await verifyEvidence(body, { key: await logKey() })).verdict, "proved");
  assert.deepEqual(
    body.statements.map((statement) => "event" in statement && statement.event),
    ["task.created", "task.expired"],
  );
});

test("after a split, the file has the share of what was awarded, and follows the policy in the terms", async () => {
  const work = await taskAt("submitted", log);
  const disputed = await perform(log.requester, "dispute", work);
  const disputeId = (disputed.body as { dispute: { dispute_id: string } }).dispute.dispute_id;
  const providerPence = Math.floor(work.amountPence / 2);
  await resolveDispute(commandLineContext("Grace"), {
    disputeId,
    resolution: "split",
    providerPence,
    reason: "Half is done",
  });
  await signed();
  const { body } = await evidenceOf(work.taskId, log.provider);
  const report = await verifyEvidence(body, { key: await logKey() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  const facts = body.statements.flatMap((each) =>
    "event" in each && each.event === "settlement.approved" ? [each.facts] : [],
  );
  assert.equal(facts[0]?.awarded_pence, providerPence);
  assert.equal(Number(facts[0]?.fee_pence) + Number(facts[0]?.net_pence), providerPence);
});

test("a party signs its acceptance and its result with its published key, and the file proves it", async () => {
  const pair = generateKeyPairSync("ed25519");
  const jwk = pair.publicKey.export({ format: "jwk" });
  const signed64 = (lines: string[]) =>
    sign(null, Buffer.from(lines.map((line) => `${line}\n`).join("")), pair.privateKey).toString("base64url");
  const publish = (agent: TestAgent, key: object | null) =>
    call("POST", "/api/v1/agents/profile.php", {
      token: agent.token,
      body: { public_id: agent.publicId, signing_key: key },
    });
  const unverified = await registerAgent();
  assert.equal(outcome(await publish(unverified, jwk)), "403 gate_refused");
  assert.equal(outcome(await publish(log.provider, { ...jwk, crv: "X25519" })), "422 invalid_input");
  const work = await taskAt("proposed", log);
  const acceptance = signed64(["guildhall.accept/1", "guild.example/log", work.contractId, work.termsHash]);
  assert.equal(outcome(await perform(log.provider, "accept", work, { signature: acceptance })), "422 invalid_input");
  const published = await publish(log.provider, { ...jwk, use: "sig" });
  assert.deepEqual((published.body as { identity: { signing_key: unknown } }).identity.signing_key, jwk);
  const wrong = signed64(["guildhall.accept/1", "guild.example/log", work.contractId, `sha256:${"0".repeat(64)}`]);
  assert.equal(outcome(await perform(log.provider, "accept", work, { signature: wrong })), "422 invalid_input");
  assert.equal(outcome(await perform(log.provider, "accept", work, { signature: acceptance })), "200");
  assert.equal(outcome(await perform(log.requester, "accept", work)), "200");
  for (const [agent, verb] of [
    [log.requester, "fund"],
    [log.requester, "confirm"],
    [log.provider, "start"],
  ] as const)
    await perform(agent, verb, work);
  const evidence = `sha256:${"1".repeat(64)}`;
  const result = signed64(["guildhall.submit/1", "guild.example/log", work.taskId, evidence]);
  assert.equal(outcome(await perform(log.provider, "submit", work, { signature: result })), "422 invalid_input");
  assert.equal(
    outcome(await perform(log.provider, "submit", work, { signature: result, evidence_hash: evidence })),
    "200",
  );
  await signed();
  const { body } = await evidenceOf(work.taskId, log.requester);
  const report = await verifyEvidence(body, { key: await logKey() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  assert.equal(report.proved.filter((line) => line.includes(`was signed with the key ${jwk.x}`)).length, 2);
  assert.equal(outcome(await publish(log.provider, null)), "200");
  const shown = await call<{ agent: { signing_key: unknown } }>("GET", "/api/v1/agents/show.php", {
    query: { public_id: log.provider.publicId },
  });
  assert.equal(shown.body.agent.signing_key, null);
});

test("a long chain is sent in pieces, whole and with all its proofs", async () => {
  const LONG = 2_100;
  const { taskId } = await taskAt("claimed", log);
  await writeStatements(pool(), { count: LONG, chain: taskId });
  await signed();
  const { body, headers } = await evidenceOf(taskId, log.requester);
  assert.equal(headers.get("content-disposition"), `attachment; filename="evidence-${taskId}.json"`);
  assert.deepEqual([body.statements.length, body.proofs.length], [LONG + 2, LONG + 2]);
  assert.equal(typeof body.attachments.brief?.text, "string");
  const report = await verifyEvidence(body, { key: await logKey() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
});

test("the file proves to the parties what was said in a dispute, and tells others only that something was", async () => {
  const work = await taskAt("submitted", log);
  const { dispute } = (await perform(log.requester, "dispute", work)).body as { dispute: { dispute_id: string } };
  for (const [agent, statement] of [
    [log.provider, "All three words are counted."],
    [log.requester, "One is missing."],
  ] as const)
    await callAs(agent, "POST", "/api/v1/jobs/dispute_statement.php", { dispute_id: dispute.dispute_id, statement });
  await signed();
  const { body: file } = await evidenceOf(work.taskId, log.provider);
  const said = file.dispute_statements ?? [];
  assert.deepEqual(
    said.map(({ text }) => text),
    ["All three words are counted.", "One is missing."],
  );
  const key = await logKey();
  const report = await verifyEvidence(file, { key });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  const changed = { ...file, dispute_statements: said.map((each) => ({ ...each, text: "None is." })) };
  assert.equal((await verifyEvidence(changed, { key })).verdict, "broken");
  const { body: open } = await evidenceOf(work.taskId);
  const facts = open.statements.flatMap((each) =>
    "event" in each && each.event === "dispute.statement" ? [each.facts] : [],
  );
  assert.deepEqual(
    facts.map(({ by, dispute_id: id }) => [by, id]),
    ["provider", "requester"].map((by) => [by, dispute.dispute_id]),
  );
  assert.ok(!JSON.stringify(open).includes("three words are counted"));
});

test("the file proves to the parties what the requester made clear, and tells others only that something was", async () => {
  const work = await taskAt("open", log);
  const texts = ["The text is in English.", "Hyphenated words are one."];
  for (const text of texts)
    await callAs(log.requester, "POST", "/api/v1/jobs/clarify.php", { task_id: work.taskId, text });
  await perform(log.provider, "claim", work);
  await signed();
  const { body: file } = await evidenceOf(work.taskId, log.provider);
  const said = file.clarifications ?? [];
  assert.deepEqual(
    said.map(({ text }) => text),
    texts,
  );
  const key = await logKey();
  const report = await verifyEvidence(file, { key });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  const changed = { ...file, clarifications: said.map((each) => ({ ...each, text: "In German." })) };
  assert.equal((await verifyEvidence(changed, { key })).verdict, "broken");
  const { body: open } = await evidenceOf(work.taskId);
  const clarified = open.statements.filter((each) => "event" in each && each.event === "task.clarified");
  assert.deepEqual([clarified.length, open.clarifications], [2, undefined]);
});
