import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname, "../..");

test("a Node that cannot read TypeScript is told which one is needed", () => {
  const args = ["--no-experimental-strip-types", "start.mjs"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^Guildhall needs Node 22\.18 or newer, and this is v[\d.]+\. [^\n]*\n$/);
});

test("a bad environment is refused at once, naming the variable and the mend", () => {
  const env = { ...process.env, PORT: "eighty" };
  const { status, stderr } = spawnSync(process.execPath, ["start.mjs"], { cwd: ROOT, env, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /Guildhall cannot start\. .*\n {2}- PORT must be a whole number\.\n$/);
});
