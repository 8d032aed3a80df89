import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { ERRORS } from "#lib/kernel/errors.ts";
import type { Json } from "./openapi-schemas.ts";
import { type SdkOperation, sdkOperations } from "./sdk-operations.ts";
import { comment, typeOf } from "./typescript-types.ts";

const HEAD = "// Written by `npm run generate` from the service's endpoints. Do not edit.\n";

/** The text of `sdk/src/generated.ts`: types, methods, and what the client needs to know about each. */
export function sdkSource(endpoints: readonly Endpoint[]): string {
  const { operations, types } = sdkOperations(endpoints);
  return [
    HEAD,
    'import type { CallOptions, List, Operation } from "./call.ts";',
    "",
    ...Object.keys(types)
      .filter((name) => name !== "Error")
      .sort()
      .flatMap((name) => declare(name, types[name] as Json)),
    ...operations.flatMap((operation) => [
      ...declare(`${typeName(operation)}Input`, operation.input),
      ...declare(`${typeName(operation)}Answer`, operation.answer),
    ]),
    `export type ErrorCode =\n${Object.keys(ERRORS)
      .map((code) => `  | "${code}"`)
      .join("\n")};\n`,
    ...methods(operations.filter((operation) => !isByHand(operation))),
    "",
    ...table(operations.filter((operation) => !isByHand(operation))),
    "",
  ].join("\n");
}

const typeName = ({ id }: SdkOperation) => id.charAt(0).toUpperCase() + id.slice(1);

function declare(name: string, schema: Json): string[] {
  return [...comment(schema.description as string | undefined, ""), `export type ${name} = ${typeOf(schema)};`, ""];
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

function method(operation: SdkOperation, indent: string): string[] {
  const { endpoint, name, input, list } = operation;
  const { summary, description } = endpoint;
  const text = description ? `${summary}.\n\n${description}` : `${summary}.`;
  const required = ((input.required ?? []) as string[]).length > 0;
  const parameter = `input${required ? "" : "?"}: ${typeName(operation)}Input`;
  const answer = `${typeName(operation)}Answer`;
  const result = list ? `List<${answer}, ${answer}["${list.items}"][number]>` : `Promise<${answer}>`;
  return [...comment(text, indent), `${indent}${name[1] ?? name[0]}(${parameter}, options?: CallOptions): ${result};`];
}

/** One line for each operation, as short as it can be: browsers load it. */
function table(operations: SdkOperation[]): string[] {
  const lines = operations.map(({ endpoint, name, input, credential, ownId, repeatable, repeatableWith, list }) => {
    const { method, path, selector, idempotencyKey } = endpoint;
    const properties = (input.properties ?? {}) as Json;
    const facts = {
      method,
      path: path.replace("/api/v1/", ""),
      ...(selector ? { select: [selector.field, selector.value] } : {}),
      ...(credential ? { credential } : {}),
      ...(ownId ? { ownId } : {}),
      ...(repeatable ? { repeatable } : {}),
      ...(repeatableWith ? { repeatableWith } : {}),
      ...("client_request_id" in properties && endpoint.errors.includes("request_id_conflict")
        ? { requestId: true }
        : {}),
      ...(idempotencyKey ? { idempotencyKey } : {}),
      ...(list ? { list: [list.items, list.by] } : {}),
    };
    const text = Object.entries(facts).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    return `  "${name.filter(Boolean).join(".")}": { ${text.join(", ")} },`;
  });
  return ["export const OPERATIONS: Readonly<Record<string, Operation>> = {", ...lines, "};"];
}
