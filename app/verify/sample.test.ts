import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import sample from "./sample.json" with { type: "json" };

test("the sample is proved under its key, and a changed word breaks it", async () => {
  const { key } = sample;
  assert.equal((await verifyEvidence(sample.evidence, { key })).verdict, "proved");
  const bent = JSON.stringify(sample.evidence).replace('"visibility":"unlisted"', '"visibility":"listed"');
  const report = await verifyEvidence(bent, { key });
  assert.equal(report.verdict, "broken");
  assert.deepEqual(
    report.statements.filter(({ state }) => state === "broken").map(({ n }) => n),
    [1],
  );
});
