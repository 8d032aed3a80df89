import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { completedTask, LOG_KEY, makeEvidence } from "../../testing/made-up-platform.ts";
import { verifyEvidence } from "./verify.ts";

const RESULT = "There are 12.";
const hash = createHash("sha256").update(RESULT).digest("hex");
const CRITERIA = [
  "It is right.",
  { kind: "sha256", of: "result", value: `sha256:${hash}` },
  { kind: "max_bytes", value: 5 },
  { kind: "json_schema", schema: { type: "object" } },
];
const CHECKS = [
  { index: 1, kind: "sha256", passed: true },
  { index: 2, kind: "max_bytes", passed: false },
  { index: 3, kind: "json_schema", passed: false },
];
const verify = (checks?: typeof CHECKS, criteria: unknown[] = CRITERIA) =>
  verifyEvidence(makeEvidence(completedTask({ criteria, ...(checks ? { checks } : {}) }), { criteria }), {
    key: LOG_KEY,
  });

test("terms with machine-checked criteria verify offline, and what can be computed again is", async () => {
  const report = await verify(CHECKS);
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  const proved = report.proved.join("\n");
  assert.match(proved, /Criterion b of the terms \(sha256\): the result submitted last meets it/);
  assert.match(proved, /Criterion c of the terms \(max_bytes\): the result submitted last does not meet it/);
  assert.match(report.asserted.join("\n"), /Criterion d of the terms \(json_schema\): .* does not meet it/);
  assert.match(report.statements.map(({ words }) => words).join("\n"), /it passes 1 of 3 automatic checks/);
});

test("a check that was recorded wrongly or left out breaks the file, and text criteria need none", async () => {
  const wrong = CHECKS.map((check) => (check.index === 2 ? { ...check, passed: true } : check));
  for (const checks of [wrong, CHECKS.slice(1), undefined]) assert.equal((await verify(checks)).verdict, "broken");
  assert.equal((await verify(undefined, ["It is right."])).verdict, "proved");
  const outsider = makeEvidence(completedTask({ criteria: CRITERIA, checks: CHECKS }), { criteria: CRITERIA });
  const without = { ...outsider, attachments: { terms: {}, brief: null, result: null } };
  assert.equal((await verifyEvidence(without, { key: LOG_KEY })).verdict, "proved");
});
