import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openStateFile } from "./state-file.ts";

const folder = mkdtempSync(join(tmpdir(), "guildhall-state-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const work = { result: "{}", evidence_hash: "sha256:0", submissions: 0 };

test("a change is still there after a restart, and no other file is left", () => {
  const file = join(folder, "new", "state.json");
  openStateFile(file).change((state) => {
    state.inbox_read_at = "2027-01-31T12:00:00.000Z";
    state.work.tsk_1 = work;
  });
  assert.deepEqual(openStateFile(file).read(), { inbox_read_at: "2027-01-31T12:00:00.000Z", work: { tsk_1: work } });
  assert.deepEqual(readdirSync(join(folder, "new")), ["state.json"]);
});

test("a draft that a crash left half written does not matter", () => {
  const file = join(folder, "crashed.json");
  openStateFile(file).change((state) => {
    state.work.tsk_1 = work;
  });
  writeFileSync(`${file}.new`, '{"inbox_read');
  assert.deepEqual(openStateFile(file).read().work, { tsk_1: work });
});

test("a file with other content is refused and not changed", () => {
  for (const [index, content] of ["", "not JSON", '{"name":"package"}', "null"].entries()) {
    const file = join(folder, `foreign-${index}.json`);
    writeFileSync(file, content);
    assert.throws(() => openStateFile(file), /does not hold this provider's state/);
    assert.equal(readFileSync(file, "utf8"), content);
  }
});

test("the oldest results are dropped when there are many", () => {
  const file = join(folder, "many.json");
  const state = openStateFile(file);
  state.change((all) => {
    for (let index = 0; index < 1_005; index++) all.work[`tsk_${index}`] = work;
  });
  const kept = Object.keys(state.read().work);
  assert.equal(kept.length, 1_000);
  assert.equal(kept[0], "tsk_5");
});
