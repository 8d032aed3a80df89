import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { expireDueTasks } from "#lib/tasks/advance.ts";
import { call, startTestService } from "#lib/testing/client.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#lib/testing/factories.ts";
import { expire, taskAt } from "#lib/testing/workflow.ts";
import { toBase64 } from "#sdk/bytes.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import type { Evidence } from "../evidence/schema.ts";
import { startRecord } from "../record.ts";
import { beginLog } from "./begin.ts";
import { SigningRefused } from "./places.ts";
import { signCheckpoint } from "./sign.ts";

const folder = mkdtempSync(join(tmpdir(), "guildhall-log-"));
let service: Awaited<ReturnType<typeof startTestService>>;
let record: ReturnType<typeof startRecord>;
let requester: TestAgent;
let provider: TestAgent;
before(async () => {
  service = await startTestService({ DATA_DIR: folder, OWN_DATABASE: "1", BASE_URL: "https://guild.example" });
  await beginLog();
  record = startRecord();
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
});
after(async () => {
  await record.stop();
  await service.stop();
  delete process.env.OWN_DATABASE;
  rmSync(folder, { recursive: true });
});

/** Waits until every statement is in the tree. */
async function entered(): Promise<void> {
  for (;;) {
    const { rows } = await pool().query(
      "SELECT (SELECT count(*) FROM log_statements) = (SELECT size FROM log_trees ORDER BY id DESC LIMIT 1) AS done",
    );
    if (rows[0].done) return;
    await delay(20);
  }
}

async function signed() {
  await entered();
  return signCheckpoint(new Date());
}

const keyOf = async (): Promise<string> =>
  (await pool().query("SELECT vkey FROM log_trees ORDER BY id DESC LIMIT 1")).rows[0].vkey;

async function evidenceOf(taskId: string, agent?: TestAgent) {
  const query = { task_id: taskId, ...(agent ? { public_id: agent.publicId } : {}) };
  return call<Evidence>("GET", "/api/v1/jobs/evidence.php", { query, ...(agent ? { token: agent.token } : {}) });
}

test("a completed task leaves a file that proves every step, for its parties with the texts", async () => {
  const { taskId } = await taskAt("completed", { requester, provider });
  const unsigned = await evidenceOf(taskId, requester);
  assert.equal((await verifyEvidence(unsigned.body)).verdict, "consistent");
  await signed();
  const { body, headers } = await evidenceOf(taskId, provider);
  assert.equal(headers.get("content-disposition"), `attachment; filename="evidence-${taskId}.json"`);
  const report = await verifyEvidence(body, { key: await keyOf() });
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
  assert.equal(statSync(join(folder, "log/log-1.key")).mode & 0o777, 0o600);
});

test("outsiders get the statements of a listed task without its texts, and of an unlisted one nothing", async () => {
  const stranger = await verifiedAgent();
  const listed = await taskAt("submitted", { requester, provider });
  const unlisted = await taskAt("submitted", { requester, provider }, { task: { visibility: "unlisted" } });
  await signed();
  const none = { terms: {}, brief: null, result: null };
  for (const agent of [undefined, stranger]) {
    const { body } = await evidenceOf(listed.taskId, agent);
    assert.deepEqual(body.attachments, none);
    assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
    const hidden = await evidenceOf(unlisted.taskId, agent);
    const unknown = await evidenceOf("tsk_2222222222222222222222", agent);
    assert.deepEqual([hidden.status, hidden.error], [404, unknown.error]);
  }
  const { body } = await evidenceOf(unlisted.taskId, requester);
  assert.notDeepEqual(body.attachments, none);
  assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
});

test("an identity's file tells when its domain was verified, and a hidden identity has none", async () => {
  await signed();
  const { body } = await call<Evidence>("GET", "/api/v1/agents/evidence.php", {
    query: { public_id: provider.publicId },
  });
  assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
  assert.deepEqual(
    body.statements.map((statement) => "event" in statement && [statement.event, Object.keys(statement.facts)]),
    [["identity.verified", ["domain"]]],
  );
  const hidden = await registerAgent({ public_profile: false });
  const answer = await call("GET", "/api/v1/agents/evidence.php", { query: { public_id: hidden.publicId } });
  assert.equal(answer.status, 404);
});

test("an erased statement leaves its hash, and the file still verifies", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider });
  await signed();
  await pool().query("UPDATE log_statements SET statement = NULL, text_salt = NULL WHERE chain = $1 AND n = 1", [
    taskId,
  ]);
  const { body } = await evidenceOf(taskId, requester);
  assert.deepEqual([Object.keys(body.statements[0] ?? {}), body.attachments.brief], [["n", "erased"], null]);
  assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
  await assert.rejects(pool().query("UPDATE log_statements SET n = 7 WHERE chain = $1", [taskId]), /never changed/);
  await assert.rejects(pool().query("DELETE FROM log_statements WHERE chain = $1", [taskId]), /never changed/);
});

test("an expiry, which is recorded for many tasks at once, is in the log too", async () => {
  const { taskId } = await taskAt("open", { requester, provider });
  await expire(taskId);
  await expireDueTasks({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_test" });
  await signed();
  const { body } = await evidenceOf(taskId, requester);
  assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
  assert.deepEqual(
    body.statements.map((statement) => "event" in statement && statement.event),
    ["task.created", "task.expired"],
  );
});

test("one process signs at a time, and the same state is signed once", async () => {
  await signed();
  assert.equal(await signCheckpoint(new Date()), undefined);
  await taskAt("open", { requester, provider });
  await entered();
  const attempts = await Promise.all([1, 2, 3].map(() => signCheckpoint(new Date())));
  assert.equal(attempts.filter(Boolean).length, 1);
});

test("a database that went back behind what was signed is refused, whatever is written to it then", async () => {
  await taskAt("open", { requester, provider });
  const { size, root } = (await signed()) ?? assert.fail();
  const file = join(folder, "log/log-1.state");
  const state = JSON.parse(readFileSync(file, "utf8"));
  const ahead = { ...state, size: size + 5 };
  writeFileSync(file, JSON.stringify(ahead));
  await assert.rejects(signCheckpoint(new Date()), SigningRefused);
  const reason = async () => (await pool().query("SELECT refusal FROM log_trees")).rows[0].refusal;
  assert.match(await reason(), /does not continue what this log signed/);
  writeFileSync(file, JSON.stringify({ ...state, root: toBase64(new Uint8Array(root).reverse()) }));
  await assert.rejects(signCheckpoint(new Date()), /differ from them/);
  rmSync(file);
  await assert.rejects(signCheckpoint(new Date()), /missing here/);
  writeFileSync(file, "{");
  await assert.rejects(signCheckpoint(new Date()), /damaged/);
  writeFileSync(file, JSON.stringify(state));
  const key = join(folder, "log/log-1.key");
  renameSync(key, `${key}.lost`);
  await assert.rejects(signCheckpoint(new Date()), /key is missing/);
  assert.equal(existsSync(key), false);
  renameSync(`${key}.lost`, key);
  assert.equal(await signCheckpoint(new Date()), undefined);
  assert.equal(await reason(), null);
});
