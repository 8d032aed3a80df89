import assert from "node:assert/strict";
import { test } from "node:test";
import { type FieldSpec, readFields, writeFields } from "./read-fields.ts";

const field = (name: string, more: Partial<FieldSpec> = {}): FieldSpec => ({ name, label: name, ...more });

/** What these fields make of what was typed into them. */
function read(parts: FieldSpec[], typed: Record<string, string>) {
  const fields = new FormData();
  for (const [name, value] of Object.entries(typed)) fields.set(name, value);
  return readFields(parts, fields);
}

test("each kind of field is sent as the API takes it", () => {
  const cases: [Partial<FieldSpec>, typed: string, sent: unknown][] = [
    [{}, "  a ", "a"],
    [{ as: "verbatim" }, "  a ", "  a "],
    [{ as: "lines" }, " a \n\nb", ["a", "b"]],
    [{ as: "list" }, " a b,c;\nd ", ["a", "b", "c", "d"]],
    [{ as: "pounds" }, "£4.99", 499],
    [{ as: "number" }, "-1.5", -1.5],
    [{ as: "json" }, '{"a":[1]}', { a: [1] }],
    [{ as: "tick" }, "yes", true],
    [{ range: [1, 30] }, "30", 30],
    [{ as: "time" }, "2031-01-01T12:00Z", "2031-01-01T12:00:00.000Z"],
    [{ wire: "terms.scope" }, "a", "a"],
  ];
  for (const [spec, typed, sent] of cases) {
    const { values, errors } = read([field("f", spec)], { f: typed });
    const expected = spec.wire ? { terms: { scope: sent } } : { f: sent };
    assert.deepEqual([values, errors], [expected, {}], JSON.stringify(spec));
  }
});

test("what is not valid is named by the API's name of its field, and nothing is sent for it", () => {
  const wrong: [Partial<FieldSpec>, typed: string, RegExp][] = [
    [{ as: "pounds", required: true }, "", /pounds/],
    [{ as: "pounds" }, "4.999", /pounds/],
    [{ as: "number" }, "many", /number/],
    [{ as: "json" }, "{", /JSON/],
    [{ as: "time" }, "tomorrow", /date/],
    [{ range: [1, 30] }, "31", /from 1 to 30/],
    [{ as: "tick", must: "You must agree." }, "", /agree/],
    [{ pattern: [/\S/, "Fill in."], required: true }, " ", /Fill in/],
  ];
  for (const [spec, typed, message] of wrong) {
    const { values, errors } = read([field("f", { ...spec, wire: "g" })], { f: typed });
    assert.deepEqual(values, {});
    assert.match(errors.g ?? "", message);
  }
});

test("an optional field that is empty is left out, unless it says what nothing means", () => {
  const parts = [field("a"), field("b", { empty: null }), field("c", { required: true }), field("d", { as: "pounds" })];
  assert.deepEqual(read(parts, {}), { values: { b: null, c: "" }, errors: {} });
  assert.deepEqual(read([field("a", { as: "list", empty: [] })], {}).values, { a: [] });
});

test("what the API has is written into the fields as it would be typed", () => {
  const cases: [Partial<FieldSpec>, value: unknown, written: string | boolean][] = [
    [{}, "a", "a"],
    [{ as: "lines" }, ["a", { kind: "sha256" }, "b"], "a\nb"],
    [{ as: "pounds" }, 499, "4.99"],
    [{ as: "json" }, { a: [] }, '{\n  "a": []\n}'],
    [{ as: "tick" }, true, true],
    [{ range: [1, 30] }, 30, "30"],
  ];
  for (const [spec, value, written] of cases)
    assert.deepEqual(writeFields([field("f", { ...spec, wire: "g" })], { g: value }), { f: written });
  assert.deepEqual(writeFields([field("a"), field("b")], { a: null }), {});
});
