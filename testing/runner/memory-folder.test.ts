import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newFolder } from "#testing/folder.ts";
import { openMemoryFolder } from "./memory-folder.ts";

test("a run has an empty folder in memory where there is room, and none elsewhere", () => {
  const memory = newFolder();
  const folder = openMemoryFolder("/a/checkout", memory, 1e12) ?? "";
  assert.ok(existsSync(folder));
  writeFileSync(join(folder, "left"), "by a run that was killed");
  assert.equal(openMemoryFolder("/a/checkout", memory, 1e12), folder);
  assert.deepEqual(readdirSync(folder), []);
  assert.notEqual(openMemoryFolder("/another/checkout", memory, 1e12), folder);
  assert.equal(openMemoryFolder("/a/checkout", memory, 1e9), undefined);
  assert.equal(openMemoryFolder("/a/checkout", join(memory, "missing"), 1e12), undefined);
});
