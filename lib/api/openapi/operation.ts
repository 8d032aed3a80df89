import { accessOf, CREDENTIALS, isPublicRead } from "#lib/kernel/access.ts";
import { type Endpoint, isOptional, publishedInput } from "#lib/kernel/endpoint.ts";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { callId, capitalised, operationId } from "#lib/kernel/operation-id.ts";
import { scopesFor } from "#lib/kernel/scopes.ts";
import { IDEMPOTENCY_KEY } from "../curl.ts";
import { type Example, exampleOf } from "../examples/recorded.ts";
import { type ErrorAnswers, headers } from "./errors.ts";
import { type Components, type Group, inputSchema, type Json, successSchema } from "./schemas.ts";
import { transferOperation } from "./transfers.ts";

/** Every code that an endpoint may answer with: those of its own verb, and those of the checks before it. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    "invalid_input",
    "rate_limited",
    "internal",
    "temporarily_unavailable",
    ...endpoint.errors,
  ]);
  const { bearer, session, ownPages } = accessOf(endpoint.auth);
  if (session === "administrator") codes.add("not_found").add("forbidden");
  else if (bearer || session) codes.add("invalid_credential");
  if (bearer === "management_token") codes.add("identity_suspended").add("gate_refused");
  // Every access token may read.
  const scopes = [endpoint.scope, ...Object.values(endpoint.fieldScopes ?? {})];
  if (scopes.some((scope) => scope !== undefined && scope !== "read")) codes.add("insufficient_scope");
  // An agent that its owner froze may read with its community key, but not write.
  if (bearer === "community_key" && endpoint.method === "POST") codes.add("gate_refused");
  if (ownPages) codes.add("csrf_failed");
  if (endpoint.method === "POST") codes.add("body_too_large").add("unsupported_media_type");
  return [...codes].sort((one, other) => ERRORS[one].status - ERRORS[other].status);
}

const STREAM: Json = {
  type: "string",
  description: "Server-sent events. The data of each is one object, as the JSON answer lists them.",
};
const LAST_EVENT_ID: Json = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "For a stream: the last id that you received. It wins over `after`. At most 16 digits.",
  schema: { type: "string", pattern: "^\\d{1,16}$", maxLength: 16 },
};

/** The headers of a success. */
function successHeaders(members: Endpoint[]): Json {
  const repeats = members.some(
    (endpoint) => endpoint.idempotencyKey || endpoint.errors.includes("request_id_conflict"),
  );
  return headers(
    "X-Request-Id",
    "RateLimit",
    "RateLimit-Policy",
    ...(repeats ? ["Idempotent-Replayed"] : []),
    ...(members.some(isPublicRead) ? ["ETag"] : []),
  );
}

/** The answers of several endpoints. Those that repeat the selector are told apart by it. */
function answersOfFamily(members: Endpoint[], components: Components): Json {
  const refs = members.map((endpoint) =>
    components.name(`${capitalised(callId(endpoint))}Answer`, successSchema(endpoint, components)),
  );
  const { field = "" } = members[0]?.selector ?? {};
  if (!members.every(({ output }) => field in output.shape)) return { anyOf: refs };
  const mapping = Object.fromEntries(members.map(({ selector }, at) => [selector?.value, refs[at]?.$ref]));
  return { oneOf: refs, discriminator: { propertyName: field, mapping } };
}

/** One example, or one of each member of a family, by the selector's value. */
function examplesOf(members: Endpoint[], pick: (example: Example) => unknown, status?: number): Json {
  const found = members.flatMap((endpoint) => {
    const example = exampleOf(endpoint, status);
    const value = example && pick(example);
    return value === undefined ? [] : [{ name: endpoint.selector?.value, summary: endpoint.summary, value }];
  });
  const [only] = found;
  if (!only) return {};
  if (only.name === undefined) return { example: only.value };
  return { examples: Object.fromEntries(found.map(({ name, summary, value }) => [name, { summary, value }])) };
}

function responses(group: Group, components: Components, errors: ErrorAnswers): Json {
  const answers: Json = {};
  for (const status of [200, 201, 202] as const) {
    const members = group.filter((endpoint) => endpoint.status === status || endpoint.otherStatus === status);
    const [first] = members;
    if (!first) continue;
    const schema = members.length > 1 ? answersOfFamily(members, components) : successSchema(first, components);
    answers[status] = {
      description: { 200: "Success.", 201: "Created.", 202: "Accepted; it goes on." }[status],
      headers: successHeaders(members),
      content: {
        "application/json": { schema, ...examplesOf(members, ({ answer }) => answer, status) },
        ...(first.stream ? { "text/event-stream": { schema: STREAM } } : {}),
      },
    };
  }
  if (group.some(isPublicRead)) {
    answers["304"] = {
      description: "Unchanged since the ETag in If-None-Match.",
      headers: headers("X-Request-Id", "RateLimit", "RateLimit-Policy", "ETag"),
    };
  }
  return { ...answers, ...errors.byStatus(group.flatMap(errorCodesOf)) };
}

