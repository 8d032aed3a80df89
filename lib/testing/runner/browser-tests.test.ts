import assert from "node:assert/strict";
import { test } from "node:test";
import { type Report, resultsOf } from "./browser-tests.ts";

type Status = Report["suites"][number]["specs"][number]["tests"][number]["status"];

const spec = (title: string, status: Status, message?: string) => ({
  title,
  line: 3,
  tests: [{ projectName: "wide", status, results: [{ errors: message ? [{ message }] : [] }] }],
});

test("each file has its passed and failed tests, and what was skipped or flaky has failed", () => {
  const report: Report = {
    suites: [
      { title: "a.spec.ts", file: "a.spec.ts", specs: [spec("one", "expected")] },
      {
        title: "b.spec.ts",
        file: "b.spec.ts",
        specs: [spec("two", "unexpected", "\u001b[31mis wrong\u001b[39m"), spec("three", "flaky")],
        suites: [{ title: "inside", file: "b.spec.ts", specs: [spec("four", "skipped"), spec("five", "expected")] }],
      },
    ],
    errors: [],
  };
  const [a, b, ...others] = resultsOf(report, 1);
  assert.deepEqual(a, { file: "e2e/a.spec.ts", passed: ["[wide] one"], failed: [] });
  assert.deepEqual(b?.passed, ["[wide] inside › five"]);
  assert.deepEqual(
    b?.failed.map(({ test }) => test),
    ["[wide] two", "[wide] three", "[wide] inside › four"],
  );
  assert.match(b?.failed[0]?.report ?? "", /e2e\/b\.spec\.ts:3\nis wrong\n/);
  assert.match(b?.failed[2]?.report ?? "", /skipped/);
  assert.deepEqual(others, []);
});

test("an error outside tests, and an exit code without a failure, fail the run and belong to no file", () => {
  const suites = [{ title: "a.spec.ts", file: "a.spec.ts", specs: [spec("one", "expected")] }];
  for (const [errors, code] of [
    [[{ message: "the service did not start" }], 1],
    [[], 130],
  ] as const) {
    const last = resultsOf({ suites, errors: [...errors] }, code).at(-1);
    assert.equal(last?.file, undefined);
    assert.match(last?.failed[0]?.report ?? "", errors.length > 0 ? /did not start/ : /exit code 130/);
  }
  assert.equal(resultsOf({ suites, errors: [] }, 0).length, 1);
});
