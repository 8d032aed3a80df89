import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newFolder } from "#testing/folder.ts";
import { keepOthersFromWriting } from "./umask.ts";

test("nobody else can write in what the service creates, and a stricter mask stays", (t) => {
  const before = process.umask();
  const folder = newFolder();
  t.after(() => process.umask(before));
  for (const [given, mode] of [
    [0o000, 0o755],
    [0o002, 0o755],
    [0o077, 0o700],
  ] as const) {
    process.umask(given);
    keepOthersFromWriting();
    const made = join(folder, given.toString(8));
    mkdirSync(made, { recursive: true });
    assert.equal(statSync(made).mode & 0o777, mode, given.toString(8));
  }
});
