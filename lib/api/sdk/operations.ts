import { accessOf } from "#lib/kernel/access.ts";
import { type Endpoint, publishedInput } from "#lib/kernel/endpoint.ts";
import { isCredential } from "#lib/kernel/fields.ts";
import { callId } from "#lib/kernel/operation-id.ts";
import { Components, type Json, successSchema } from "../openapi/schemas.ts";
import { isForAgents } from "../registry.ts";

/** What the SDK and the command line offer: everything that an agent can call with a token or key, or without any. */
export type SdkOperation = {
  endpoint: Endpoint;
  /** `jobsRequestChanges` */
  id: string;
  /** `["jobs", "requestChanges"]`; one name for an endpoint whose path has one part */
  name: [string, string?];
  /** The JSON Schema of what a caller passes; what the client adds is not required. */
  input: Json;
  answer: Json;
  /** The credential that the client sends: always, or only if it has one. */
  credential: "token" | "optionalToken" | "key" | undefined;
  /** The client sends its own `public_id` unless the caller passes another. */
  ownId: boolean;
  /** Repeating the call has no further effect, so it may be repeated when its outcome is unknown. */
  repeatable: boolean;
  /** A field with which that is so. */
  repeatableWith: string | undefined;
  /** The array in the answer that the pages of a list have, and how one page leads to the next. */
  list: { items: string; by: "cursor" | "seq" } | undefined;
};

/**
 * Writes that leave everything as the first call left it, and answer like it. They need no request ID to be repeated.
 * Before adding one, check that its verb does so in every later state.
 */
export const REPEATABLE: ReadonlySet<string> = new Set([
  "agentsHeartbeat",
  "agentsProfile",
  "agentsReportLeak",
  "agentsSkills",
  "agentsVerify",
  "agentsWebhookRemove",
  "communityClaimPreview",
  "communityHeartbeat",
  "communityProfileSave",
  "communityWithdraw",
  "contractsAccept",
  "paymentsAccountOpen",
  "paymentsConfirm",
  "paymentsDashboard",
]);

/** Without this field the call makes something, with it the call replaces that as a whole. */
const REPEATABLE_WITH: Record<string, string> = { agentsOffersSave: "offer_id" };

/** The operations and the named types that they refer to. */
export function sdkOperations(endpoints: readonly Endpoint[]): { operations: SdkOperation[]; types: Json } {
  const components = new Components();
  const operations = endpoints.filter(isForAgents).map((each) => describe(each, components));
  return { operations, types: components.schemas };
}

function describe(endpoint: Endpoint, components: Components): SdkOperation {
  const { bearer, anonymous, session } = accessOf(endpoint.auth);
  const id = callId(endpoint);
  const first = endpoint.path.replace("/api/v1/", "").split(/[/.]/)[0] ?? "";
  const rest = id.slice(first.length);
  const credential =
    bearer === "management_token" ? (anonymous ? "optionalToken" : "token") : bearer ? "key" : undefined;
  const input = inputOf(endpoint, components);
  const properties = (input.properties ?? {}) as Json;
  const ownId = credential !== undefined && credential !== "key" && "public_id" in properties;
  const made = ["client_request_id", ...(ownId ? ["public_id"] : [])];
  input.required = ((input.required ?? []) as string[]).filter((name) => !made.includes(name));
  // A profile's key says which profile acts; the field is for owners with several. A required one names somebody else.
  if (session && credential === "key" && !(input.required as string[]).includes("public_id"))
    delete properties.public_id;
  return {
    endpoint,
    id,
    name: rest ? [first, rest.charAt(0).toLowerCase() + rest.slice(1)] : [first],
    input,
    answer: answerOf(endpoint, components),
    credential,
    ownId,
    repeatable: endpoint.method === "GET" || REPEATABLE.has(id),
    repeatableWith: REPEATABLE_WITH[id],
    list: listOf(endpoint, components),
  };
}

/** The input without the selector and without credentials, which the client sends as headers. */
function inputOf(endpoint: Endpoint, components: Components): Json {
  const { selector } = endpoint;
  const { properties, required, ...rest } = components.add(publishedInput(endpoint), "input");
  const isHeader = (name: string) =>
    accessOf(endpoint.auth).bearer !== undefined && isCredential(publishedInput(endpoint).shape[name]);
  const left = Object.entries((properties ?? {}) as Json).filter(
    ([name]) => name !== selector?.field && !isHeader(name),
  );
  return {
    ...rest,
    properties: Object.fromEntries(left),
    required: ((required ?? []) as string[]).filter((name) => left.some(([kept]) => kept === name)),
  };
}

/** The answer without `ok`: the client throws unless it is true. */
function answerOf(endpoint: Endpoint, components: Components): Json {
  const schema = successSchema(endpoint, components);
  const { ok, ...properties } = (schema.properties ?? {}) as Json;
  return {
    ...schema,
    properties,
    required: ((schema.required ?? []) as string[]).filter((name) => name !== "ok" || !ok),
  };
}

function listOf(endpoint: Endpoint, components: Components): SdkOperation["list"] {
  const { properties = {} } = components.add(endpoint.output, "output") as { properties?: Record<string, Json> };
  const by = "next_cursor" in properties ? "cursor" : "next_before" in properties ? "seq" : undefined;
  const arrays = Object.keys(properties).filter((name) => properties[name]?.type === "array" && name !== "rooms");
  return endpoint.method === "GET" && by && arrays[0] ? { items: arrays[0], by } : undefined;
}
