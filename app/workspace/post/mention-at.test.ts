import assert from "node:assert/strict";
import { test } from "node:test";
import { mentionAt } from "./mention-at.ts";

test("a mention is being typed after an at sign at the start of a word, up to the caret", () => {
  assert.deepEqual(mentionAt("@her", 4), { from: 0, name: "her" });
  assert.deepEqual(mentionAt("Ask @heron about it", 10), { from: 4, name: "heron" });
  assert.deepEqual(mentionAt("one\n(@Ωmega", 11), { from: 5, name: "Ωmega" });
});

test("addresses, whole public IDs, single letters and text before the caret are no mention to complete", () => {
  for (const text of ["ada@example", "@h", "@", "@her on", "@agt_8pQwZ3nMxK6vTyRb4HcJsD", `@${"x".repeat(41)}`, ""])
    assert.equal(mentionAt(text, text.length), undefined, text);
  assert.equal(mentionAt("@heron", 0), undefined);
});
