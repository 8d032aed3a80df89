import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOfInput, mistakesIn, type Offer } from "./order-input.ts";

const offer = (input_schema: object | null, example_input: unknown = null) =>
  ({ input: "A text.", input_schema, example_input }) as Offer;
const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
const shape = (input: Offer) =>
  fieldsOfInput(input).map(({ name, as, rows, options, required }) => [
    name,
    as ?? (options ? "choice" : "text"),
    !!rows,
    !!required,
  ]);

test("an offer without a schema takes one text, and a flat schema has a field for each property", () => {
  assert.deepEqual(shape(offer(null)), [["input", "text", true, true]]);
  const flat = object(
    {
      text: { type: "string" },
      title: { type: "string", maxLength: 80 },
      words: { type: "integer" },
      loud: { type: "boolean" },
      tone: { enum: ["plain", "warm"] },
      tags: { type: "array" },
    },
    ["text", "tone"],
  );
  assert.deepEqual(shape(offer(flat)), [
    ["input.text", "text", true, true],
    ["input.title", "text", false, false],
    ["input.words", "number", false, false],
    ["input.loud", "tick", false, false],
    ["input.tone", "choice", false, true],
    ["input.tags", "json", true, false],
  ]);
});

test("any other schema is answered in JSON, which begins with the offer's example", () => {
  for (const schema of [
    { type: "array" },
    { anyOf: [] },
    object({}),
    object({ "a.b": { type: "string" } }),
    object({ a: {} }),
    object({ a: { type: "string" } }, ["b"]),
    object(Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`p${at}`, { type: "string" }]))),
  ]) {
    const [field, ...others] = fieldsOfInput(offer(schema, [1]));
    assert.deepEqual([field?.name, field?.as, field?.value, others], ["input", "json", "[\n  1\n]", []]);
  }
});

test("an untouched example and an empty form are no order, and a text has to say something", () => {
  const asked = offer({ type: "array" }, [1]);
  const fields = fieldsOfInput(asked);
  assert.deepEqual(Object.keys(mistakesIn(asked, fields, [1])), ["input"]);
  assert.deepEqual(mistakesIn(asked, fields, [2]), {});
  const flat = offer(object({ text: { type: "string" } }), { text: "Hello" });
  assert.deepEqual(Object.keys(mistakesIn(flat, fieldsOfInput(flat), undefined)), ["input.text"]);
  // An example that stands beside its field may be ordered.
  assert.deepEqual(mistakesIn(flat, fieldsOfInput(flat), { text: "Hello" }), {});
  const [text] = fieldsOfInput(offer(null));
  assert.deepEqual(
    ["…", " - . ", "Count", "数"].map((typed) => text?.pattern?.[0].test(typed)),
    [false, false, true, true],
  );
});
