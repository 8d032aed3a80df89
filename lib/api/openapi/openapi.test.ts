import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { test } from "node:test";
import type { Auth } from "#lib/kernel/access.ts";
import { publishedInput } from "#lib/kernel/endpoint.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { scopesFor } from "#lib/kernel/scopes.ts";
import { schemasOf } from "#testing/document.ts";
import { newFolder } from "#testing/folder.ts";
import { runProgram } from "#testing/run-program.ts";
import { ENDPOINTS, TRANSFERS } from "../registry.ts";
import { buildOpenApi } from "./openapi.ts";

(globalThis as { guildhallEnv?: unknown }).guildhallEnv = loadEnv({});

type Body = {
  properties: Record<string, object>;
  required: string[];
  additionalProperties?: boolean;
  oneOf?: { $ref: string }[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
};
type Operation = {
  operationId: string;
  security: object[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: object }[];
  requestBody?: { content: { "application/json": { schema: Body } } };
  responses: Record<string, Answer & { $ref?: string }>;
};
type Answer = { description: string; headers?: object; content?: { "application/json": { schema: object } } };
const document = buildOpenApi(ENDPOINTS, TRANSFERS) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Answer> };
};
const answerOf = ({ responses }: Operation, status: number): Answer | undefined =>
  document.components.responses[responses[status]?.$ref?.split("/").at(-1) ?? ""] ?? responses[status];
const operations = ENDPOINTS.map((endpoint) => {
  const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  assert.ok(operation, `${endpoint.method} ${endpoint.path} is not in the document`);
  return { endpoint, operation };
});
/** The operations of the document, each with the endpoints that share it. */
const shared = [...Map.groupBy(operations, ({ operation }) => operation)].map(([operation, members]) => ({
  operation,
  endpoints: members.map(({ endpoint }) => endpoint),
}));
const ROOT = resolve(import.meta.dirname, "../../..");

test("the document is OpenAPI 3.1 and describes exactly the published endpoints", () => {
  assert.match(document.openapi, /^3\.1\./);
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(
    described.sort(),
    [...new Set([...ENDPOINTS, ...TRANSFERS].map(({ method, path }) => `${method} ${path}`))].sort(),
  );
});

test("the document breaks no rule of Spectral's OpenAPI ruleset", async () => {
  const folder = newFolder();
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  const cli = createRequire(join(ROOT, "package.json")).resolve("@stoplight/spectral-cli/dist/index.js");
  const args = [cli, "lint", file, "--ruleset", join(ROOT, ".spectral.yaml"), "--fail-severity", "hint"];
  const { code, output } = await runProgram(process.execPath, args);
  assert.equal(code, 0, output);
});

test("every schema compiles in strict mode", () => {
  const { request, response } = schemasOf(document);
  for (const { endpoint, operation } of operations) {
    for (const status of Object.keys(operation.responses)) response(endpoint, Number(status));
    if (endpoint.method === "POST") request(endpoint);
  }
});

test("Retry-After and Idempotent-Replayed are documented where they are sent", () => {
  const create = operations.find(({ endpoint }) => endpoint.path === "/api/v1/jobs/create.php");
  assert.deepEqual(
    [201, 401, 403, 409, 429, 503].map((status) =>
      Object.keys((create && answerOf(create.operation, status)?.headers) ?? {}),
    ),
    [
      ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Idempotent-Replayed"],
      ["X-Request-Id", "WWW-Authenticate"],
      ["X-Request-Id"],
      ["X-Request-Id", "Retry-After"],
      ["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After"],
      ["X-Request-Id", "Retry-After"],
    ],
  );
});

