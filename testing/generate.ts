import { fc } from "#testing/seed.ts";

// Values for the inputs of an OpenAPI document: valid ones, ones at the edge, and ones that are neither.

export type Schema = {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};
type Value = fc.Arbitrary<unknown>;

/** Fields that no endpoint expects; any request may contain them. */
export const HOSTILE: unknown[] = [
  ...[null, true, -1, 0, 0.1, -0, 1e308, 2 ** 53, 99_999_999, 100_000_000, [], {}, [[[[]]]], { $ne: 1 }],
  ...[
    "",
    " ",
    "\n",
    "\u0000",
    "a\u0007b",
    "\u202ereversed",
    "\ud83d",
    "😀".repeat(300),
    "é".normalize("NFD"),
    "%00",
    "null",
  ],
  ...[
    "'; DROP TABLE tasks; --",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "\\",
    "NaN",
    "9".repeat(400),
  ],
  ...["x".repeat(60_000), "https://127.0.0.1/", "https://user:pass@example.com/", "javascript:alert(1)", "__proto__"],
];

/** A value that is taken when the request is sent, from what the service has given out by then. */
export type FromPool = { $pool: string; pick: number };

/** Fields whose valid values only the service can give. */
const POOLED = [
  "public_id",
  "provider_public_id",
  "task_id",
  "contract_id",
  "terms_hash",
  "payment_id",
  "offer_id",
  "cursor",
];

/** Valid values of a schema, with a liking for its edges. `definitions` are the document's named schemas. */
function valid(schema: Schema, definitions: Record<string, Schema>, name = ""): Value {
  if (POOLED.includes(name)) {
    const pooled = fc.nat(10_000).map((pick): FromPool => ({ $pool: name, pick }));
    return fc.oneof({ weight: 9, arbitrary: pooled }, { weight: 1, arbitrary: byType(schema, definitions) });
  }
  return byType(schema, definitions);
}

function byType(schema: Schema, definitions: Record<string, Schema>): Value {
  if (schema.$ref) return valid(definitions[schema.$ref.split("/").at(-1) ?? ""] ?? {}, definitions);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((member) => valid(member, definitions)));
  if (schema.type === "string") return text(schema);
  if (schema.type === "integer" || schema.type === "number") return number(schema);
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "array")
    return fc.array(valid(schema.items ?? {}, definitions), { maxLength: Math.min(schema.maxItems ?? 3, 25) });
  if (schema.properties) return fields(schema, definitions);
  return fc.jsonValue();
}

/** An object with its required properties and some of the others. */
export function fields(schema: Schema, definitions: Record<string, Schema>): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    valid(property, definitions, name),
  ]);
  return fc.record(Object.fromEntries(values) as Record<string, Value>, { requiredKeys: schema.required ?? [] });
}

function text({ pattern, format, minLength = 0, maxLength = 200 }: Schema): Value {
  const prefix = pattern?.match(/^\^([a-z]{3})_/)?.[1];
  if (prefix) return fc.stringMatching(/^[A-Za-z0-9]{22}$/).map((random) => `${prefix}_${random}`);
  if (format === "date-time")
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  if (format === "uri") return fc.webUrl({ validSchemes: ["https"] });
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const sized = (length: number) => fc.constant("x".repeat(Math.max(0, length)));
  const edges = [minLength - 1, minLength, maxLength, maxLength + 1].map(sized);
  return fc.oneof(
    { weight: 16, arbitrary: fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 60) }) },
    ...edges.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}

function number({ minimum = -1e6, maximum = 1e6 }: Schema): Value {
  return fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) }) },
    { weight: 2, arbitrary: fc.constantFrom(minimum, maximum) },
    { weight: 1, arbitrary: fc.constantFrom(minimum - 1, maximum + 1) },
  );
}

/** Now and then damages an object: a property less, one more, or one of another kind. */
export function damaged(value: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const damage = fc.tuple(value, fc.constantFrom("drop", "add", "replace"), fc.nat(100), fc.constantFrom(...HOSTILE));
  const broken = damage.map(([fields, how, at, hostile]) => {
    const names = Object.keys(fields);
    const name = names[at % Math.max(1, names.length)] ?? "x";
    const { [name]: _, ...rest } = fields;
    if (how === "drop") return rest;
    return how === "add" ? { ...fields, [`${name}_2`]: hostile } : { ...fields, [name]: hostile };
  });
  return fc.oneof({ weight: 2, arbitrary: value }, { weight: 1, arbitrary: broken });
}
