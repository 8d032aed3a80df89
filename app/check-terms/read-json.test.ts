import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "#testing/seed.ts";
import { readJson } from "./read-json.ts";

test("valid JSON is read as JSON.parse reads it, whatever its layout", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "grapheme" }), fc.constantFrom(0, 2, "\t"), (text, space) => {
      const set = JSON.stringify(JSON.parse(text), null, space);
      assert.deepEqual(readJson(`\n ${set}\r\n`), { ok: true, value: JSON.parse(set) });
    }),
  );
});

test("what JSON.parse rejects is rejected", () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "{", "]", '"', "\\", "\u0001", "x", "0", ":"))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + 1);
    });
  fc.assert(
    fc.property(damaged, (text) => {
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      if (!parses) assert.equal(readJson(text).ok, false);
    }),
    { numRuns: 500 },
  );
});

for (const [text, line, column, message] of [
  ["", 1, 1, /text is empty/],
  ['{"a": 1,}', 1, 9, /Remove the comma/],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, /Expected a comma or } but found “"”/],
  ["{'a': 1}", 1, 2, /straight double quotes/],
  ['{"a": “b”}', 1, 7, /straight double quotes/],
  ['{"a": 1, "a": 2}', 1, 10, /“a” appears twice/],
  ['["a\nb"]', 1, 4, /as \\n/],
  ['{"a": [1, 2', 1, 12, /the \[ on line 1 is not closed/],
  ['{"a": 1} {', 1, 10, /follows/],
  ['["\\ud800"]', 1, 2, /half of a character/],
  ["1e999", 1, 1, /too large/],
  ["01", 1, 2, /number cannot continue/],
  ['{"a" 1}', 1, 6, /Expected a colon after the key “a”/],
] as const) {
  test(`${JSON.stringify(text)} is rejected with its position and a reason`, () => {
    const reading = readJson(text);
    assert.ok(!reading.ok);
    assert.deepEqual([reading.line, reading.column], [line, column]);
    assert.match(reading.message, message);
  });
}
