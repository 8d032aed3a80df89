import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { FileResult } from "./results.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Runs these files in one process. FOLDER in their texts is where they are. */
async function runTogether(texts: Record<string, string>, { again = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-together-"));
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, `${name}.test.mjs`);
    writeFileSync(file, `import { after, before, test } from "node:test";\n${text.replaceAll("FOLDER", folder)}`);
    return relative(ROOT, file);
  });
  // In a process of its own: Node's test runner cannot run tests in the middle of tests.
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  try {
    const program = join(folder, "run.mjs");
    writeFileSync(program, RUN);
    const args = [program, import.meta.dirname, JSON.stringify({ files, again })];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...env, PATH: "" } });
    const results = JSON.parse(stdout) as FileResult[];
    return {
      passed: results.reduce((sum, each) => sum + each.passed, 0),
      failed: results.reduce((sum, each) => sum + each.failed.length, 0),
      notRun: results.flatMap(({ notRun }) => notRun),
      flaky: results.flatMap(({ file, flaky }) => (flaky.length > 0 ? [file] : [])),
      output: results.flatMap((each) => [...each.failed, ...each.flaky]).join("\n"),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const RUN = `
const [folder, text] = process.argv.slice(2);
const { files, again } = JSON.parse(text);
const { withSecondAttempt } = await import(folder + "/results.ts");
const { nodeTests } = await import(folder + "/node-tests.ts");
const first = await nodeTests(files, 1);
console.log(JSON.stringify(again ? await withSecondAttempt(first, (file) => nodeTests([file], 1)) : first));
`;

const FINE = `test("fine", () => {});`;

test("every way in which a file can fail counts, and does not stop the files that share its process", async () => {
  const { passed, failed, output } = await runTogether({
    a: FINE,
    assertion: `test("wrong", () => { throw new Error("is wrong"); });`,
    load: `throw new Error("does not load");`,
    setUp: `before(() => { throw new Error("does not start"); });\n${FINE}`,
    tearDown: `after(() => { throw new Error("does not stop"); });\n${FINE}`,
    later: `test("late", () => { setTimeout(() => { throw new Error("comes late"); }, 1); });`,
    skipped: `test("left out", { skip: "needs time" }, () => {});`,
    z: FINE,
  });
  const reasons = ["is wrong", "does not load", "does not start", "was cancelled", "does not stop", "comes late"];
  for (const reason of [...reasons, "left out"]) assert.match(output, new RegExp(reason));
  assert.deepEqual([passed, failed], [4, reasons.length + 1], output);
});

test("a test whose program is not installed is named with what it needs", async () => {
  const { passed, failed, notRun, output } = await runTogether({
    a: `import { missing } from "${ROOT}/testing/missing-program.ts";
test("the rules are valid", { skip: missing("promtool") }, () => {});`,
  });
  assert.deepEqual([passed, failed, output], [0, 0, ""]);
  assert.deepEqual(notRun, ["the rules are valid (needs promtool, Debian package prometheus)"]);
});

test("variables and what the service keeps for its process do not pass from one file to the next", async () => {
  const leaves = `process.env.LEFT_BEHIND = "0";
test("leaves", () => { process.env.LEFT_BEHIND = "1"; globalThis.guildhallCache = new Map(); });`;
  const finds = `test("finds", () => { if (process.env.LEFT_BEHIND || globalThis.guildhallCache) throw new Error(); });`;
  const { passed, failed, output } = await runTogether({ a: leaves, b: finds });
  assert.deepEqual([passed, failed], [2, 0], output);
});

/** A test that fails until it has run once. */
const FAILS_ONCE = `
import { existsSync, writeFileSync } from "node:fs";
test("depends on the moment", () => {
  const isFirst = !existsSync("FOLDER/ran");
  writeFileSync("FOLDER/ran", "");
  if (isFirst) throw new Error("too slow");
});`;

test("a file that fails only once is flaky, and its first failure is kept", async () => {
  const { passed, failed, flaky, output } = await runTogether({ a: FINE, b: FINE + FAILS_ONCE }, { again: true });
  assert.deepEqual([passed, failed, flaky.map((file) => file?.replace(/.*\//, ""))], [3, 0, ["b.test.mjs"]], output);
  assert.match(output, /too slow/);
});

test("a process that ends too early fails the file that it had begun, and another runs the files that are left", async () => {
  const dies = `test("dies", () => process.exit(7));`;
  const { passed, failed, flaky, output } = await runTogether({ a: FINE, b: dies, c: FINE });
  assert.deepEqual([passed, failed, flaky], [2, 1, []], output);
  assert.ok(!/[ac]\.test\.mjs/.test(output), output);
});

test("an error that comes when no test runs any more is never repeated away", async () => {
  const strays = `${FAILS_ONCE.replace("throw", "setTimeout(() => { throw").replace(/;\n}\);$/, "; }, 1);\n});")}`;
  const { failed, flaky, output } = await runTogether({ a: strays }, { again: true });
  assert.deepEqual([failed, flaky], [1, []], output);
  assert.match(output, /too slow/);
});

test("an error in something that was made long ago fails the run, although it belongs to no test any more", async () => {
  const { failed, output } = await runTogether({
    old: `import { AsyncResource } from "node:async_hooks";
test("makes much", async () => {
  const old = new AsyncResource("OLD");
  for (let made = 0; made < 150_000; made += 1) await null;
  const thrown = new Promise((done) => old.runInAsyncScope(() => setImmediate(() => { done(); throw new Error("from long ago"); })));
  await thrown;
});`,
  });
  assert.ok(failed > 0, output);
  assert.match(output, /from long ago/);
});
