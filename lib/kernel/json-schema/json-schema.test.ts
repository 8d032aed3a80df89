import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget, Exhausted, SchemaProblem } from "./check.ts";
import { checkSchema, validate } from "./json-schema.ts";

const fits = (schema: unknown, value: unknown) => validate(schema, value) === undefined;

/** Schema, values that fit, values that do not. */
const CASES: [schema: unknown, fitting: unknown[], others: unknown[]][] = [
  [true, [null, 1], []],
  [false, [], [null, 1]],
  [{ type: "integer" }, [1, 1.0, -0], [1.5, "1", null]],
  [{ type: ["null", "array"] }, [null, []], [{}, ""]],
  [{ enum: [1, "a", { b: [2], c: 3 }] }, [1, "a", { c: 3, b: [2] }], ["1", { b: [2] }, []]],
  [{ const: [{ a: null }] }, [[{ a: null }]], [[{ a: 0 }], [{}]]],
  [{ multipleOf: 0.1 }, [0.3, 1.1, 0, "x"], [0.35]],
  [{ multipleOf: 1e-8 }, [1.00000003], [1.000000035]],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, "9"], [0.9, 3]],
  [{ exclusiveMinimum: 1, maximum: 3 }, [1.1, 3], [1, 3.1]],
  [{ minLength: 2, maxLength: 2 }, ["ab", "\u{1F600}\u{1F600}", 5], ["a", "abc"]],
  [{ pattern: "^[a-z]+\\u0031$" }, ["a1", 7], ["a2", "1"]],
  [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[1], [1, "1"], [{ a: 1 }, { a: 2 }]], [[], [1, 2, 3], [1, 1.0]]],
  [
    { uniqueItems: true },
    [[[], {}]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [{ prefixItems: [{ type: "string" }], items: { type: "number" } }, [[], ["a"], ["a", 1, 2]], [[1], ["a", "b"]]],
  [
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [
      [1, 1],
      [1, 0, 1, 1],
    ],
    [[1], [1, 1, 1, 1], []],
  ],
  [{ contains: { const: 1 }, minContains: 0 }, [[], [1]], []],
  [{ minProperties: 1, maxProperties: 1, required: ["a"] }, [{ a: 1 }, []], [{}, { b: 1 }, { a: 1, b: 1 }]],
  [{ dependentRequired: { a: ["b"] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ dependentSchemas: { a: { required: ["b"] } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  [
    {
      properties: { a: { type: "number" } },
      patternProperties: { "^x": { type: "string" } },
      additionalProperties: false,
    },
    [{ a: 1, xy: "z" }, {}],
    [{ a: "1" }, { x: 1 }, { b: 1 }],
  ],
  [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  [{ anyOf: [{ type: "string" }, { minimum: 2 }] }, ["a", 2], [1]],
  [{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1]],
  [{ not: { type: "null" } }, [1], [null]],
  // Parsed, because an object written here with "then" looks like a promise.
  [JSON.parse('{"if":{"minimum":5},"then":{"maximum":9},"else":{"type":"string"}}'), [5, 9], [10, 4]],
  [{ $ref: "#/$defs/a~1b%25", $defs: { "a/b%": { type: "string" } }, maxLength: 1 }, ["a"], [1, "ab"]],
  [{ properties: { toString: { type: "string" } }, required: ["a"] }, [{ a: 1 }], [{ a: 1, toString: 1 }, {}]],
  [
    { $schema: "https://json-schema.org/draft/2020-12/schema", $id: "https://a.example/", title: "T", "x-y": 1 },
    [1],
    [],
  ],
];

test("a value fits a schema exactly where JSON Schema 2020-12 says so", () => {
  for (const [schema, fitting, others] of CASES) {
    for (const value of fitting) assert.ok(fits(schema, value), JSON.stringify([schema, value]));
    for (const value of others) assert.ok(!fits(schema, value), JSON.stringify([schema, value]));
  }
});

test("a schema that cannot be checked as it says is refused, with the place of the problem", () => {
  const nested = (depth: number): unknown => (depth === 0 ? {} : { items: nested(depth - 1) });
  const doubled = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`d${at}`, { allOf: Array(2).fill({ $ref: `#/$defs/d${at + 1}` }) }]),
  );
  const refused: [schema: unknown, pointer: string][] = [
    [{ properties: { a: { typ: "string" } } }, "/properties/a/typ"],
    [{ unevaluatedProperties: false }, "/unevaluatedProperties"],
    [{ $dynamicRef: "#a" }, "/$dynamicRef"],
    [{ items: { $id: "https://a.example/" } }, "/items/$id"],
    [{ $schema: "http://json-schema.org/draft-07/schema#" }, "/$schema"],
    [{ $ref: "https://a.example/schema" }, "/$ref"],
    [{ $ref: "#anchor" }, "/$ref"],
    [{ $ref: "#/$defs/none" }, "/$defs/none"],
    [{ properties: { a: { $ref: "#" } } }, ""],
    [{ $defs: { a: { $ref: "#/$defs/b" }, b: { not: { $ref: "#/$defs/a" } } } }, "/$defs/a"],
    [{ type: "text" }, "/type"],
    [{ minLength: -1 }, "/minLength"],
    [{ multipleOf: 0 }, "/multipleOf"],
    [{ required: "a" }, "/required"],
    [{ anyOf: [] }, "/anyOf"],
    [{ items: [{}] }, "/items"],
    [{ pattern: "(?=a)b" }, "/pattern"],
    [{ pattern: "(a)\\1" }, "/pattern"],
    [{ pattern: "(a{30}){30}" }, "/pattern"],
    [{ pattern: "a".repeat(257) }, "/pattern"],
    [{ patternProperties: { "(": true } }, "/patternProperties/("],
    [nested(70), "/items/items/items/items/items/items"],
    ["string", ""],
    [{ $comment: "a".repeat(16_384) }, ""],
    [{ default: Number.POSITIVE_INFINITY }, ""],
    [JSON.parse('{"default": {"__proto__": 1}}'), ""],
    [{ $defs: { ...doubled, d20: true } }, "/$defs/d12"],
  ];
  for (const [schema, pointer] of refused) assert.equal(checkSchema(schema)?.path, pointer, JSON.stringify(schema));
});

test("a pattern means what it means in JavaScript with the flag u, or is refused", () => {
  const patterns = [
    String.raw`^\s$ ^\S$ ^[^\s]$ ^[^\S]$ ^[\S]$ ^.$ ^[.]$ ^\w+$ ^\d$ \b ^(?<y>a)$ \/ ^a$ $`,
    String.raw`^\u{1F600}$ ^\uD83D\uDE00$ ^\u0041$ ^\cJ$ ^\0$ ^[\u{1F600}-\u{1F64F}]$ ^[\]\[]$ ^[^]$ ^[]$`,
    String.raw`^\p{Script=Greek}$ ^\p{sc=Greek}$ ^\p{Letter}$ ^\P{L}$ ^[^\p{Lu}]$ ^\p{gc=Decimal_Number}$ ^\p{Other}$`,
  ].flatMap((some) => some.split(" "));
  const characters = "aA1/.]_éαΩ٣😀 \n\r\t\v\f\0\u2028\u2029\u00a0\ufeff\u2003\u3000\u0085\u180e\u200b";
  const texts = [...characters, "", "ab", "a\n", "\ud83d"];
  for (const pattern of patterns) {
    for (const value of texts)
      assert.equal(
        fits({ pattern }, value),
        new RegExp(pattern, "u").test(value),
        `${pattern} on ${JSON.stringify(value)}`,
      );
  }
  const refused = String.raw`(?i)a \Aa\z [[:alpha:]] \Qa\E \pL a++ (a)\1 (?<=a)b \p{Script_Extensions=Greek} (`;
  for (const pattern of refused.split(" ")) assert.equal(checkSchema({ pattern })?.path, "/pattern", pattern);
});

test("white space and any character are those of JavaScript, in and outside of classes", () => {
  for (const pattern of ["^\\s$", "^\\S$", "^[\\s]$", "^[\\S]$", "^[^\\s]$", "^[^\\S]$", "^.$"]) {
    const expression = new RegExp(pattern, "u");
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const [some, others] = [true, false].map((matching) =>
      characters.filter((each) => expression.test(each) === matching),
    );
    // Each list at once, with a budget that is large enough.
    assert.equal(validate({ items: { pattern } }, some, new Budget(1e9)), undefined, pattern);
    assert.equal(validate({ items: { not: { pattern } } }, others, new Budget(1e9)), undefined, pattern);
  }
});

test("a failure says where, as a JSON Pointer, and what", () => {
  const schema = { properties: { "a/b": { items: { properties: { "~": { type: "string" } }, required: ["~"] } } } };
  assert.deepEqual(validate(schema, { "a/b": [{ "~": "" }, { "~": 1 }] }), {
    path: "/a~1b/1/~0",
    message: "must be of type string",
  });
  assert.deepEqual(validate(schema, { "a/b": [{}] }), { path: "/a~1b/0/~0", message: "is required" });
  assert.deepEqual(validate(false, 1), { path: "", message: "is not allowed" });
});

test("a check ends when its steps are used up, and a schema that is refused checks nothing", () => {
  const many = Array.from({ length: 1_000 }, (_, at) => at);
  assert.throws(() => validate({ items: { minimum: 0 } }, many, new Budget(1_000)), Exhausted);
  assert.throws(() => validate({ typ: "string" }, 1), SchemaProblem);
});
