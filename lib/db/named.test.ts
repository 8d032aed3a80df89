import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { numbered } from "./named.ts";

test("names become numbers by their place in the list, and casts stay", () => {
  assert.equal(
    numbered(["id", "at"], `SELECT :at::timestamptz, :id, a::text, '{"a":"b"}'::jsonb WHERE id = :id`),
    `SELECT $2::timestamptz, $1, a::text, '{"a":"b"}'::jsonb WHERE id = $1`,
  );
});

test("a text whose names differ from its values cannot be declared", () => {
  assert.throws(() => numbered(["id"], "SELECT :id, :other"), /uses :other, but has no value of that name/);
  assert.throws(() => numbered(["id", "spare"], "SELECT :id"), /does not use its values spare/);
});

test("no statement counts its values beyond eight", () => {
  const root = resolve(import.meta.dirname, "../..");
  const files = globSync("lib/**/*.ts", { cwd: root }).filter((file) => !/\.i?test\.ts$|\/generated\//.test(file));
  assert.ok(files.length > 200);
  assert.deepEqual(
    files.filter((file) => /\$(?:9|[1-9]\d)\b/.test(readFileSync(join(root, file), "utf8"))),
    [],
  );
});
