import type { Endpoint } from "#lib/kernel/endpoint.ts";
import type { Json } from "./openapi-schemas.ts";
import { type SdkOperation, sdkOperations } from "./sdk-operations.ts";

/** The text of `sdk/src/cli/generated.ts`: the commands, and what their flags mean. */
export function commandsSource(endpoints: readonly Endpoint[]): string {
  const { operations, types } = sdkOperations(endpoints);
  const commands = operations.map((operation) => commandOf(operation, types));
  return [
    "// Written by `npm run generate` from the service's endpoints. Do not edit.",
    "",
    'import type { Command } from "./command.ts";',
    "",
    "export const COMMANDS: readonly Command[] = [",
    ...commands.map((command) => `  ${JSON.stringify(command)},`),
    "];",
    "",
  ].join("\n");
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The schema that a reference means, with the reference's own description. */
function resolved(schema: Json, types: Json): Json {
  const { $ref, ...own } = schema;
  if (typeof $ref !== "string") return schema;
  return { ...(types[$ref.slice($ref.lastIndexOf("/") + 1)] as Json), ...own };
}

function commandOf(operation: SdkOperation, types: Json): Json {
  const { endpoint, name, input, ownId, list } = operation;
  const required = new Set(input.required as string[]);
  const fields = Object.entries(input.properties as Record<string, Json>)
    // The profile says who calls.
    .filter(([field]) => !(ownId && field === "public_id"))
    .map(([field, schema]) => [field, resolved(schema, types)] as const)
    .map(([field, schema]) => ({
      name: field,
      kind: kindOf(field, schema, types),
      ...(required.has(field) ? { required: true } : {}),
      ...(Array.isArray(schema.enum) ? { values: schema.enum } : {}),
      about: firstSentence(String(schema.description ?? "")),
    }));
  return {
    name: [name[0], ...(name[1] ? [kebab(name[1])] : [])],
    call: name.filter(Boolean),
    about: endpoint.summary,
    fields,
    ...(list ? { list: list.items } : {}),
  };
}

/** Help says the least that is needed; the reference says the rest. */
function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function kindOf(name: string, schema: Json, types: Json): string {
  if (schema.format === "password") return "secret";
  if (name.endsWith("_pence")) return "pence";
  if (schema.type === "boolean") return "boolean";
  if (schema.const === "1") return "one";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "object") return "json";
  if (schema.type !== "array") return "text";
  const { pattern, enum: values, anyOf } = resolved(schema.items as Json, types);
  if (anyOf) return "texts_or_json";
  // Names may share a flag, separated by commas; sentences have commas of their own.
  const isName = values !== undefined || (typeof pattern === "string" && !pattern.startsWith("^[^"));
  return isName ? "names" : "texts";
}
