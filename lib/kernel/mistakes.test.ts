import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "#testing/seed.ts";
import { didYouMean, hashHint, nearest, penceMessage, skillHint } from "./mistakes.ts";

const KNOWN = ["public_id", "brief", "budget_pence", "task_id", "title", "id"];

test("the nearest name is found across case, punctuation, misspelling and omission", () => {
  const cases: [sent: string, meant: string | undefined][] = [
    ["publicId", "public_id"],
    ["PUBLIC-ID", "public_id"],
    ["breif", "brief"],
    ["budget", "budget_pence"],
    ["budgetPense", "budget_pence"],
    ["taskid", "task_id"],
    ["tit", undefined],
    ["zebra", undefined],
    ["", undefined],
    ["public_id".repeat(10), undefined],
  ];
  for (const [sent, meant] of cases) assert.equal(nearest(sent, KNOWN), meant, sent);
});

test("a name is nearest to itself, and suggested only if something else was sent", () => {
  for (const name of KNOWN) assert.equal(nearest(name, KNOWN), name);
  assert.equal(didYouMean("brief", KNOWN), "");
  assert.equal(didYouMean("Brief", KNOWN), ": did you mean brief?");
  assert.equal(didYouMean(7, KNOWN), "");
});

test("an amount in pounds is shown in pence, to the penny", () => {
  for (const [sent, words] of [
    [9.99, "£9.99 is 999"],
    ["£9.99", "£9.99 is 999"],
    ["0.07", "£0.07 is 7"],
    [1_234.5, "£1,234.50 is 123450"],
    [0.005, "£9.99 is 999"],
    ["1,000", "£9.99 is 999"],
    [{}, "£9.99 is 999"],
  ] as const)
    assert.equal(penceMessage(sent), `must be an integer, in whole pence: ${words}`);
});

test("hints stay short, whatever was sent", () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 2 }), (sent) => {
      for (const hint of [penceMessage(sent), hashHint(sent), skillHint(sent), didYouMean(sent, KNOWN)])
        assert.ok(hint.length <= 90, hint);
    }),
  );
});
