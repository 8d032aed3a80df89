import type { Json } from "../openapi/schemas.ts";

/** What a JSON Schema may hold that a TypeScript type can say. */
type Schema = {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
  format?: string;
};

/** The type of a string that is a secret. */
export const SECRET = "Secret";

const PRIMITIVES: Record<string, string> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/**
 * The TypeScript type of a JSON Schema. References become the names of the types that the schemas' components have.
 * @param indent what stands before each further line
 */
export function typeOf(schema: Json, indent = ""): string {
  const { $ref, enum: values, anyOf, oneOf, type, items, properties, additionalProperties: others } = schema as Schema;
  if ($ref) return $ref.slice($ref.lastIndexOf("/") + 1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = anyOf ?? (properties ? undefined : oneOf);
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice as Json, indent)))].join(" | ");
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(" | ");
  if (type === "array") {
    const item = items ? typeOf(items as Json, indent) : "unknown";
    return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
  }
  if (schema.format === "password") return SECRET;
  if (properties) return objectType(schema, indent);
  if (type === "object")
    return `Record<string, ${others && typeof others === "object" ? typeOf(others as Json, indent) : "unknown"}>`;
  return PRIMITIVES[type ?? ""] ?? "unknown";
}

function objectType({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).flatMap(([name, property]) => [
    ...comment(property.description, inner),
    `${inner}${name}${required.includes(name) ? "" : "?"}: ${typeOf(property as Json, inner)};`,
  ]);
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${indent}}`;
}

/** The lines of a documentation comment; none without a text. */
export function comment(text: string | undefined, indent: string): string[] {
  if (!text) return [];
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}
