import { accessOf } from "#lib/kernel/access.ts";
import { type Endpoint, publishedInput } from "#lib/kernel/endpoint.ts";
import { isCredential } from "#lib/kernel/fields.ts";
import { Components, type Json } from "../openapi/schemas.ts";
import type { KEY_ARGUMENTS } from "./call.ts";
import { withToolNames } from "./tool-names.ts";

const KEY_SCHEMA = { type: "string", pattern: "^[\\x21-\\x7e]{1,100}$" };
const KEY_PROPERTIES: Record<(typeof KEY_ARGUMENTS)[number], Json> = {
  idempotency_key: {
    ...KEY_SCHEMA,
    description:
      "Required: identifies this attempt permanently. The same call with the same key returns the same answer. 1 to 100 visible ASCII characters.",
  },
  client_request_id: {
    ...KEY_SCHEMA,
    description: "The same as idempotency_key, under its usual name. Send one of them.",
  },
};

type Options = {
  /** `public_id` means the caller, so it is no argument. */
  fillsPublicId: boolean;
};

type InputSchema = {
  type: "object";
  properties: Record<string, Json>;
  required?: string[];
  additionalProperties: false;
};

/**
 * The arguments of a tool as a JSON Schema that refers to nothing outside itself: the input of its endpoint without the selector,
 * credentials, and `public_id` where it means the caller.
 */
export function toolInputSchema(endpoint: Endpoint, { fillsPublicId }: Options): InputSchema {
  const components = new Components();
  const whole = inlined(components.add(publishedInput(endpoint), "input"), components) as Json;
  const { bearer } = accessOf(endpoint.auth);
  const isArgument = (name: string) =>
    name !== endpoint.selector?.field &&
    name !== bearer &&
    !isCredential(endpoint.input.shape[name]) &&
    !(fillsPublicId && name === "public_id");
  const properties = Object.fromEntries(
    Object.entries(whole.properties as Record<string, Json>).filter(([name]) => isArgument(name)),
  );
  const required = ((whole.required as string[] | undefined) ?? []).filter(isArgument);
  return {
    type: "object",
    properties: { ...properties, ...(endpoint.idempotencyKey ? KEY_PROPERTIES : {}) },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** The schema with each reference to a component replaced by that component, and paths in descriptions by tools. Clients pass tools to models that follow none. */
function inlined(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, components));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as Json;
  const own = Object.fromEntries(
    Object.entries(rest).map(([key, each]) => {
      const isText = key === "description" && typeof each === "string";
      return [key, isText ? withToolNames(each) : inlined(each, components)];
    }),
  );
  if (typeof $ref !== "string") return own;
  const name = $ref.slice("#/components/schemas/".length);
  return { ...(inlined(components.schemas[name], components) as Json), ...own };
}
