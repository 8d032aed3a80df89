import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Durations } from "./progress.ts";
import type { Result } from "./stages.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** Runs these files in one process, and those that fail once more if `again`. FOLDER in their texts is where they are. */
async function runTogether(texts: Record<string, string>, { again = false, expected = {} as Durations } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-together-"));
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, `${name}.test.mjs`);
    writeFileSync(file, `import { after, before, test } from "node:test";\n${text.replaceAll("FOLDER", folder)}`);
    return relative(ROOT, file);
  });
  const expectedMs = Object.fromEntries(files.map((file) => [file, expected[basename(file, ".test.mjs")] ?? 0]));
  // In a process of its own: Node's test runner cannot run tests in the middle of tests.
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  try {
    const program = join(folder, "run.mjs");
    writeFileSync(program, RUN);
    const args = [program, import.meta.dirname, JSON.stringify({ files, expectedMs, again })];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return JSON.parse(stdout) as Result & { all: boolean };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const RUN = `
const [folder, text] = process.argv.slice(2);
const { files, expectedMs, again } = JSON.parse(text);
const { withSecondAttempt } = await import(folder + "/attempts.ts");
const { nodeTests } = await import(folder + "/node-tests.ts");
const { Estimate } = await import(folder + "/progress.ts");
const ended = [];
const options = { workers: 1, estimate: new Estimate(expectedMs), onFile: (file) => ended.push(file) };
const result = await withSecondAttempt(files, async (some, alone) =>
  alone && !again ? [] : nodeTests(some, options, { alone }));
console.log(JSON.stringify({ ...result, all: files.every((file) => ended.includes(file)) }));
`;

test("every way in which a file can fail counts, and does not stop the files that share its process", async () => {
  const fine = `test("fine", () => {});`;
  const { passed, failed, all, output } = await runTogether({
    a: fine,
    assertion: `test("wrong", () => { throw new Error("is wrong"); });`,
    load: `throw new Error("does not load");`,
    setUp: `before(() => { throw new Error("does not start"); });\n${fine}`,
    tearDown: `after(() => { throw new Error("does not stop"); });\n${fine}`,
    later: `test("late", () => { setTimeout(() => { throw new Error("comes late"); }, 1); });`,
    skipped: `test.skip("left out", () => {});`,
    z: fine,
  });
  assert.deepEqual([passed, all], [4, true], output);
  const reasons = ["is wrong", "does not load", "does not start", "was cancelled", "does not stop", "comes late"];
  for (const reason of [...reasons, "left out"]) assert.match(output, new RegExp(reason));
  assert.equal(failed, reasons.length + 1, output);
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

test("a file that fails only once passes and is named; its first failure is printed", async () => {
  const fine = `test("fine", () => {});`;
  const { passed, failed, late, output } = await runTogether({ a: fine, b: fine + FAILS_ONCE }, { again: true });
  assert.deepEqual([passed, failed], [3, 0], output);
  assert.deepEqual(
    late.map((name) => name.replace(/.*\//, "")),
    ["b.test.mjs: depends on the moment"],
  );
  assert.match(output, /too slow/);
});

test("a process that ends too early fails the file that it had begun, and another runs the files that are left", async () => {
  const dies = `test("dies", () => process.exit(7));`;
  const fine = `test("fine", () => {});`;
  const { passed, failed, late, output } = await runTogether({ a: fine, b: dies, c: fine }, { again: true });
  assert.deepEqual([passed, failed, late], [2, 1, []], output);
  assert.ok(!/[ac]\.test\.mjs/.test(output), output);
});

test("the longest file comes first, and a process takes file after file", async () => {
  const says = `test("says", () => { console.error(process.pid); throw new Error("says so"); });`;
  const { output } = await runTogether({ a: says, long: says, z: says }, { expected: { long: 60_000 } });
  const order = [...output.matchAll(/^ {2}\S*?(\w+)\.test\.mjs:/gm)].map(([, name]) => name);
  assert.deepEqual(order, ["long", "a", "z"]);
  const pids = (/(?:^\d+\n)+$/m.exec(output.slice(output.lastIndexOf("so far:\n") + 8))?.[0] ?? "").trim().split("\n");
  assert.deepEqual([pids.length, new Set(pids).size], [3, 1], output);
});

test("an error that comes when no test runs any more is never repeated away", async () => {
  const strays = `${FAILS_ONCE.replace("throw", "setTimeout(() => { throw").replace(/;\n}\);$/, "; }, 1);\n});")}`;
  const { failed, late, output } = await runTogether({ a: strays }, { again: true });
  assert.deepEqual([failed, late], [1, []], output);
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
