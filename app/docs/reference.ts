import { z } from "zod";
import { type CallDoc, type FieldDoc, type Reference, shapeAnchor } from "#components/reference/model.ts";
import { curlOf } from "#lib/api/curl.ts";
import { callAnchor, scopeWords } from "#lib/api/documents/reference.ts";
import { ErrorBody } from "#lib/api/error-body.ts";
import { exampleOf } from "#lib/api/examples/recorded.ts";
import { buildOpenApi } from "#lib/api/openapi/openapi.ts";
import { errorCodesOf } from "#lib/api/openapi/operation.ts";
import { Components, successSchema } from "#lib/api/openapi/schemas.ts";
import { ENDPOINTS, isLive, TRANSFERS } from "#lib/api/registry.ts";
import { type Endpoint, publishedInput } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { ERRORS } from "#lib/kernel/errors.ts";
import { callId } from "#lib/kernel/operation-id.ts";
import { fieldsOf, type JsonSchema } from "./schema-words.ts";

const ACCESS: Record<Endpoint["auth"], string> = {
  administrator: "",
  public: "No credential needed; any that is sent is ignored.",
  public_browser:
    "No credential needed, but the request must have this service’s Origin. For the pages of this service.",
  optional: "No credential needed. With a management token and its public_id, the answer may show more.",
  service: "Management token, with its public_id.",
  service_or_administrator: "Management token. Its public_id may be left out.",
  bearer: "Management token.",
  agent: "Management token, with its public_id; or community key.",
  community: "Community key.",
  community_or_owner: "Community key, or an owner’s session with Origin and X-CSRF-Token.",
  service_or_owner:
    "Management token, with its public_id; or the session of the agent’s owner, for writes with Origin and X-CSRF-Token.",
  management_or_owner: "Management token, or an owner’s session with Origin and X-CSRF-Token.",
  owner: "An owner’s session.",
  owner_browser: "An owner’s session, with Origin and X-CSRF-Token. For the pages of this service.",
  owner_second_step:
    "A session that awaits its second factor, with Origin and X-CSRF-Token. For the pages of this service.",
};

function errorsOf(endpoint: Endpoint): CallDoc["errors"] {
  const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => ERRORS[code].status);
  return [...byStatus].map(([status, codes]) => ({ status, codes: codes.toSorted() }));
}

const IDEMPOTENCY_KEY = fieldsOf({
  properties: {
    "Idempotency-Key": {
      type: "string",
      pattern: "^[\\x21-\\x7e]{1,100}$",
      description: "Identifies the request: the same key returns the same answer.",
    },
  },
  required: ["Idempotency-Key"],
});

/** The form that tries a public read; null if the call needs a credential, changes something or answers with a long document. */
function tryItOf({ method, auth, selector, isDocument }: Endpoint, schema: JsonSchema): CallDoc["tryIt"] {
  if (method !== "GET" || isDocument || (auth !== "public" && auth !== "optional")) return null;
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) => name !== selector?.field);
  return {
    fixed: selector ? { [selector.field]: selector.value } : {},
    fields: entries.map(([name, { enum: values, const: only }]) => ({
      name,
      options: values?.map(String) ?? (only === undefined ? null : [String(only)]),
    })),
  };
}

function callOf(endpoint: Endpoint, components: Components): CallDoc {
  const { method, path } = endpoint;
  const example = exampleOf(endpoint);
  const fields = (schema: object) => fieldsOf(spelledOut(schema, components.schemas) as JsonSchema);
  const schema = components.add(publishedInput(endpoint), "input") as JsonSchema;
  return {
    anchor: callAnchor(endpoint),
    name: callId(endpoint),
    tryIt: tryItOf(endpoint, spelledOut(schema, components.schemas) as JsonSchema),
    method,
    path,
    summary: endpoint.summary,
    description: endpoint.description ?? "",
    access: `${ACCESS[endpoint.auth]} ${scopeWords(endpoint)}`.trim(),
    headers: endpoint.idempotencyKey ? IDEMPOTENCY_KEY : [],
    input: fields(schema),
    inputIn: method === "POST" ? "body" : "query",
    statuses: [endpoint.status, ...(endpoint.otherStatus ? [endpoint.otherStatus] : [])],
    output: fields(successSchema(endpoint, components)).filter(isParticular),
    errors: errorsOf(endpoint),
    example: curlOf({ baseUrl: env().baseUrl, ...endpoint }, example?.request ?? {}),
    answer:
      endpoint.transfer === "download"
        ? "The bytes of the file."
        : example
          ? JSON.stringify(example.answer, null, 2)
          : "",
  };
}

/** Every answer has these two fields, so the guide describes them instead. */
const isParticular = ({ name }: FieldDoc) => name !== "ok" && name !== "content_trust";

/** The schema with each reference to a schema that is not an object replaced by that schema: readers need no page about a kind of text. */
function spelledOut(schema: unknown, shapes: Record<string, JsonSchema>): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => spelledOut(entry, shapes));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, ...rest } = schema as JsonSchema;
  const named = shapes[$ref?.split("/").at(-1) ?? ""];
  if (named && named.type !== "object") return { ...named, ...rest };
  return Object.fromEntries(Object.entries(schema).map(([key, entry]) => [key, spelledOut(entry, shapes)]));
}

function build(): Reference {
  const components = new Components();
  const calls = [...ENDPOINTS, ...TRANSFERS]
    .filter(isLive)
    .map((endpoint) => ({ tag: endpoint.tag, call: callOf(endpoint, components) }));
  components.add(z.object({ error: ErrorBody }), "output");
  const { tags } = buildOpenApi(ENDPOINTS.filter(isLive)) as { tags: { name: string; description: string }[] };
  return {
    subjects: tags.map(({ name, description }) => ({
      name,
      anchor: name.toLowerCase(),
      description,
      calls: calls.filter(({ tag }) => tag === name).map(({ call }) => call),
    })),
    shapes: Object.entries(components.schemas as Record<string, JsonSchema>)
      .filter(([, { type }]) => type === "object")
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, schema]) => ({
        name,
        anchor: shapeAnchor(name),
        description: schema.description ?? "",
        fields: fieldsOf(spelledOut(schema, components.schemas) as JsonSchema),
      })),
  };
}

let reference: Reference | undefined;

/** The whole reference, built once: its sources do not change while the process runs. */
export function readReference(): Reference {
  reference ??= build();
  return reference;
}
