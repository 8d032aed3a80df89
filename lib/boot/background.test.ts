import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { JOBS } from "./background.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const ENQUEUED = /add_job\('([\w-]+)'|\benqueue\(tx, \{ name: "([\w-]+)"|SELECT '([\w-]+)', json_build_object/g;

test("every job that is enqueued anywhere has its code, and no two jobs have the same name", () => {
  const names = new Set(JOBS.map(({ name }) => name));
  assert.equal(names.size, JOBS.length);
  const enqueued = globSync("lib/**/*.ts", { cwd: ROOT })
    .filter((file) => !file.includes(".itest."))
    .flatMap((file) => [...readFileSync(join(ROOT, file), "utf8").matchAll(ENQUEUED)])
    .flatMap(([, ...found]) => found.filter(Boolean));
  assert.ok(enqueued.length >= JOBS.filter(({ schedule }) => !schedule).length);
  assert.deepEqual(
    [...new Set(enqueued)].filter((name) => !names.has(name as string)),
    [],
  );
});