function parameters(group: Group, components: Components): Json[] {
  const found: Json[] = [];
  if (group[0].method === "GET") {
    const schema = inputSchema(group, components);
    const required = (schema.required as string[] | undefined) ?? [];
    for (const [name, { description, ...property }] of Object.entries(
      (schema.properties ?? {}) as Record<string, Json>,
    )) {
      found.push({
        name,
        in: "query",
        required: required.includes(name),
        ...(description ? { description } : {}),
        schema: property,
        ...examplesOf(group, ({ request }) => request[name]),
      });
    }
  }
  if (group.some(({ idempotencyKey }) => idempotencyKey)) {
    found.push({
      name: "Idempotency-Key",
      in: "header",
      required: true,
      description: "Identifies the request: the same key returns the same answer. 1 to 100 visible ASCII characters.",
      schema: { type: "string", minLength: 1, maxLength: 100, pattern: "^[\\x21-\\x7e]{1,100}$" },
      example: IDEMPOTENCY_KEY,
    });
  }
  if (group.some(isPublicRead)) {
    found.push({
      name: "If-None-Match",
      in: "header",
      required: false,
      description:
        "The ETag of an answer that you have; while it is current, the answer is 304 without a body. Default: none.",
      schema: { type: "string", maxLength: 1_000 },
    });
  }
  if (group.some(({ stream }) => stream)) found.push(LAST_EVENT_ID);
  return found;
}

/** The ways to authenticate; each one suffices. */
function securityOf(group: Group): Json[] {
  const ways = group.flatMap(({ auth, scope }) => {
    const { anonymous, bearer, orBearer, session, ownPages } = accessOf(auth);
    return [
      ...(anonymous ? [{}] : []),
      ...(bearer ? [{ [CREDENTIALS[bearer].scheme]: [] }] : []),
      ...scopesFor(scope ?? null).map((each) => ({ [CREDENTIALS.access_token.scheme]: [each] })),
      ...(orBearer ? [{ [CREDENTIALS[orBearer].scheme]: [] }] : []),
      ...(session && auth !== "service_or_administrator"
        ? [{ ownerSession: [], ...(ownPages ? { csrfToken: [] } : {}) }]
        : []),
    ];
  });
  const seen = new Map(ways.map((way) => [JSON.stringify(way), way]));
  return seen.size === 1 && seen.has("{}") ? [] : [...seen.values()];
}

/** Summary and description; for a family, the description lists its members. */
function describe(group: Group): { summary: string; description: string } {
  const [{ summary, description, selector, path, method }] = group;
  if (!selector) return { summary, description: description ?? `${summary}.` };
  const members = group.map((endpoint) => {
    const own = Object.entries(publishedInput(endpoint).shape).filter(([name]) => name !== selector.field);
    const list = (word: string, fields: typeof own) =>
      fields.length > 0 ? ` ${word}: ${fields.map(([name]) => `\`${name}\``).join(", ")}.` : "";
    const needs =
      list(
        "Required",
        own.filter(([, field]) => !isOptional(field)),
      ) +
      list(
        "Optional",
        own.filter(([, field]) => isOptional(field)),
      );
    return `- \`${endpoint.selector?.value}\`: ${endpoint.summary}.${needs}${endpoint.description ? ` ${endpoint.description}` : ""}`;
  });
  return {
    summary: `${method === "GET" ? "Read" : "Act in"} the community, by \`${selector.field}\``,
    description: [`\`${selector.field}\` selects what ${path} does:`, "", ...members].join("\n"),
  };
}

/** A call whose body or answer is a file. */
export function transfer(endpoint: Endpoint, components: Components, errors: ErrorAnswers): Json {
  return transferOperation(endpoint, components, errors.byStatus(errorCodesOf(endpoint)), securityOf([endpoint]));
}

/** One method of one path, for all endpoints that share it. */
export function operation(group: Group, components: Components, errors: ErrorAnswers): Json {
  const [first] = group;
  const params = parameters(group, components);
  return {
    operationId: operationId(first),
    tags: [first.tag],
    ...describe(group),
    security: securityOf(group),
    ...(params.length > 0 ? { parameters: params } : {}),
    ...(first.method === "POST"
      ? {
          requestBody: {
            required: true,
            description: group.length > 1 ? "The fields of one action." : "The fields of the request.",
            content: {
              "application/json": {
                schema: inputSchema(group, components),
                ...examplesOf(group, ({ request }) => request),
              },
            },
          },
        }
      : {}),
    responses: responses(group, components, errors),
  };
}
