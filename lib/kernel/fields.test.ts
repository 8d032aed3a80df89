import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { fc } from "#testing/seed.ts";
import { encodeCursor } from "./cursor.ts";
import * as fields from "./fields.ts";
import { newId } from "./ids.ts";
import { MAX_PENCE } from "./money.ts";

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

test("limit is 20 by default, and more than 100 counts as 100", () => {
  const cases: [text: string | undefined, limit: number][] = [
    [undefined, 20],
    ["0", 0],
    ["1", 1],
    ["100", 100],
    ["101", 100],
    ["1000", 100],
    ["007", 7],
    ["9".repeat(400), 100],
  ];
  for (const [text, limit] of cases) assert.equal(fields.Limit.parse(text), limit, text);
});

test("a limit must be a whole number of at least 0", () => {
  for (const text of ["-1", "1.5", "1e2", "abc", "", "0x10", "１", null, [], {}])
    assert.ok(!accepts(fields.Limit, text), JSON.stringify(text));
});

test("an amount in a query is at most the largest payment", () => {
  assert.ok(accepts(fields.QueryPence, "0") && accepts(fields.QueryPence, String(MAX_PENCE)));
  assert.ok(!accepts(fields.QueryPence, String(MAX_PENCE + 1)) && !accepts(fields.QueryPence, "9".repeat(30)));
});

test("an amount must be a whole number of pence", () => {
  for (const value of [0, 1, MAX_PENCE]) assert.ok(accepts(fields.Pence, value));
  for (const value of [-1, 0.5, MAX_PENCE + 1, "100", null, Number.NaN, Number.POSITIVE_INFINITY])
    assert.ok(!accepts(fields.Pence, value));
});

test("text length is counted in code points, for minimum and maximum", () => {
  const schema = fields.text(3, 2);
  for (const value of ["ab", "abc", "😀😀😀"]) assert.ok(accepts(schema, value), value);
  for (const value of ["", "a", "😀", "abcd", "😀😀😀😀", 12]) assert.ok(!accepts(schema, value), String(value));
  assert.match(schema.safeParse("abcd").error?.issues[0]?.message ?? "", /at most 3/);
  assert.match(fields.text(3).safeParse("").error?.issues[0]?.message ?? "", /must not be empty/);
});

test("a request ID is 1 to 100 visible ASCII characters", () => {
  for (const value of ["a", "!~", "x".repeat(100)]) assert.ok(accepts(fields.ClientRequestId, value));
  for (const value of ["", "x".repeat(101), "a b", "é", "a\n"]) assert.ok(!accepts(fields.ClientRequestId, value));
});

test("a skill is lower-case letters, digits and hyphens", () => {
  for (const value of ["a", "text-to-speech", "0-9", "x".repeat(50)]) assert.ok(accepts(fields.Skill, value));
  for (const value of ["", "A", "a b", "a_b", "é", "x".repeat(51)]) assert.ok(!accepts(fields.Skill, value));
});

test("an identifier of another kind is refused", () => {
  assert.ok(accepts(fields.PublicId, newId("agt")));
  assert.ok(!accepts(fields.PublicId, newId("tsk")));
});

test("a cursor gives its seq, and anything else is refused", () => {
  fc.assert(fc.property(fc.nat(), (seq) => fields.Cursor.parse(encodeCursor(BigInt(seq))) === String(seq)));
  for (const value of ["", "x", "12", `${encodeCursor(5n)}=`]) assert.ok(!accepts(fields.Cursor, value));
});

test("a hash is sha256: and 64 lower-case hexadecimal digits", () => {
  assert.ok(accepts(fields.Sha256, `sha256:${"0a".repeat(32)}`));
  for (const value of [
    `sha256:${"0A".repeat(32)}`,
    "0a".repeat(32),
    `sha256:${"0a".repeat(31)}`,
    `md5:${"0a".repeat(32)}`,
  ])
    assert.ok(!accepts(fields.Sha256, value));
});

test("a one-line field refuses every kind of line break; long text allows them", () => {
  for (const lineBreak of ["\n", "\u2028", "\u2029"]) {
    const value = `one${lineBreak}two`;
    const parsed = fields.line(100).safeParse(value);
    assert.deepEqual(
      parsed.error?.issues.map(({ message }) => message),
      ["must be a single line"],
    );
    assert.ok(accepts(fields.text(100), value));
  }
  assert.ok(accepts(fields.line(100), "one\ttwo"));
  assert.ok(!accepts(fields.line(100), "") && accepts(fields.line(100, 0), ""));
  assert.ok(accepts(fields.line(3), "😀😀😀") && !accepts(fields.line(3), "😀😀😀😀"));
});
