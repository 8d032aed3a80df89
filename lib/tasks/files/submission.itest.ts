import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { canonicalJson, sha256 } from "#lib/kernel/canonical-json.ts";
import type { Evidence } from "#lib/record/evidence/schema.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { testService } from "#testing/client.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { put, sha256Of } from "#testing/files.ts";
import { did, perform, taskAt, type Work } from "#testing/workflow.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
});

const RESULT = "The words are counted.";
const named = (name: string, bytes: string) => ({ name, size: Buffer.byteLength(bytes), sha256: sha256Of(bytes) });
const fileOf = async (work: Work, name: string, bytes = name, type = "text/plain") => {
  const headers = { "Content-Type": type };
  return (await put(provider, { taskId: work.taskId, purpose: "result", name, bytes, headers })).file.file_id;
};
async function atWork(criteria: unknown[] = [], inputs: Record<string, string> = {}): Promise<Work> {
  const work = await taskAt("claimed", { requester, provider }, { amountPence: 0 });
  for (const [name, bytes] of Object.entries(inputs)) await put(requester, { taskId: work.taskId, name, bytes });
  await did(requester, "propose", work, { acceptance_criteria: criteria });
  await did(requester, "accept", work);
  await did(provider, "accept", work);
  await did(provider, "start", work);
  return work;
}
const evidenceOf = async (work: Work, agent?: TestAgent) =>
  (await callAs<Evidence>(agent ?? requester, "GET", "/api/v1/jobs/evidence.php", { task_id: work.taskId })).body;

test("terms freeze the files that the requester has uploaded, and terms without files have the form they always had", async () => {
  const show = async (work: Work) =>
    (
      await callAs<{ contract: { terms: Record<string, unknown>; terms_canonical: string; terms_hash: string } }>(
        provider,
        "GET",
        "/api/v1/contracts/show.php",
        { contract_id: work.contractId },
      )
    ).body.contract;
  const { terms, terms_canonical: canonical, terms_hash: hash } = await show(await atWork([], { b: "B", a: "A" }));
  assert.deepEqual(terms.input_files, [named("b", "B"), named("a", "A")]);
  assert.deepEqual([canonicalJson(terms), sha256(canonical)], [canonical, hash]);
  assert.ok(!("input_files" in (await show(await atWork())).terms));
});

test("a submission names its files, which the evidence hash and the log's statement cover", async () => {
  const work = await atWork();
  const [second, first] = [await fileOf(work, "b.txt"), await fileOf(work, "a.txt")];
  const { task } = await did(provider, "submit", work, { result: RESULT, files: [second, first] });
  const files = [named("a.txt", "a.txt"), named("b.txt", "b.txt")];
  assert.deepEqual(task?.result_files, files);
  assert.equal(task?.evidence_hash, sha256(canonicalJson({ files, result_hash: sha256(RESULT) })));
  const evidence = await evidenceOf(work);
  const statement = evidence.statements.find((each) => "event" in each && each.event === "task.submitted");
  const facts = statement && "facts" in statement ? statement.facts : {};
  const text = canonicalJson(files);
  assert.equal(facts.files_hash, sha256(canonicalJson({ salt: evidence.attachments.result?.salt, text })));

  // Its own hash stays as the provider gave it, and the next submission has its own files.
  await did(requester, "request_changes", work);
  const own = `sha256:${"1".repeat(64)}`;
  const again = await did(provider, "submit", work, { result: RESULT, files: [first], evidence_hash: own });
  assert.deepEqual([again.task?.evidence_hash, again.task?.result_files], [own, [files[0]]]);
  await did(requester, "request_changes", work);
  const last = await did(provider, "submit", work, { result: RESULT });
  assert.deepEqual([last.task?.evidence_hash, last.task?.result_files], [null, undefined]);
});

test("after a submission the same name is another file, and what was submitted stays", async () => {
  const work = await atWork();
  const first = await fileOf(work, "a.txt", "one");
  await did(provider, "submit", work, { files: [first] });
  await did(requester, "request_changes", work);
  const second = await fileOf(work, "a.txt", "two");
  const { error } = await perform(provider, "submit", work, { files: [first, second] });
  assert.deepEqual(error?.field_errors?.[0]?.path, "files.1");
  await did(provider, "submit", work, { files: [second] });
  const { body } = await callAs<{ files: { state: string }[] }>(requester, "GET", "/api/v1/jobs/files.php", {
    task_id: work.taskId,
  });
  assert.deepEqual(
    body.files.map(({ state }) => state),
    ["kept", "kept"],
  );
});

test("a full task takes the same files again after a submission, and no others", async () => {
  const work = await atWork();
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1) ids.push(await fileOf(work, `${index}`));
  await did(provider, "submit", work, { files: ids });
  await did(requester, "request_changes", work);
  assert.equal(await fileOf(work, "7"), ids[7]);
  for (const bytes of ["8", "other"]) {
    const given = { taskId: work.taskId, purpose: "result", name: "7", bytes };
    assert.equal((await put(provider, given)).error?.code, "quota_exceeded", bytes);
  }
  const { rows } = await pool().query("SELECT count(*)::int AS files FROM files WHERE task_id = $1", [work.taskId]);
  assert.equal(rows[0].files, 20);
});

