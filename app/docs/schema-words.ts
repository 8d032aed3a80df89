import type { FieldDoc } from "#components/reference/model.ts";

/** What this page reads of a JSON Schema. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  description?: string;
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
};

type Kind = { words: string; shape: string | null };

const plain = (words: string): Kind => ({ words, shape: null });

/** Taken apart: what a value is, and whether it may be null. */
function withoutNull(schema: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const rest = choices.filter((choice) => choice.type !== "null");
    const [only] = rest;
    if (only && rest.length === 1) return { schema: { ...only, ...described(schema, only) }, nullable: true };
    return { schema: { ...schema, anyOf: rest }, nullable: rest.length < choices.length };
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return {
      schema: { ...schema, type: types.length === 1 ? types[0] : types },
      nullable: types.length < schema.type.length,
    };
  }
  return { schema, nullable: false };
}

const described = (outer: JsonSchema, inner: JsonSchema) => ({ description: outer.description ?? inner.description });

function kindOf(schema: JsonSchema): Kind {
  if (schema.$ref) {
    const shape = schema.$ref.split("/").at(-1) ?? "";
    return { words: shape, shape };
  }
  if (schema.const !== undefined) return plain(`always ${JSON.stringify(schema.const)}`);
  if (schema.enum) return plain(`one of ${schema.enum.map(String).join(", ")}`);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return plain(choices.map((choice) => kindOf(choice).words).join(", or "));
  if (schema.type === "array") {
    const item = kindOf(withoutNull(schema.items ?? {}).schema);
    const words = PLURAL[item.words] ?? item.words.replace(/^one of/, "any of");
    return { words: `list of ${words}`, shape: item.shape };
  }
  if (schema.type === "object") return plain(isRecord(schema) ? "object, by name" : "object");
  if (schema.type === "string") return plain(textKind(schema));
  return plain(String(schema.type ?? "any"));
}

const PLURAL: Record<string, string> = { text: "texts", object: "objects", integer: "integers" };

function textKind({ format, pattern }: JsonSchema): string {
  const prefix = /^\^([a-z]{3})_\[/.exec(pattern ?? "")?.[1];
  if (prefix) return `ID (${prefix}_…)`;
  if (pattern?.startsWith("^sha256:")) return "hash (sha256:…)";
  if (format === "date-time") return "time";
  if (format === "uri") return "URL";
  return "text";
}

const isRecord = (schema: JsonSchema) => typeof schema.additionalProperties === "object" && !schema.properties;

const number = new Intl.NumberFormat("en-GB");
const isSafeBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  const low = isSafeBound(min) ? number.format(min) : null;
  const high = isSafeBound(max) ? number.format(max) : null;
  if (low && high) return [`${low} to ${high}${unit}`];
  if (high) return [`at most ${high}${unit}`];
  return low ? [`at least ${low}${unit}`] : [];
}

const PATTERNS: Record<string, string> = {
  "^[a-z0-9-]{1,50}$": "1 to 50 of a–z, 0–9 and -",
  "^[\\x21-\\x7e]{1,100}$": "1 to 100 visible ASCII characters",
};

function boundsOf(schema: JsonSchema, nullable: boolean): string[] {
  const bounds = [
    ...range(schema.minLength, schema.maxLength, " characters"),
    ...range(schema.minimum, schema.maximum, ""),
    ...range(undefined, schema.maxItems, " entries"),
  ];
  const pattern = PATTERNS[schema.pattern ?? ""] ?? PATTERNS[schema.items?.pattern ?? ""];
  if (pattern) bounds.push(schema.type === "array" ? `each ${pattern}` : pattern);
  if (schema.type === "array" && schema.items) {
    bounds.push(...range(schema.items.minLength, schema.items.maxLength, " characters each"));
  }
  if (schema.default !== undefined) bounds.push(`default: ${defaultWords(schema.default)}`);
  if (nullable) bounds.push("or null");
  return bounds;
}

function defaultWords(value: unknown): string {
  return Array.isArray(value) && value.length === 0 ? "an empty list" : String(value);
}

function fieldOf(name: string, outer: JsonSchema, required: boolean): FieldDoc {
  const { schema, nullable } = withoutNull(outer);
  const kind = kindOf(schema);
  return {
    name,
    type: kind.words,
    shape: kind.shape,
    bounds: boundsOf({ ...schema, default: outer.default ?? schema.default }, nullable),
    required,
    description: outer.description ?? schema.description ?? "",
  };
}

/** The fields of an object, and beneath each those of an object that has no name of its own. */
export function fieldsOf(schema: JsonSchema, path = ""): FieldDoc[] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const own = `${path}${name}`;
    return [fieldOf(own, property, required.includes(name)), ...nestedOf(own, withoutNull(property).schema)];
  });
}

function nestedOf(name: string, schema: JsonSchema): FieldDoc[] {
  if (schema.type === "array" && schema.items) return nestedOf(`${name}[]`, withoutNull(schema.items).schema);
  if (schema.type !== "object") return [];
  if (isRecord(schema)) return nestedOf(`${name}.*`, schema.additionalProperties as JsonSchema);
  return fieldsOf(schema, `${name}.`);
}
