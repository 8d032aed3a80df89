import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { ERRORS } from "#lib/kernel/errors.ts";
import type { Json } from "../openapi/schemas.ts";
import { type SdkOperation, sdkOperations } from "./operations.ts";
import { comment, SECRET, typeOf } from "./typescript-types.ts";

export const HEAD = "// Written by `npm run generate` from the service's endpoints. Do not edit.\n";

/** The text of `sdk/src/generated/api.ts`: the client's methods, the rules of each call, and the types. */
export function sdkSource(endpoints: readonly Endpoint[]): string {
  const { operations, types } = sdkOperations(endpoints);
  const generated = operations.filter((operation) => !isByHand(operation));
  return [
    HEAD,
    'import type { CallOptions, List, Requests, Rules } from "../call.ts";',
    "",
    "/** A secret: never log it, and send it to this service alone. */",
    `export type ${SECRET} = string;`,
    "",
    ...methods(generated),
    "",
    ...rules(generated),
    "",
    ...operations
      .filter(isByHand)
      .flatMap(({ input, answer }) => [...declare("EventsInput", input), ...declare("EventsAnswer", answer)]),
    ...Object.keys(types)
      .filter((name) => name !== "Error")
      .sort()
      .flatMap((name) => declare(name, types[name] as Json)),
    `export type ErrorCode =\n${Object.keys(ERRORS)
      .map((code) => `  | "${code}"`)
      .join("\n")};\n`,
  ].join("\n");
}

function declare(name: string, schema: Json): string[] {
  const { description } = schema as { description?: string };
  return [...comment(description, ""), `export type ${name} = ${typeOf(schema)};`, ""];
}

/** The operations by the first part of their names, in the order in which they are published. */
function groups(operations: SdkOperation[]): Map<string, SdkOperation[]> {
  return Map.groupBy(operations, ({ name }) => name[0]);
}

/** The client has this one by hand: it streams. */
const isByHand = ({ id }: SdkOperation) => id === "events";

function methods(operations: SdkOperation[]): string[] {
  const lines = [
    "/** The calls of the API, by the parts of their paths. */",
    "export const operations = ({ request, list }: Requests) => ({",
  ];
  for (const [group, members] of groups(operations)) {
    const [only] = members;
    if (only && only.name[1] === undefined) lines.push(...method(only, "  "));
    else lines.push(`  ${group}: {`, ...members.flatMap((member) => method(member, "    ")), "  },");
  }
  return [...lines, "});", "", "export type Operations = ReturnType<typeof operations>;"];
}

/** With its input and answer in place, where an editor shows them. */
function method({ endpoint, name, input, answer, list }: SdkOperation, indent: string): string[] {
  const required = ((input.required ?? []) as string[]).length > 0;
  const items = list && ((answer.properties as Json)[list.items] as Json).items;
  const page = typeOf(answer, indent);
  const result = items ? `List<${page}, ${typeOf(items as Json, indent)}>` : `Promise<${page}>`;
  const { method: verb, path, selector } = endpoint;
  const sent = selector ? `{ ${selector.field}: "${selector.value}", ...input }` : "input";
  const full = name.filter(Boolean).join(".");
  const body = list
    ? `list("${full}", "${path}", { items: "${list.items}", by: "${list.by}" }, ${sent}, options)`
    : `request("${full}", "${verb}", "${path}", ${sent}, options)`;
  return [
    ...comment(`${endpoint.summary}.`, indent),
    `${indent}${name[1] ?? name[0]}(input${required ? "" : "?"}: ${typeOf(input, indent)}, options?: CallOptions): ${result} {`,
    `${indent}  return ${body};`,
    `${indent}},`,
  ];
}

/** What the client adds to each call, and when it may send one again. */
function rules(operations: SdkOperation[]): string[] {
  const lines = operations.flatMap((operation) => {
    const rule = ruleOf(operation);
    const entries = Object.entries(rule).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    return entries.length > 0 ? [`  "${operation.name.filter(Boolean).join(".")}": { ${entries.join(", ")} },`] : [];
  });
  return [
    "/** What the client adds to a call, and which writes it may send again without an answer. Others need nothing, such as public reads. */",
    "export const RULES: Rules = {",
    ...lines,
    "};",
  ];
}

export function ruleOf(operation: SdkOperation): object {
  const { endpoint, credential, ownId, repeatable, repeatableWith } = operation;
  return {
    ...(credential ? { credential } : {}),
    ...(ownId ? { ownId } : {}),
    ...(endpoint.method === "POST" && repeatable ? { repeatable } : {}),
    ...(repeatableWith ? { repeatableWith } : {}),
    ...(takesRequestId(operation) ? { requestId: true } : {}),
    ...(endpoint.idempotencyKey ? { idempotencyKey: true } : {}),
  };
}

/** The client makes the ID, and the service recognises a repetition by it. */
function takesRequestId({ endpoint, input }: SdkOperation): boolean {
  return "client_request_id" in (input.properties as Json) && endpoint.errors.includes("request_id_conflict");
}
