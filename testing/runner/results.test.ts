import assert from "node:assert/strict";
import { test } from "node:test";
import { type FileResult, MOST_FLAKY, MOST_REPEATED, Run, result, withSecondAttempt } from "./results.ts";

const FINE = result({ file: "fine", passed: 2 });
const MOODY = result({ file: "moody", passed: 1, failed: ["d failed"] });

/** Runs a stage whose files come out as given at the first and at the second attempt. */
async function run(first: FileResult[], second: FileResult[] = []) {
  const repeated: string[] = [];
  const lines: string[] = [];
  const all = new Run((line) => lines.push(line));
  await all.stage("Stage", () =>
    withSecondAttempt(first, async (file) => {
      repeated.push(file);
      return second;
    }),
  );
  const isFailed = all.close();
  return { repeated, isFailed, text: lines.join("\n"), last: lines.at(-1) };
}

test("without failures nothing is repeated", async () => {
  const { repeated, isFailed, last, text } = await run([FINE]);
  assert.deepEqual([repeated, isFailed, last], [[], false, "2 passed, 0 failed"]);
  assert.doesNotMatch(text, /flaky|not run/);
});

test("a file that passes at the second attempt is named as flaky, with its first failure", async () => {
  const { repeated, isFailed, last, text } = await run([FINE, MOODY], [result({ file: "moody", passed: 2 })]);
  assert.deepEqual([repeated, isFailed, last], [["moody"], false, "4 passed, 0 failed"]);
  assert.match(text, /^1 flaky: .*\nflaky: moody\nd failed$/m);
});

test("more flaky files than two fail the run", async () => {
  const moody = (count: number) => Array.from({ length: count }, (_, at) => ({ ...MOODY, file: `file ${at}` }));
  const second = [result({ passed: 2 })];
  assert.deepEqual((await run(moody(MOST_FLAKY), second)).last, "4 passed, 0 failed");
  const { isFailed, last, text } = await run(moody(MOST_FLAKY + 1), second);
  assert.deepEqual([isFailed, last], [true, "6 passed, 1 failed"]);
  assert.match(text, /^3 flaky/m);
});

test("a second attempt that fails, that has fewer tests, or with an error outside tests leaves the file failed", async () => {
  for (const second of [
    [result({ file: "moody", passed: 1, failed: ["c failed"] })],
    [result({ file: "moody", passed: 1 })],
    [],
    [result({ file: "moody", passed: 2 }), result({ failed: ["stray"] })],
  ]) {
    const { isFailed, text, last } = await run([FINE, { ...MOODY, failed: ["d failed\n"] }], second);
    assert.deepEqual([isFailed, last], [true, "3 passed, 1 failed"]);
    assert.match(text, /d failed\nThe second attempt of moody failed too/);
    assert.doesNotMatch(text, /flaky/);
  }
});

test("a failure that belongs to no file is not repeated, nor are more files than a busy machine explains", async () => {
  const stray = await run([FINE, result({ failed: ["stray"] })]);
  assert.deepEqual([stray.repeated, stray.last], [[], "2 passed, 1 failed"]);
  const many = Array.from({ length: MOST_REPEATED + 1 }, () => MOODY);
  assert.deepEqual((await run(many)).repeated, []);
});

test("a test whose program is missing is named, and counts neither as passed nor as failed", async () => {
  const notRun = ["the rules are valid (needs promtool, Debian package prometheus)"];
  const { isFailed, last, text } = await run([result({ file: "a", passed: 1, notRun })]);
  assert.deepEqual([isFailed, last], [false, "1 passed, 0 failed"]);
  assert.match(text, /^not run: the rules are valid \(needs promtool, Debian package prometheus\)$/m);
});

test("a stage that throws has failed", async () => {
  const lines: string[] = [];
  const all = new Run((line) => lines.push(line));
  assert.equal(await all.stage("Stage", () => Promise.reject(new Error("no server"))), false);
  assert.equal(all.close(), true);
  assert.match(lines.join("\n"), /no server/);
});
