import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "#testing/seed.ts";
import type { FieldError } from "./errors.ts";
import { clip, countCharacters, normalizeText, normalizeTree } from "./text.ts";

function problems(value: unknown): FieldError[] {
  const errors: FieldError[] = [];
  normalizeTree(value, errors);
  return errors;
}

test("line endings become line feeds, text is trimmed and composed (NFC)", () => {
  assert.equal(normalizeText("\r\n one\r\ntwo\rthree\n \t"), "one\ntwo\nthree");
  assert.equal(normalizeText("e\u0301"), "é");
  assert.equal(normalizeText("one\n\ttwo"), "one\n\ttwo");
});

test("normalising twice changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const normal = normalizeText(text);
      assert.equal(normalizeText(normal), normal);
      assert.doesNotMatch(normal, /\r/);
    }),
  );
});

test("every control character except line feed and tab is refused, at any depth", () => {
  for (let code = 0; code <= 0x9f; code += 1) {
    if (code >= 0x20 && code < 0x7f) continue;
    const control = String.fromCodePoint(code);
    const allowed = code === 0x09 || code === 0x0a || code === 0x0d;
    for (const text of [`a${control}b`, `${control}ab`, `ab${control}`]) {
      assert.deepEqual(
        problems({ list: [{ text }] }).map(({ path }) => path),
        allowed ? [] : ["list.0.text"],
        `U+${code.toString(16)} in ${JSON.stringify(text)}`,
      );
    }
  }
});

test("bidirectional embeddings, overrides and isolates are refused, and the message says so", () => {
  for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]) {
    const [error] = problems({ text: `pay ${String.fromCodePoint(code)} later` });
    assert.match(error?.message ?? "", /bidirectional/);
  }
  assert.deepEqual(problems({ text: "שלום, and 2\u20292, and 👩\u200d🚀" }), []);
});

test("a lone surrogate is refused", () => {
  assert.match(problems({ text: "\ud83d" })[0]?.message ?? "", /Unicode/);
});

test("nesting beyond sixteen levels is refused without going further", () => {
  const nest = (levels: number): unknown => (levels === 0 ? "x" : { in: nest(levels - 1) });
  assert.deepEqual(problems(nest(16)), []);
  assert.equal(problems(nest(17)).length, 1);
  assert.equal(problems(nest(5_000)).length, 1);
});

test("values that are not strings are unchanged", () => {
  for (const value of [0, true, null, 1.5]) assert.deepEqual([normalizeTree(value, []), problems(value)], [value, []]);
});

test("a property named __proto__ is an ordinary property", () => {
  const value = JSON.parse('{"__proto__": {"polluted": " yes "}}');
  normalizeTree(value, []);
  assert.equal((Object.prototype as { polluted?: string }).polluted, undefined);
  assert.deepEqual(JSON.stringify(value), '{"__proto__":{"polluted":"yes"}}');
});

test("characters are counted and cut as code points, never through the middle of one", () => {
  assert.equal(countCharacters("a😀é"), 3);
  assert.equal(clip("😀😀😀", 2), "😀😀");
  assert.equal(clip("abc", 3), "abc");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, max) => {
      const clipped = clip(text, max);
      assert.ok(text.startsWith(clipped));
      assert.equal(countCharacters(clipped), Math.min(max, countCharacters(text)));
    }),
  );
});

test("each part of a path is cut to a hundred characters", () => {
  const [error] = problems({ ["k".repeat(87_000)]: "\u202a" });
  assert.equal(error?.path, "k".repeat(100));
});

test("checking a tree stops after fifty errors or five thousand values", () => {
  const many = (count: number, each: unknown) => Array.from({ length: count }, () => each);
  assert.equal(problems({ list: many(200, "\u202a") }).length, 50);
  assert.deepEqual(problems({ a: { list: many(4_990, 1) } }), []);
  assert.deepEqual(problems({ a: { list: many(2_000, many(3, 1)) }, b: 1 }), [
    {
      path: problems({ a: { list: many(2_000, many(3, 1)) } })[0]?.path,
      message: "must not contain more than 5000 values",
    },
  ]);
});