test("the description of limit states its default and bounds", () => {
  for (const { endpoint, operation } of operations) {
    const limit = operation.parameters?.find(({ name }) => name === "limit");
    if (!("limit" in endpoint.input.shape)) continue;
    assert.match(limit?.description ?? "", /(20|100) unless given, more than (100|500) counts as/, endpoint.path);
    assert.deepEqual(limit?.schema, { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
  }
});

test("the security requirements follow from who may call, and an access token's from the scope", () => {
  const bearer = { managementToken: [] };
  const key = { communityKey: [] };
  const session = { ownerSession: [], csrfToken: [] };
  const expected: Record<Auth, object[]> = {
    public: [{}],
    public_browser: [{}],
    optional: [{}, bearer],
    service: [bearer],
    service_or_administrator: [bearer],
    bearer: [bearer],
    agent: [bearer, { communityKey: [] }],
    community: [key],
    community_or_owner: [key, session],
    service_or_owner: [bearer, session],
    management_or_owner: [bearer, session],
    owner: [{ ownerSession: [] }],
    owner_browser: [session],
    owner_second_step: [session],
    administrator: [],
  };
  const ways = (all: object[]) => [...new Set(all.map((way) => JSON.stringify(way)))].sort();
  for (const { endpoints, operation } of shared) {
    const described = operation.security.length > 0 ? operation.security : [{}];
    const wanted = endpoints.flatMap(({ auth, scope = null }) => [
      ...expected[auth],
      ...scopesFor(scope).map((each) => ({ accessToken: [each] })),
    ]);
    assert.deepEqual(ways(described), ways(wanted), operation.operationId);
  }
});

/** The object that a POST takes, or the objects that its discriminator tells apart. */
function bodiesOf({ requestBody }: Operation): Body[] {
  const schema = requestBody?.content["application/json"].schema;
  return (
    schema?.oneOf?.map(({ $ref }) => document.components.schemas[$ref.split("/").at(-1) ?? ""] as Body) ?? [
      schema as Body,
    ]
  );
}

test("each action of the community is an object of its own, which the document tells apart by action", () => {
  const act = document.paths["/api/v1/community/"]?.post?.requestBody?.content["application/json"].schema;
  const members = ENDPOINTS.filter(({ selector }) => selector?.field === "action");
  assert.equal(act?.discriminator?.propertyName, "action");
  assert.deepEqual(
    Object.keys(act?.discriminator?.mapping ?? {}),
    members.map(({ selector }) => selector?.value),
  );
  assert.equal(act?.oneOf?.length, members.length);
  for (const endpoint of members) {
    const name = act?.discriminator?.mapping[endpoint.selector?.value ?? ""]?.split("/").at(-1) ?? "";
    const { properties, required } = document.components.schemas[name] as Body;
    assert.deepEqual(Object.keys(properties), Object.keys(publishedInput(endpoint).shape));
    if (name === "CommunitySetupService")
      assert.deepEqual(Object.keys(properties), ["action", "public_id", "homepage_url", "name", "bio"]);
    else if (endpoint.errors.includes("consent_required") && endpoint.selector?.value !== "profile")
      for (const consent of ["public_consent", "operator_authorized"]) assert.ok(required.includes(consent), name);
  }
});

test("each view of the community is an answer of its own, which the document tells apart by view", () => {
  const read = document.paths["/api/v1/community/"]?.get;
  const answer = read?.responses["200"]?.content?.["application/json"].schema as Body;
  const views = ENDPOINTS.filter(({ selector }) => selector?.field === "view").map(({ selector }) => selector?.value);
  assert.equal(answer.discriminator?.propertyName, "view");
  assert.deepEqual(Object.keys(answer.discriminator?.mapping ?? {}), views);
  const parameter = read?.parameters?.find(({ name }) => name === "view")?.schema as { enum: string[] } | undefined;
  assert.deepEqual(parameter?.enum, views);
});

test("GET inputs are query parameters; POST inputs are bodies without other properties", () => {
  for (const { endpoint, operation } of operations) {
    const members = ENDPOINTS.filter(({ method, path }) => method === endpoint.method && path === endpoint.path);
    const fields = [...new Set(members.flatMap((member) => Object.keys(publishedInput(member).shape)))].sort();
    const inQuery = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === "query")
      .map(({ name }) => name);
    if (endpoint.method === "GET") assert.deepEqual(inQuery.sort(), fields);
    else for (const body of bodiesOf(operation)) assert.equal(body.additionalProperties, false);
  }
});

test("the session's cookie has the name that browsers get, which differs under HTTPS", () => {
  const kept = (globalThis as { guildhallEnv?: unknown }).guildhallEnv;
  const nameAt = (baseUrl: string) => {
    (globalThis as { guildhallEnv?: unknown }).guildhallEnv = loadEnv({
      BASE_URL: baseUrl,
      AUTH_SECRET: "x".repeat(40),
    });
    const { components } = buildOpenApi(ENDPOINTS) as {
      components: { securitySchemes: Record<string, { in: string; name: string }> };
    };
    return Object.values(components.securitySchemes).find((scheme) => scheme.in === "cookie")?.name;
  };
  try {
    assert.equal(nameAt("http://localhost:3000"), "next-auth.session-token");
    assert.equal(nameAt("https://guild.example"), "__Host-next-auth.session-token");
  } finally {
    (globalThis as { guildhallEnv?: unknown }).guildhallEnv = kept;
  }
});
