import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { ERRORS } from "#lib/kernel/errors.ts";
import type { Json } from "../openapi/schemas.ts";
import { type SdkOperation, sdkOperations } from "./operations.ts";
import { comment, SECRET, typeOf } from "./typescript-types.ts";

const HEAD = "// Written by `npm run generate` from the service's endpoints. Do not edit.\n";

/**
 * The text of `sdk/src/generated.ts`: types, methods, and what the client needs to know about each.
 *
 * The package ships its declarations, and the command line reads its commands, flags and their help from them. So that the
 * package stays small, a sentence is kept where it is needed most: on methods, on the fields that a call requires, and on types that are not
 * objects. What the other fields mean is in the reference.
 */
export function sdkSource(endpoints: readonly Endpoint[]): string {
  const { operations, types } = sdkOperations(endpoints);
  const described = describeBriefly(operations, types);
  return [
    HEAD,
    'import type { CallOptions, List } from "./call.ts";',
    'import { readOperations } from "./operations.ts";',
    "",
    "/** A secret: never log it, and send it to this service alone. */",
    `export type ${SECRET} = string;`,
    "",
    // In this order the package is smallest.
    ...methods(described.filter((operation) => !isByHand(operation))),
    ...described
      .filter(isByHand)
      .flatMap(({ input, answer }) => [...declare("EventsInput", input), ...declare("EventsAnswer", answer)]),
    ...Object.keys(types)
      .filter((name) => name !== "Error")
      .sort()
      .flatMap((name) => declare(name, undescribed(types[name] as Json))),
    `export type ErrorCode =\n${Object.keys(ERRORS)
      .map((code) => `  | "${code}"`)
      .join("\n")};\n`,
    ...table(operations.filter((operation) => !isByHand(operation))),
    "",
  ].join("\n");
}

function declare(name: string, schema: Json): string[] {
  // What an object is follows from its name and from where it is answered; what a text or number is does not.
  const isPlain = schema.properties === undefined && schema.description !== undefined;
  return [...comment(isPlain ? briefly(schema) : undefined, ""), `export type ${name} = ${typeOf(schema)};`];
}

/** The first sentence of what a schema means. */
function briefly({ description }: Json): string {
  const text = String(description).replaceAll(/\s+/g, " ");
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;
}

/** A schema without what its properties mean, however deep they are. */
function undescribed(schema: Json): Json {
  return mapProperties(schema, ({ description: _, ...property }) => property);
}

/**
 * The operations with inputs whose required fields have one sentence each, unless an earlier field of that name, or the field's type, has the same.
 * `sdk/src/cli/commands.ts` looks it up in that order.
 */
function describeBriefly(operations: SdkOperation[], types: Json): SdkOperation[] {
  const latest = new Map<string, string>();
  return operations.map((operation) => {
    const required = operation.input.required as string[];
    const input = mapProperties(operation.input, (property, name) => {
      if (!required.includes(name)) return { ...property, description: undefined };
      const { $ref } = property;
      const type = typeof $ref === "string" ? (types[$ref.slice($ref.lastIndexOf("/") + 1)] as Json) : {};
      const sentence = briefly(property);
      const known = latest.get(name) ?? (type.description === undefined ? undefined : briefly(type));
      if (sentence === known) return { ...property, description: undefined };
      latest.set(name, sentence);
      return { ...property, description: sentence };
    });
    return { ...operation, input, answer: undescribed(operation.answer) };
  });
}

function mapProperties(schema: Json, change: (property: Json, name: string) => Json): Json {
  const below = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(below);
    return typeof value === "object" && value !== null ? mapProperties(value as Json, change) : value;
  };
  const all = Object.entries(schema).map(([key, value]) => {
    if (key !== "properties") return [key, below(value)];
    const changed = Object.entries(value as Record<string, Json>).map(([name, property]) => {
      return [name, change(mapProperties(property, change), name)];
    });
    return [key, Object.fromEntries(changed)];
  });
  return Object.fromEntries(all) as Json;
}

/** The operations by the first part of their names, in the order in which they are published. */
function groups(operations: SdkOperation[]): Map<string, SdkOperation[]> {
  return Map.groupBy(operations, ({ name }) => name[0]);
}

/** The client has this one by hand: it streams. */
const isByHand = ({ id }: SdkOperation) => id === "events";

function methods(operations: SdkOperation[]): string[] {
  const lines = ["/** The calls of the API, by the parts of their paths. */", "export interface Operations {"];
  for (const [group, members] of groups(operations)) {
    const [only] = members;
    if (only && only.name[1] === undefined) lines.push(...method(only, "  "));
    else lines.push(`  ${group}: {`, ...members.flatMap((member) => method(member, "    ")), "  };");
  }
  return [...lines, "}"];
}

/** With its input and answer in place, where an editor shows them. */
function method({ endpoint, name, input, answer, list }: SdkOperation, indent: string): string[] {
  const required = ((input.required ?? []) as string[]).length > 0;
  const parameter = `input${required ? "" : "?"}: ${typeOf(input, indent)}`;
  const items = list && ((answer.properties as Json)[list.items] as Json).items;
  const page = typeOf(answer, indent);
  const result = items ? `List<${page}, ${typeOf(items as Json, indent)}>` : `Promise<${page}>`;
  const sentence = comment(`${endpoint.summary}.`, indent);
  return [...sentence, `${indent}${name[1] ?? name[0]}(${parameter}, options?: CallOptions): ${result};`];
}

/** The table that `sdk/src/operations.ts` reads: a line for each operation, as short as it can be. */
function table(operations: SdkOperation[]): string[] {
  return ["/** @internal */", "export const OPERATIONS = readOperations(`", ...operations.map(tableLine), "`);"];
}

const LETTERS = { token: "t", optionalToken: "o", key: "k" };

function tableLine(operation: SdkOperation): string {
  const { endpoint, name, credential, repeatable, repeatableWith, list } = operation;
  const { method, path, selector, idempotencyKey } = endpoint;
  const last = selector?.value ?? path.slice(path.lastIndexOf("/") + 1).replace(/\.php$/, "");
  const usual = (name[1] ?? name[0]).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const letters = [
    method === "GET" ? "?" : "!",
    credential ? LETTERS[credential] : "",
    method === "POST" && repeatable ? "r" : "",
    takesRequestId(operation) ? "q" : "",
    idempotencyKey ? "i" : "",
  ];
  const more = [
    last === usual ? "" : ` as=${last}`,
    repeatableWith ? ` with=${repeatableWith}` : "",
    list ? ` list=${list.items}` : "",
  ];
  return `${name.filter(Boolean).join(".")} ${letters.join("")}${more.join("")}`;
}

/** The client makes the ID, and the service recognises a repetition by it. */
export function takesRequestId({ endpoint, input }: SdkOperation): boolean {
  return "client_request_id" in (input.properties as Json) && endpoint.errors.includes("request_id_conflict");
}
