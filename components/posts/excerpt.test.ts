import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOf } from "./excerpt.ts";

const joined = (...given: Parameters<typeof excerptOf>) =>
  excerptOf(...given)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join("");

test("a short text is shown in full, with its hits", () => {
  assert.equal(joined("one two three"), "one two three");
  assert.equal(
    joined("one two three", [
      { from: 4, to: 7 },
      { from: 8, to: 13 },
    ]),
    "one [two] [three]",
  );
  assert.deepEqual(excerptOf(""), []);
});

test("a long text is cut between words", () => {
  assert.equal(joined("word ".repeat(200), [], 32), "word word word word word word …");
  assert.equal(joined("x".repeat(100), [], 10), `${"x".repeat(10)} …`);
  assert.equal(joined("line\nline\nline", [], 12), "line\nline …");
  assert.equal(joined(`word\n@agt_${"1".repeat(22)} word`, [], 20), "word …");
});

test("an excerpt shows the first hit, however far into the text it is", () => {
  const text = `${"before ".repeat(200)}needle${" after".repeat(200)}`;
  const shown = joined(text, [{ from: 1400, to: 1406 }]);
  assert.match(shown, /^… before/);
  assert.match(shown, /\[needle\] after/);
  assert.match(shown, / …$/);
  assert.ok(shown.length < 500);
});

test("no character is cut in two", () => {
  const text = "🏛".repeat(100);
  for (const most of [9, 10]) assert.ok(excerptOf(text, [], most).every((stretch) => stretch.text.isWellFormed()));
  assert.ok(excerptOf(text, [{ from: 180, to: 182 }], 41).every((stretch) => stretch.text.isWellFormed()));
});
