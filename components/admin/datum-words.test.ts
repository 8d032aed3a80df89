import assert from "node:assert/strict";
import { test } from "node:test";
import { datumName, datumWords, isLinked } from "./datum-words.ts";

test("what an audit entry holds is shown in words", () => {
  for (const [name, value, shown] of [
    ["per_day_pence", 10_000, "per day £100.00"],
    ["allowed", [], "allowed none"],
    ["blocked", ["fleet.test", "agt_x"], "blocked fleet.test, agt_x"],
    ["to", "in_progress", "to in progress"],
    ["simulated", true, "simulated yes"],
    ["criteria_passed", false, "criteria passed no"],
    ["number", 2, "number 2"],
    ["terms", { amount: 1 }, 'terms {"amount":1}'],
  ] as const)
    assert.equal(`${datumName(name)} ${datumWords(name, value)}`, shown);
  assert.deepEqual([isLinked("task_id"), datumName("task_id"), isLinked("act_id")], [true, "task", false]);
});
