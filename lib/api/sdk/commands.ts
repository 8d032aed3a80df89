import type { Endpoint } from "#lib/kernel/endpoint.ts";
import type { Command, Field } from "#sdk/cli/command.ts";
import type { Json } from "../openapi/schemas.ts";
import { type SdkOperation, sdkOperations } from "./operations.ts";
import { HEAD } from "./source.ts";

/** The text of `sdk/src/generated/commands.ts`: the commands that make one call each, with their flags. */
export function commandsSource(endpoints: readonly Endpoint[]): string {
  const { operations, types } = sdkOperations(endpoints);
  const lines = operations.flatMap((operation) => {
    const { fields, ...command } = commandOf(operation, types);
    return [`  { ${membersOf(command)}, fields: [`, ...fields.map((field) => `    { ${membersOf(field)} },`), "  ] },"];
  });
  return [
    HEAD,
    'import type { Command } from "../cli/command.ts";',
    "",
    "/** The commands that make one call each, in the order of the reference. */",
    "export const COMMANDS: readonly Command[] = [",
    ...lines,
    "];",
    "",
  ].join("\n");
}

const membersOf = (value: object) =>
  Object.entries(value)
    .flatMap(([name, member]) => (member === undefined ? [] : `${name}: ${JSON.stringify(member)}`))
    .join(", ");

/** Commands that are a group of their own. */
const NAMES: Record<string, string[]> = {
  "agents.accessCreate": ["access", "create"],
  "agents.access": ["access", "list"],
  "agents.accessRemove": ["access", "remove"],
};

function commandOf({ endpoint, name, input, ownId, list }: SdkOperation, types: Json): Command {
  const call = name.filter((part) => part !== undefined);
  const required = new Set(input.required as string[]);
  const fields = Object.entries(input.properties as Record<string, Json>)
    // The profile says who calls.
    .filter(([field]) => !(ownId && field === "public_id"))
    .map(([field, schema]) => fieldOf(field, schema, required.has(field), types));
  return {
    name:
      NAMES[call.join(".")] ?? call.map((part) => part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
    call,
    about: endpoint.summary,
    ...(list ? { list: list.items } : {}),
    fields,
  };
}

function fieldOf(name: string, given: Json, required: boolean, types: Json): Field {
  const schema = resolved(given, types);
  const kind = kindOf(name, schema, types);
  const values = schema.enum as unknown[] | undefined;
  return {
    name,
    kind,
    ...(required ? { required } : {}),
    ...(values && kind === "text" ? { values } : {}),
    about: firstSentence(given) || firstSentence(schema),
  };
}

/** The schema that a reference, or a union with null, means. */
function resolved(schema: Json, types: Json): Json {
  const { $ref, anyOf } = schema as { $ref?: string; anyOf?: Json[] };
  const [only, ...others] = (anyOf ?? []).filter(({ type }) => type !== "null");
  if (only && others.length === 0) return resolved(only, types);
  return $ref === undefined ? schema : (types[$ref.slice($ref.lastIndexOf("/") + 1)] as Json);
}

function kindOf(name: string, schema: Json, types: Json): Field["kind"] {
  if (schema.format === "password") return "secret";
  if (name.endsWith("_pence")) return "pence";
  if (schema.type === "boolean") return "boolean";
  if (schema.const === true) return "boolean";
  if (schema.const === "1") return "one";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "object") return "json";
  if (schema.type !== "array") return "text";
  // Names may share a flag, separated by commas; sentences have commas of their own.
  const { pattern, enum: values, anyOf } = resolved(schema.items as Json, types);
  if (anyOf) return "texts_or_json";
  return values !== undefined || (typeof pattern === "string" && !pattern.startsWith("^[^")) ? "names" : "texts";
}

/** What a schema means, in one sentence. */
function firstSentence({ description = "" }: { description?: string }): string {
  const text = description.replaceAll(/\s+/g, " ");
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;
}
