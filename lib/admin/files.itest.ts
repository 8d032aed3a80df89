import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { copyContents } from "#lib/boot/backup/file-contents.ts";
import { pool, prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { sweepFiles } from "#lib/tasks/files/sweep.ts";
import { admin, reason, recordOf } from "#testing/administrator.ts";
import { forFile, startTestService } from "#testing/client.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { get, put, stored } from "#testing/files.ts";
import { callAsOwner, signedInOwner } from "#testing/owner.ts";
import { postTask, taskAt } from "#testing/workflow.ts";
import { checkDatabase } from "./check/check.ts";
import { removeTaskFile } from "./files.ts";
import { upholdReport } from "./moderation.ts";
import { readWholeTask } from "./page-reads/tasks.ts";

let requester: TestAgent;
let provider: TestAgent;
let url: string;
forFile(async () => {
  const service = await startTestService();
  url = service.url;
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  return service;
});

let count = 0;
async function fileOf(taskId?: string) {
  count += 1;
  const id = taskId ?? (await postTask(requester)).task_id;
  return { taskId: id, ...(await put(requester, { taskId: id, bytes: `File ${count}.` })).file };
}
const placeOf = (sha256: string) => join(env().filesDir, sha256.slice(7, 9), sha256.slice(7));

test("an administrator removes a file's bytes with a reason, which is recorded, whatever the state of its task", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider });
  const file = await fileOf(taskId);
  const onPage = async () => (await readWholeTask(admin, taskId))?.files.map(({ name, state }) => [name, state]);
  assert.deepEqual(await onPage(), [[file.name, "kept"]]);
  for (const _ of [1, 2]) {
    const removed = await removeTaskFile(admin, { fileId: file.file_id, reason: "It is stolen." });
    assert.deepEqual(removed, { file_id: file.file_id, task_id: taskId, sha256: file.sha256, state: "removed" });
  }
  assert.deepEqual(await onPage(), [[file.name, "removed"]]);
  assert.equal((await get(requester, file.file_id)).status, 410);
  assert.ok(!stored().contents.includes(file.sha256));
  const [entry, ...more] = await recordOf(file.file_id);
  assert.deepEqual([entry?.action, entry?.reason, more.length], ["remove_file", "It is stolen.", 0]);
});

test("upholding a report on a task removes its files, and dismissing one leaves them", async () => {
  const owner = await signedInOwner();
  for (const decide of ["uphold", "dismiss"] as const) {
    const file = await fileOf();
    const { body } = await callAsOwner<{ report_id: string }>(owner, "POST", "/api/v1/owners/report.php", {
      subject: file.taskId,
      reason: "It is stolen.",
    });
    const { dismissReport } = await import("./moderation.ts");
    await (decide === "uphold" ? upholdReport : dismissReport)(admin, { reportId: body.report_id, reason });
    assert.equal((await get(requester, file.file_id)).status, decide === "uphold" ? 410 : 200);
  }
});

test("check reports every kept file whose bytes are missing or short, and with deep whose hash is another", async () => {
  const [missing, short, changed] = [await fileOf(), await fileOf(), await fileOf()];
  const found = async (deep: boolean) => {
    const { checks } = await checkDatabase(url, { deep });
    return checks.find(({ check }) => check.startsWith("files"));
  };
  assert.deepEqual([(await found(true))?.ok, (await found(true))?.problems], [true, []]);
  rmSync(placeOf(missing.sha256));
  truncateSync(placeOf(short.sha256), 3);
  writeFileSync(placeOf(changed.sha256), "x".repeat(changed.size));
  const idsIn = (problems: string[] = []) => problems.map((problem) => problem.split(" ")[0]).sort();
  assert.deepEqual(idsIn((await found(false))?.problems), [missing.file_id, short.file_id].sort());
  assert.deepEqual(idsIn((await found(true))?.problems), [missing.file_id, short.file_id, changed.file_id].sort());
  assert.equal((await get(requester, missing.file_id)).status, 500);
  for (const { file_id } of [missing, short, changed]) await removeTaskFile(admin, { fileId: file_id, reason });
});

test("an owner's export lists its agents' files, and its deletion removes those of ended tasks", async () => {
  const owner = await signedInOwner();
  await prisma().identity.update({ where: { id: requester.publicId }, data: { ownerId: owner.ownerId } });
  const running = await fileOf();
  const ended = await taskAt("claimed", { requester, provider });
  const old = await fileOf(ended.taskId);
  await pool().query("UPDATE tasks SET state = 'cancelled' WHERE id = $1", [ended.taskId]);
  const { body } = await callAsOwner<{ identities: { files: { file_id: string }[] }[] }>(
    owner,
    "GET",
    "/api/v1/owners/export.php",
  );
  const listed = body.identities[0]?.files.map(({ file_id }) => file_id) ?? [];
  assert.ok(listed.includes(running.file_id) && listed.includes(old.file_id));
  await callAsOwner(owner, "POST", "/api/v1/owners/delete.php", { confirm: owner.email });
  await sweepFiles({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_test" });
  assert.deepEqual(
    [(await get(requester, running.file_id)).status, (await get(requester, old.file_id)).status],
    [200, 410],
  );
  assert.ok(!stored().contents.includes(old.sha256));
});

test("a backup's copy of the contents is whole, takes no upload under way, and can be repeated", async () => {
  await fileOf();
  const draft = join(env().filesDir, "drafts", "under-way");
  writeFileSync(draft, "half");
  const copy = mkdtempSync(join(tmpdir(), "guildhall-copy-"));
  try {
    for (const _ of [1, 2]) assert.equal(await copyContents(env().filesDir, copy), stored().contents.length);
    assert.deepEqual(stored(copy), { ...stored(), drafts: 0 });
    assert.equal(await copyContents(join(copy, "none"), copy), undefined);
  } finally {
    rmSync(copy, { recursive: true });
    rmSync(draft);
  }
});