test("only kept result files of the same task can be submitted", async () => {
  const [work, other] = [await atWork([], { brief: "B" }), await atWork()];
  const { body } = await callAs<{ files: { file_id: string }[] }>(requester, "GET", "/api/v1/jobs/files.php", {
    task_id: work.taskId,
  });
  const gone = await fileOf(work, "gone");
  await callAs(provider, "POST", "/api/v1/jobs/remove_file.php", { file_id: gone });
  const bad = [body.files[0]?.file_id, await fileOf(other, "a"), gone, "fil_2222222222222222222222"];
  for (const id of bad) {
    const { error } = await perform(provider, "submit", work, { files: [id] });
    assert.deepEqual([error?.code, error?.field_errors?.[0]?.path], ["invalid_input", "files.0"], id);
  }
});

const WORDS = JSON.stringify({ words: 3 });
const schema = { type: "object", required: ["words"] };
const CRITERIA: [criterion: object, passes: Record<string, string>, fails: Record<string, string>, reason: RegExp][] = [
  [{ kind: "file_present", name: "a", max_bytes: 3 }, { a: "abc" }, { a: "abcd" }, /4 bytes; at most 3/],
  [{ kind: "file_present", name: "a", max_bytes: 3 }, { a: "" }, { b: "abc" }, /no file of this name/],
  [
    { kind: "file_present", name: "a", max_bytes: 9, media_type: "text/csv" },
    {},
    { a: "a" },
    /declared as text\/plain/,
  ],
  [{ kind: "file_sha256", name: "a", value: sha256Of("A") }, { a: "A" }, { a: "B" }, /SHA-256 is sha256:df7e70e5/],
  [{ kind: "file_json_schema", name: "a", schema }, { a: WORDS }, { a: "{}" }, /words is required|must have/],
  [{ kind: "file_json_schema", name: "a", schema }, { a: WORDS }, { a: "no" }, /The file is not JSON/],
  [{ kind: "file_json_schema", name: "a", schema }, { a: WORDS }, { a: `"${"x".repeat(1_000_000)}"` }, /up to 1000000/],
  [
    { kind: "file_json_schema", name: "a", schema: { type: "string" } },
    { a: `"${"x".repeat(900_000)}"` },
    {},
    /no file/,
  ],
];

test("criteria about files are checked when they are submitted, and the evidence proves what can be computed again", async () => {
  for (const [criterion, passes, fails, reason] of CRITERIA) {
    const work = await atWork([criterion]);
    for (const files of [passes, fails]) {
      const ids = [];
      for (const [name, bytes] of Object.entries(files)) ids.push(await fileOf(work, name, bytes));
      if (ids.length === 0 && files === passes) continue;
      const { task } = await did(provider, "submit", work, ids.length > 0 ? { files: ids } : {});
      assert.equal(task?.criteria_passed, files === passes, JSON.stringify([criterion, Object.keys(files)]));
      if (files === fails) assert.match(task?.criteria_results?.[0]?.reason ?? "", reason);
      const report = await verifyEvidence(await evidenceOf(work));
      assert.deepEqual([report.verdict, report.problems], ["consistent", []], JSON.stringify(criterion));
      if (files === passes) await did(requester, "request_changes", work);
    }
  }
});

test("a bundle lists files for the parties, and a file on disk is compared with them", async () => {
  const work = await atWork([], { "brief.txt": "B" });
  await did(provider, "submit", work, { files: [await fileOf(work, "a.txt", "A")] });
  const evidence = await evidenceOf(work);
  const verified = (files: Record<string, string>, bundle: object = evidence) => verifyEvidence(bundle, { files });
  const right = await verified({ "brief.txt": sha256Of("B"), "a.txt": sha256Of("A") });
  assert.deepEqual(right.problems, []);
  assert.deepEqual(
    right.files.map(({ name, purpose, state }) => [name, purpose, state]),
    [
      ["brief.txt", "brief", "matches"],
      ["a.txt", "result", "matches"],
    ],
  );
  for (const files of [{ "a.txt": sha256Of("B") }, { "c.txt": sha256Of("A") }] as Record<string, string>[])
    assert.equal((await verified(files)).verdict, "broken");
  const listed = evidence.files ?? [];
  const changes: object[] = [
    { files: [] },
    { files: listed.slice(0, 1) },
    { files: listed.map((file) => ({ ...file, sha256: sha256Of("other") })) },
    { files: listed.map((file) => ({ ...file, name: "other" })) },
    { files: [...listed, listed[0] && { ...listed[0], name: "more" }] },
    { files: listed.map((file) => ({ ...file, n: 1 })) },
    { files: [{ name: "a" }] },
  ];
  for (const change of changes) {
    const { verdict } = await verified({}, { ...evidence, ...change });
    assert.equal(verdict, "broken", JSON.stringify(change));
  }
  const outsider = await evidenceOf(work, await verifiedAgent());
  assert.equal(outsider.files, undefined);
  assert.equal((await verifyEvidence(outsider)).verdict, "consistent");
});
