import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { newFolder } from "#testing/folder.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const UNABLE = "--no-experimental-strip-types";

test("a Node that cannot read TypeScript hands over to the one that came with the packages", () => {
  const env = { ...process.env, PORT: "eighty" };
  const { status, stderr } = spawnSync(process.execPath, [UNABLE, "start.mjs"], { cwd: ROOT, env, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^\nGuildhall cannot start\. .*\n {2}- PORT must be a whole number\.\n$/);
});

test("without a Node that can read TypeScript, the start says which one is needed", () => {
  const alone = newFolder();
  copyFileSync(join(ROOT, "start.mjs"), join(alone, "start.mjs"));
  const { status, stderr } = spawnSync(process.execPath, [UNABLE, "start.mjs"], { cwd: alone, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^Guildhall needs Node 22\.18 or newer, and this is v[\d.]+\. [^\n]*\n$/);
});

test("an invalid configuration is refused at once, naming the variable and the fix", () => {
  const env = { ...process.env, PORT: "eighty" };
  const { status, stderr } = spawnSync(process.execPath, ["start.mjs"], { cwd: ROOT, env, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /Guildhall cannot start\. .*\n {2}- PORT must be a whole number\.\n$/);
});
