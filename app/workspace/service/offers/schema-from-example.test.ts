import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSchema, validate } from "#lib/kernel/json-schema/json-schema.ts";
import { fc } from "#testing/seed.ts";
import { schemaFromExample } from "./schema-from-example.ts";

test("any example fits the schema that is drafted from it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
      const example = JSON.parse(JSON.stringify(json).replaceAll("__proto__", "proto"));
      const schema = schemaFromExample(example);
      // Only a schema that is too large is refused.
      assert.match(checkSchema(schema)?.message ?? "", /^$|at most|more than|deeper|control characters|canonical/);
      if (!checkSchema(schema)) assert.equal(validate(schema, example), undefined);
    }),
  );
});

test("a drafted schema names types, requires what every entry has, and refuses what differs", () => {
  const schema = schemaFromExample({ words: 3, rows: [{ a: 1, b: "x" }, { a: 1.5 }] });
  assert.deepEqual(schema, {
    type: "object",
    properties: {
      words: { type: "integer" },
      rows: {
        type: "array",
        items: { type: "object", properties: { a: { type: "number" }, b: { type: "string" } }, required: ["a"] },
      },
    },
    required: ["words", "rows"],
  });
  assert.deepEqual(validate(schema, { words: 3 }), { path: "/rows", message: "is required" });
});
