import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { buildPages, fingerprint, isBuilt } from "./build.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "guildhall-build-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Stands in for Next: leaves what a build leaves, and counts the builds. */
function fakeNext(source: string): void {
  write("package.json", "{}");
  write("node_modules/next/package.json", '{ "name": "next" }');
  write("node_modules/next/dist/bin/next", source);
  write("sdk/build.mjs", "");
}

const BUILD = `
  const fs = require("node:fs");
  fs.mkdirSync(".next", { recursive: true });
  fs.appendFileSync("builds", process.env.NODE_ENV + "\\n");
  fs.writeFileSync(".next/BUILD_ID", "x");`;

test("the fingerprint changes with every source of a page", () => {
  const sources = [
    "app/page.tsx",
    "components/a/b.tsx",
    "lib/tasks/read.ts",
    "prisma/schema/task.prisma",
    "public/icon.svg",
  ];
  const seen = new Set([fingerprint(root)]);
  for (const path of [...sources, "package-lock.json", "next.config.mjs", "proxy.ts"]) {
    write(path, "one");
    seen.add(fingerprint(root));
    write(path, "two");
    seen.add(fingerprint(root));
  }
  assert.equal(seen.size, 1 + 2 * (sources.length + 3));
});

test("the fingerprint ignores tests, generated files and unrelated files", () => {
  write("app/page.tsx", "page");
  const before = fingerprint(root);
  for (const path of [
    "app/page.test.ts",
    "lib/a.itest.ts",
    "lib/db/generated/client.ts",
    "testing/x.ts",
    "README.md",
  ]) {
    write(path, "other");
  }
  assert.equal(fingerprint(root), before);
});

test("pages are built only if there is no build or the sources have changed", async () => {
  fakeNext(BUILD);
  assert.equal(isBuilt(root), false);
  assert.equal(await buildPages(root).done, "built");
  assert.equal(isBuilt(root), true);
  assert.equal(await buildPages(root).done, "current");
  write("app/page.tsx", "changed");
  assert.equal(isBuilt(root), false);
  assert.equal(await buildPages(root).done, "built");
});

test("if several processes start at once, one builds and the others wait", async () => {
  fakeNext(BUILD);
  const outcomes = await Promise.all([buildPages(root).done, buildPages(root).done, buildPages(root).done]);
  assert.deepEqual(outcomes.sort(), ["built", "current", "current"]);
});

test("a failed build shows its output and does not count as a build", async () => {
  fakeNext(`${BUILD} console.error("Type error: no such thing"); process.exit(1);`);
  await assert.rejects(buildPages(root).done, /could not be built.*\n.*no such thing/);
  assert.equal(isBuilt(root), false);
});
