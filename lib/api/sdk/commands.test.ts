import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "#sdk/cli/commands.ts";
import type { Json } from "../openapi/schemas.ts";
import { ENDPOINTS } from "../registry.ts";
import { type SdkOperation, sdkOperations } from "./operations.ts";

// The command line reads its commands from the SDK's declarations. Here they are compared with the endpoints themselves.

const { operations, types } = sdkOperations(ENDPOINTS);
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const firstSentence = (text: string) => /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;

/** The schema that a reference or a union with null means. */
function resolved(schema: Json): Json {
  const { $ref, anyOf } = schema as { $ref?: string; anyOf?: Json[] };
  const [only, ...others] = (anyOf ?? []).filter(({ type }) => type !== "null");
  if (only && others.length === 0) return resolved(only);
  return $ref === undefined ? schema : (types[$ref.slice($ref.lastIndexOf("/") + 1)] as Json);
}

function kindOf(name: string, given: Json): string {
  const schema = resolved(given);
  if (schema.format === "password") return "secret";
  if (name.endsWith("_pence")) return "pence";
  if (schema.type === "boolean") return "boolean";
  if (schema.const === "1") return "one";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "object") return "json";
  if (schema.type !== "array") return "text";
  const { pattern, enum: values, anyOf } = resolved(schema.items as Json);
  if (anyOf) return "texts_or_json";
  return values !== undefined || (typeof pattern === "string" && !pattern.startsWith("^[^")) ? "names" : "texts";
}

function expected({ endpoint, name, input, ownId, list }: SdkOperation) {
  const required = new Set(input.required as string[]);
  const fields = Object.entries(input.properties as Record<string, Json>).filter(
    ([field]) => !(ownId && field === "public_id"),
  );
  return {
    name: [name[0], ...(name[1] ? [kebab(name[1])] : [])],
    call: name.filter(Boolean),
    about: endpoint.summary,
    list: list?.items,
    fields: fields.map(([field, schema]) => ({
      name: field,
      kind: kindOf(field, schema),
      required: required.has(field),
      values: resolved(schema).enum,
      ...(required.has(field) ? { about: firstSentence(String(schema.description)) } : {}),
    })),
  };
}

test("the command line has every call, with its fields, their kinds, their values and a sentence on those that are required", () => {
  const known = new Map(commands().map((command) => [command.call.join("."), command]));
  assert.equal(known.size, operations.length);
  for (const operation of operations) {
    const want = expected(operation);
    const { list, fields, ...command } = known.get(want.call.join(".")) ?? assert.fail(want.call.join("."));
    const shown = fields.map(({ name, kind, required = false, values, about }) => ({
      ...{ name, kind, required, values },
      ...(required ? { about } : {}),
    }));
    assert.deepEqual({ ...command, list, fields: shown }, want);
  }
});
