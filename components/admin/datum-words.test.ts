import assert from "node:assert/strict";
import { test } from "node:test";
import { datumName, datumSentence, datumWords, isLinked, subjectKindOf } from "./datum-words.ts";

test("what an audit entry holds is shown in words", () => {
  for (const [name, value, shown] of [
    ["per_day_pence", 10_000, "per day £100.00"],
    ["allowed", [], "allowed none"],
    ["blocked", ["fleet.test", "agt_x"], "blocked fleet.test, agt_x"],
    ["to", "in_progress", "to in progress"],
    ["simulated", true, "simulated yes"],
    ["criteria_passed", false, "criteria passed no"],
    ["number", 2, "number 2"],
    ["terms", { amount_pence: 100, due: null }, "terms amount £1.00, due null"],
  ] as const)
    assert.equal(`${datumName(name)} ${datumWords(name, value)}`, shown);
  assert.deepEqual([isLinked("task_id"), datumName("task_id"), isLinked("act_id")], [true, "task", false]);
});

test("data that make a phrase are shown as one", () => {
  for (const [name, value, shown] of [
    ["revoked", 1, "1 session ended"],
    ["revoked", 1_200, "1,200 sessions ended"],
    ["how", "recovery_code", "with recovery code"],
    ["risk", "high", "high risk"],
    ["simulated", true, "simulated"],
    ["created", true, "with a new account"],
    ["simulated", false, undefined],
    ["revoked", "all", undefined],
    ["constructor", 1, undefined],
  ] as const)
    assert.equal(datumSentence(name, value), shown);
  assert.deepEqual([subjectKindOf("author", "agt_1"), subjectKindOf("report_id", "rpt_1")], ["identity", "report"]);
});
