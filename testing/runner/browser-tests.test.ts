import assert from "node:assert/strict";
import { test } from "node:test";
import { type Report, resultsOf } from "./browser-tests.ts";
import { result } from "./results.ts";

type Status = Report["suites"][number]["specs"][number]["tests"][number]["status"];

const spec = (title: string, status: Status, message?: string) => ({
  title,
  line: 3,
  tests: [{ status, results: [{ errors: message ? [{ message }] : [] }] }],
});

test("each file has its passed, flaky and failed tests, and one that was skipped has failed", () => {
  const report: Report = {
    suites: [
      { title: "a.spec.ts", file: "a.spec.ts", specs: [spec("one", "expected")] },
      {
        title: "b.spec.ts",
        file: "b.spec.ts",
        specs: [spec("two", "unexpected"), spec("three", "flaky", "\u001b[31mis slow\u001b[39m")],
        suites: [{ title: "inside", file: "b.spec.ts", specs: [spec("four", "skipped"), spec("five", "expected")] }],
      },
    ],
    errors: [],
  };
  assert.deepEqual(resultsOf(report, 1, ["e2e/a.spec.ts", "e2e/b.spec.ts"]), [
    result({ file: "e2e/a.spec.ts", passed: 1 }),
    result({
      file: "e2e/b.spec.ts",
      passed: 2,
      failed: ["✖ two\n  e2e/b.spec.ts:3\nfailed, as shown above\n", "✖ inside › four\n  e2e/b.spec.ts:3\nskipped\n"],
      flaky: ["✖ three\n  e2e/b.spec.ts:3\nis slow\n"],
    }),
  ]);
});

test("an error outside tests, an exit code without a failure, and a file of which no test ran fail the run", () => {
  const suites = [{ title: "a.spec.ts", file: "a.spec.ts", specs: [spec("one", "expected")] }];
  const failuresOf = (errors: { message: string }[], code: number, specs: string[] = []) =>
    resultsOf({ suites, errors }, code, specs).flatMap(({ failed }) => failed);
  assert.deepEqual(failuresOf([], 0), []);
  assert.match(failuresOf([{ message: "the service did not start" }], 1).join(), /did not start/);
  assert.match(failuresOf([], 130).join(), /exit code 130/);
  assert.match(failuresOf([], 0, ["e2e/left-out.spec.ts"]).join(), /left-out.*\nNo test of it ran/);
});
