import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { MARKING_FLAGS } from "./marking.ts";

// At run time, V8 passes over a flag that it doesn't know; on the command line it refuses it.
test("this version of Node knows the flags", () => {
  assert.equal(
    execFileSync(process.execPath, [...MARKING_FLAGS, "--print", "'known'"], { encoding: "utf8" }),
    "known\n",
  );
  assert.throws(() => execFileSync(process.execPath, ["--no-such-flag", "--print", "1"], { stdio: "ignore" }));
});
