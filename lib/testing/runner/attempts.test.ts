import assert from "node:assert/strict";
import { test } from "node:test";
import { type FileResult, MOST_REPEATED, withSecondAttempt } from "./attempts.ts";

const failed = (test?: string) => ({ test, report: `${test ?? "a hook"} failed\n` });
const FINE: FileResult = { file: "fine", passed: ["a", "b"], failed: [] };

/** Runs these files, whose attempts come out as given. */
async function run(first: FileResult[], second: FileResult[] = []) {
  const asked: (readonly string[])[] = [];
  const files = first.flatMap(({ file }) => file ?? []);
  const result = await withSecondAttempt(files, async (some, again) => {
    asked.push(some);
    return again ? second : first;
  });
  return { ...result, repeated: asked[1] ?? [] };
}

test("without failures nothing is repeated", async () => {
  const { passed, failed, late, repeated } = await run([FINE]);
  assert.deepEqual({ passed, failed, late, repeated }, { passed: 2, failed: 0, late: [], repeated: [] });
});

test("what passes at the second attempt counts as passed, and is named with its first failure", async () => {
  const moody = { file: "moody", passed: ["c"], failed: [failed("d"), failed()] };
  const result = await run([FINE, moody], [{ file: "moody", passed: ["c", "d"], failed: [] }]);
  assert.deepEqual([result.passed, result.failed, result.repeated], [4, 0, ["moody"]]);
  assert.deepEqual(result.late, ["moody: d", "moody: all of it"]);
  assert.match(result.output, /d failed\na hook failed/);
});

test("what fails at both attempts has failed", async () => {
  const broken = { file: "broken", passed: ["c"], failed: [failed("d")] };
  const result = await run([FINE, broken], [broken]);
  assert.deepEqual([result.passed, result.failed, result.late], [3, 1, []]);
  assert.match(result.output, /The second attempt of broken failed as well:\nd failed/);
});

test("another test of the file that fails at the second attempt leaves the file failed", async () => {
  const first = { file: "broken", passed: ["c"], failed: [failed("d")] };
  const result = await run([first], [{ file: "broken", passed: ["d"], failed: [failed("c")] }]);
  assert.deepEqual([result.failed, result.late], [1, []]);
});

test("a second attempt without the test that failed, without any test, or without an answer does not count", async () => {
  const broken = { file: "broken", passed: [], failed: [failed("d")] };
  const unloaded = { file: "unloaded", passed: [], failed: [failed()] };
  const none = (file: string) => ({ file, passed: [], failed: [] });
  const second = [{ file: "broken", passed: ["other"], failed: [] }, none("unloaded")];
  for (const answers of [second, []]) {
    const result = await run([broken, unloaded], answers);
    assert.deepEqual([result.passed, result.failed, result.late], [0, 2, []]);
  }
});

test("a failure that belongs to no file is not repeated, and one during the second attempts counts", async () => {
  const stray = { file: undefined, passed: [], failed: [failed()] };
  const alone = await run([FINE, stray]);
  assert.deepEqual([alone.passed, alone.failed, alone.repeated], [2, 1, []]);
  const moody = { file: "moody", passed: [], failed: [failed("d")] };
  const again = await run([moody], [{ file: "moody", passed: ["d"], failed: [] }, stray]);
  assert.equal(again.failed, 1);
});

test("if more files fail than a busy machine explains, none is repeated", async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ file: `file ${at}`, passed: [], failed: [failed("d")] }));
  assert.equal((await run(many(MOST_REPEATED))).repeated.length, MOST_REPEATED);
  const result = await run(many(MOST_REPEATED + 1));
  assert.deepEqual([result.repeated.length, result.failed], [0, MOST_REPEATED + 1]);
});
