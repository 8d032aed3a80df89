import { fc } from "./seed.ts";

// JSON Schemas and values by which a stranger would make this service work for long: deep, huge, circular, multiplying, or with expressions
// that take for ever in most engines. All are made from the seed.

export const list = (count: number, entry: (at: number) => unknown) =>
  Array.from({ length: count }, (_, at) => entry(at));
export const named = (count: number, entry: (at: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));
const nested = (depth: number, of: (inner: unknown) => unknown, inner: unknown = true): unknown =>
  depth === 0 ? inner : nested(depth - 1, of, of(inner));

/** Schemas of many kinds: huge, recursive, multiplying, and with expressions that take for ever in most engines. */
export const SCHEMAS: ((size: number) => unknown)[] = [
  (size) => ({ allOf: list(size, () => ({ items: { type: "number", minimum: 0 } })) }),
  (size) => ({ allOf: list(size, () => ({ additionalProperties: { type: "number" } })) }),
  (size) => ({ allOf: list(size, () => ({ uniqueItems: true })) }),
  (size) => ({ items: { anyOf: list(size, (at) => ({ const: [at] })) } }),
  (size) => ({ items: { oneOf: list(size, () => ({ not: {} })) } }),
  (size) => ({ allOf: list(size, () => ({ maxLength: 49_999, contains: { enum: [[1]] } })) }),
  (size) => ({ items: { enum: list(4 * size, (at) => ({ a: at })) } }),
  () => ({ items: { multipleOf: 1e-300 } }),
  (size) => ({ allOf: list(size, () => ({ items: true })) }),
  (size) => ({ allOf: list(size, () => ({ contains: true })) }),
  (size) => ({ allOf: list(size, () => ({ contains: false, minContains: 0 })) }),
  (size) => ({ $defs: { all: { items: true } }, allOf: list(size, () => ({ $ref: "#/$defs/all" })) }),
  (size) => nested(size, (inner) => ({ items: inner })),
  // Each level doubles the text, so there are few.
  (size) => nested(size % 10, (inner) => ({ not: { anyOf: [inner, inner] } })),
  () => ({ $ref: "#" }),
  (size) => ({ $ref: "#/$defs/a0", $defs: named(size, (at) => [`a${at}`, { $ref: `#/$defs/a${(at + 1) % size}` }]) }),
  (size) => ({
    $ref: "#/$defs/a0",
    $defs: {
      ...named(size, (at) => [`a${at}`, { allOf: list(2, () => ({ $ref: `#/$defs/a${at + 1}` })) }]),
      [`a${size}`]: true,
    },
  }),
  (size) => ({ pattern: `(${"a*".repeat(size % 20)})*${"b".repeat(size % 9)}$` }),
  (size) => ({ pattern: `^(?:\\p{L}{${size % 90}})*(\\p{L}|a)+$` }),
  (size) => ({ pattern: `(?:a?){${size}}a{${size}}$` }),
  (size) => ({ pattern: `(x+x+)+y|(.*)(.*)(.*)[^${size}]$|(a|aa)+$` }),
  (size) => ({ items: { properties: { name: { pattern: `(n|name|[\\w\\s]+)*\\d{${size % 40}}$` } } } }),
  (size) => ({ patternProperties: named(Math.min(size, 20), (at) => [`(k|\\p{L})*${at}$`, { minimum: 0 }]) }),
  (size) => ({ pattern: `^${".".repeat(size % 250)}` }),
  (size) => ({ allOf: list(size % 9, (at) => ({ pattern: `${"[\\S]?".repeat(40)}${at}$` })) }),
  (size) => ({ propertyNames: { pattern: `^(k+)+[0-9]{1,${size % 30}}$` } }),
];

const size = fc.integer({ min: 0, max: 400 });
const kind = fc.nat(SCHEMAS.length - 1);
/** One of the kinds, or two of them together. */
const hostileSchema = fc
  .array(fc.tuple(kind, size), { minLength: 1, maxLength: 2 })
  .map((chosen) => chosen.map(([at, of]) => SCHEMAS[at]?.(of)))
  .map((some) => (some.length === 1 ? some[0] : { allOf: some }));

/** Values of up to 16 KB, the most that is kept of one: many, deep, wide, long, or what a pattern tries again and again. */
const VALUES: ((size: number) => unknown)[] = [
  (of) => list(of * 20, () => 1),
  (of) => list(of * 5, (at) => at),
  (of) => nested(of, (inner) => [inner]),
  (of) => nested(of, (inner) => ({ text: inner, items: [inner === true] })),
  (of) => named(of * 2, (at) => [`k${at}`, at]),
  (of) => list(of, (at) => ({ id: at, name: `name ${at}`, text: "a" })),
  (of) => `${"a".repeat(of * 40)}!`,
  (of) => `${"é".repeat(of * 20)}1`,
  (of) => ({ text: `${"xx".repeat(of * 20)}y`, words: "1e300" }),
  (of) => list(of * 2, () => 1e300),
  (of) => list(of * 2, () => 5e-324),
  (of) => ({ text: list(of, () => ({ text: "a".repeat(30) })), tags: list(of, (at) => `tag ${at % 7}`) }),
  (of) => named(of, (at) => [`text${"x".repeat(at % 30)}${at}`, { a: at }]),
  () => JSON.parse('{"toString": 1, "constructor": {"prototype": null}, "text": {"length": 1}}'),
];
const hostileValue = fc.tuple(fc.nat(VALUES.length - 1), size).map(([at, of]) => VALUES[at]?.(of));

export const hostileSchemas = (count: number): unknown[] => fc.sample(hostileSchema, count);
export const hostileValues = (count: number): unknown[] => fc.sample(hostileValue, count);

const shortText = { type: "string", maxLength: 200 };
/** Schemas as a careful provider writes them. */
export const GOOD_SCHEMAS: object[] = [
  { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  { type: "object", additionalProperties: false, properties: { text: shortText, words: { type: "integer" } } },
  { type: "array", maxItems: 2_000, items: { type: "object", properties: { name: shortText, id: { minimum: 0 } } } },
  { type: "array", uniqueItems: true, items: { type: ["number", "string"] } },
  { type: "string", pattern: "^(?:[a-z]+|\\p{L}+\\s?)*[.!?]$" },
  {
    type: "object",
    patternProperties: { "^k[0-9]+$": { type: "integer" }, "^text": true },
    additionalProperties: false,
  },
  {
    anyOf: [
      { type: "string", maxLength: 5_000 },
      { type: "array", items: { $ref: "#/$defs/part" } },
    ],
    $defs: { part: { oneOf: [shortText, { type: "number" }] } },
  },
  {
    type: "object",
    properties: {
      tags: { type: "array", uniqueItems: true, items: { enum: list(50, (at) => `tag ${at}`) } },
      text: { items: { properties: { text: { pattern: "^a{1,40}$" } } } },
    },
  },
  { type: "array", items: { multipleOf: 0.01 } },
  { propertyNames: { pattern: "^[a-z]+(?:_[a-z]+)*$" }, maxProperties: 500 },
];
