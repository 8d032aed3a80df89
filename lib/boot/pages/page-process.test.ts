import assert from "node:assert/strict";
import { test } from "node:test";
import { flagsOfPages } from "./page-process.ts";

const MIB = 2 ** 20;

test("the heap of the process for pages has a bound, unless the operator or a small machine sets another", () => {
  const flags = ["--import=x"];
  assert.deepEqual(flagsOfPages(flags, undefined, 4096 * MIB), ["--import=x", "--max-old-space-size=512"]);
  assert.deepEqual(flagsOfPages(flags, "--trace-warnings", 256 * MIB), ["--import=x", "--max-old-space-size=256"]);
  assert.deepEqual(flagsOfPages(["--max-old-space-size=900"], undefined, 900 * MIB), ["--max-old-space-size=900"]);
  assert.deepEqual(flagsOfPages(flags, "--max_old_space_size=900", 900 * MIB), ["--import=x"]);
});
