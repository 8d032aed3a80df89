import { accessOf } from "#lib/kernel/access.ts";
import { type Endpoint, publishedInput } from "#lib/kernel/endpoint.ts";
import { isCredential } from "#lib/kernel/fields.ts";
import { Components, type Json } from "../openapi/schemas.ts";
import type { KEY_ARGUMENTS } from "./call.ts";
import { withToolNames } from "./tool-names.ts";

const KEY_PROPERTIES: Record<(typeof KEY_ARGUMENTS)[number], Json> = {
  idempotency_key: { type: "string", description: "Required: identifies this attempt permanently." },
  client_request_id: { type: "string", description: "The same as idempotency_key, under its usual name." },
};

/** Forms and bounds, which are left to the input check: its refusals name the field and what is wrong with it. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "x-maxBytes",
  "examples",
]);

type InputSchema = {
  type: "object";
  properties: Record<string, Json>;
  required?: string[];
  additionalProperties: false;
};

/**
 * The arguments of a tool as a JSON Schema that refers to nothing outside itself: the input of its endpoint without the selector,
 * credentials, and `public_id` where it means the caller.
 * @param words what an argument says in place of the field's own description
 */
export function toolInputSchema(
  endpoint: Endpoint,
  words: Record<string, string>,
  fillsPublicId: boolean,
): InputSchema {
  const components = new Components();
  const whole = components.add(publishedInput(endpoint), "input");
  const { bearer } = accessOf(endpoint.auth);
  const isArgument = (name: string) =>
    name !== endpoint.selector?.field &&
    name !== bearer &&
    !isCredential(endpoint.input.shape[name]) &&
    !(fillsPublicId && name === "public_id");
  const properties = Object.entries(whole.properties as Record<string, Json>)
    .filter(([name]) => isArgument(name))
    .map(([name, property]) => {
      const { description, ...schema } = shortened(property, components) as Json;
      return [name, { ...schema, description: words[name] ?? description }];
    });
  const required = ((whole.required as string[] | undefined) ?? []).filter(isArgument);
  return {
    type: "object",
    properties: { ...Object.fromEntries(properties), ...(endpoint.idempotencyKey ? KEY_PROPERTIES : {}) },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/**
 * An argument's schema without what models do not need: references are resolved, paths in descriptions become tools, forms and bounds are
 * left out, and objects within an argument are described in words.
 */
function shortened(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((each) => shortened(each, components));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...own } = value as Json;
  if (typeof $ref === "string")
    return shortened({ ...components.schemas[$ref.slice("#/components/schemas/".length)], ...own }, components);
  const isObject = "anyOf" in own || "oneOf" in own || "properties" in own;
  const kept = Object.entries(own).filter(([keyword]) =>
    isObject ? keyword === "type" || keyword === "description" : !LEFT_OUT.has(keyword),
  );
  return Object.fromEntries(
    kept.map(([keyword, each]) => [
      keyword,
      keyword === "description" ? withToolNames(String(each)) : shortened(each, components),
    ]),
  );
}
