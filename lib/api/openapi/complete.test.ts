import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublicRead } from "#lib/kernel/access.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { schemasOf } from "#testing/document.ts";
import { exampleOf } from "../examples/recorded.ts";
import { ENDPOINTS, TRANSFERS } from "../registry.ts";
import { buildOpenApi } from "./openapi.ts";
import { errorCodesOf } from "./operation.ts";
import type { Json } from "./schemas.ts";

(globalThis as { guildhallEnv?: unknown }).guildhallEnv = loadEnv({});

type Document = { paths: Record<string, Record<string, Json>>; components: Record<string, Record<string, Json>> };
const PUBLISHED = [...ENDPOINTS, ...TRANSFERS];
const document = buildOpenApi(ENDPOINTS, TRANSFERS) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** What a reference leads to, with what stands beside it. */
function resolve(value: Json): Json {
  if (typeof value.$ref !== "string") return value;
  const [kind = "", name = ""] = value.$ref.replace("#/components/", "").split("/");
  const target = document.components[kind]?.[name];
  assert.ok(target, `${value.$ref} leads nowhere`);
  return { ...target, ...value };
}

type Property = { place: string; name: string; property: Json };

/** Every property of a schema, at any depth, without following references. */
function* propertiesOf(schema: Json, place: string): Generator<Property> {
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    yield { place, name, property };
    yield* propertiesOf(property, `${place}.${name}`);
  }
  for (const key of ["items", "additionalProperties"])
    if (typeof schema[key] === "object") yield* propertiesOf(schema[key] as Json, `${place}[]`);
  for (const key of ["anyOf", "oneOf"])
    for (const choice of (schema[key] ?? []) as Json[]) yield* propertiesOf(choice, place);
}

function* schemasOfDocument(): Generator<{ place: string; schema: Json }> {
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) yield { place: name, schema };
  for (const { path, method, operation } of operations) {
    const place = `${method} ${path}`;
    const answers = Object.values(operation.responses as Record<string, Json>).map(resolve);
    for (const holder of [operation.requestBody as Json | undefined, ...answers]) {
      // What is a file has no schema.
      const json = (holder?.content as { "application/json"?: { schema: Json } } | undefined)?.["application/json"];
      if (json) yield { place, schema: json.schema };
    }
  }
}

const parameters = operations.flatMap(({ path, method, operation }) =>
  ((operation.parameters ?? []) as Json[]).map((parameter) => ({
    place: `${method} ${path}`,
    name: String(parameter.name),
    property: { ...resolve(parameter.schema as Json), description: parameter.description } as Json,
  })),
);
const properties = [...schemasOfDocument()].flatMap(({ place, schema }) => [...propertiesOf(schema, place)]);
const headers = Object.entries(document.components.headers ?? {}).map(([name, header]) => ({
  place: "header",
  name,
  property: { ...(header.schema as Json), description: header.description } as Json,
}));
const described = [...parameters, ...properties, ...headers];
const nameOf = ({ place, name }: Property) => `${place} ${name}`;

test("every parameter, property and header has a description", () => {
  const silent = described.filter(({ property }) => typeof property.description !== "string" || !property.description);
  assert.deepEqual(silent.map(nameOf), []);
});

test("every shared schema and every operation has a description", () => {
  const members = /^Community\w+$/;
  for (const [name, schema] of Object.entries(document.components.schemas ?? {}))
    if (!members.test(name)) assert.ok(schema.description, name);
  for (const { path, operation } of operations) assert.ok(operation.summary && operation.description, path);
});

const UNITS: [name: RegExp, words: RegExp][] = [
  [/_pence$/, /\bpence\b/],
  [/seconds$/, /\bseconds?\b/i],
  [/_days$/, /\bdays?\b/],
  [/_?bps$/, /basis points/],
];

test("descriptions name the unit of amounts and periods", () => {
  for (const entry of described)
    for (const [name, words] of UNITS)
      if (name.test(entry.name) && isNumber(entry.property))
        assert.match(String(entry.property.description), words, nameOf(entry));
});

function isNumber(property: Json): boolean {
  const { type, anyOf } = resolve(property);
  const types = [type, ...((anyOf ?? []) as Json[]).map((choice) => resolve(choice).type)].flat();
  return types.includes("integer") || types.includes("number");
}

const number = new Intl.NumberFormat("en-GB");

test("descriptions state the default and the maximum of what they describe", () => {
  for (const entry of described) {
    const { maximum, maxLength, maxItems, default: preset } = resolve(entry.property);
    const text = String(entry.property.description);
    for (const bound of [maximum, maxLength, maxItems])
      if (typeof bound === "number" && bound < Number.MAX_SAFE_INTEGER)
        assert.ok(text.includes(number.format(bound)), `${nameOf(entry)}: ${text} without ${bound}`);
    if (preset !== undefined) assert.match(text, /default/i, nameOf(entry));
  }
});

/** Whether a value that fits the schema has a largest size. */
function isBounded(schema: Json): boolean {
  const { type, const: only, enum: values, anyOf, oneOf, pattern, items, ...rest } = resolve(schema);
  if (only !== undefined || values || typeof rest["x-maxBytes"] === "number") return true;
  const choices = (anyOf ?? oneOf) as Json[] | undefined;
  if (choices) return choices.every(isBounded);
  switch (type) {
    case "string":
      return typeof rest.maxLength === "number" || /^\^[^*+]*\$$/.test(String(pattern ?? ""));
    case "integer":
      return typeof rest.maximum === "number" && typeof rest.minimum === "number";
    case "array":
      return typeof rest.maxItems === "number" && isBounded(items as Json);
    case "object":
      return Object.values((rest.properties ?? {}) as Record<string, Json>).every(isBounded);
    default:
      return type === "boolean" || type === "null";
  }
}

test("every input is bounded", () => {
  const inputs = operations.flatMap(({ path, method, operation }) => {
    const body = operation.requestBody as { content: { "application/json"?: { schema: Json } } } | undefined;
    const schema = body?.content["application/json"]?.schema;
    const objects = schema ? ((schema.oneOf ?? [schema]) as Json[]).map(resolve) : [];
    const own = objects.flatMap((object) => Object.entries((object.properties ?? {}) as Record<string, Json>));
    return own.map(([name, property]) => ({ place: `${method} ${path}`, name, property }));
  });
  assert.deepEqual([...parameters, ...inputs].filter(({ property }) => !isBounded(property)).map(nameOf), []);
});

test("each operation lists the successes that it declares, and under each error status exactly its codes", () => {
  for (const { path, method, operation } of operations) {
    const members = PUBLISHED.filter((each) => each.path === path && each.method.toLowerCase() === method);
    const expected = Map.groupBy(new Set(members.flatMap(errorCodesOf)), (code: ErrorCode) => ERRORS[code].status);
    for (const [status, codes] of expected) {
      const answer = resolve((operation.responses as Record<string, Json>)[status] ?? {});
      for (const code of codes) assert.ok(String(answer.description).includes(`\`${code}\``), `${path} ${code}`);
      const { schema } = (answer.content as { "application/json": { schema: Json } })["application/json"];
      const { error } = resolve(schema).properties as Record<string, { properties: Record<string, Json> }>;
      assert.deepEqual(error?.properties.code?.enum, codes.toSorted(), `${method} ${path} ${status}`);
    }
    // A file has answers of its own, among them one without a body for a range that it does not have.
    if (members.some(({ transfer }) => transfer)) continue;
    const successes = members.flatMap(({ status, otherStatus = status }) => [status, otherStatus]);
    const statuses = new Set([...successes, ...(members.some(isPublicRead) ? [304] : []), ...expected.keys()]);
    assert.deepEqual(Object.keys(operation.responses as object), [...statuses].sort().map(String), `${method} ${path}`);
  }
});

test("no component is unused", () => {
  const text = JSON.stringify(document);
  for (const [kind, entries] of Object.entries(document.components))
    if (kind !== "securitySchemes")
      for (const name of Object.keys(entries)) assert.ok(text.includes(`"#/components/${kind}/${name}"`), name);
});

test("every call has an example request and an example answer, which fit their schemas", () => {
  const { request, response } = schemasOf(document);
  for (const endpoint of ENDPOINTS) {
    const example = exampleOf(endpoint);
    assert.ok(
      example,
      `${endpoint.method} ${endpoint.path} has no example: add it to lib/api/examples/examples.itest.ts`,
    );
    const fits = response(endpoint, example.status);
    if (endpoint.path.endsWith("openapi.json")) continue;
    assert.ok(fits?.(example.answer), `${endpoint.path}: ${JSON.stringify(fits?.errors?.slice(0, 2))}`);
    if (endpoint.method !== "POST") continue;
    const accepts = request(endpoint);
    assert.ok(accepts?.(example.request), `${endpoint.path}: ${JSON.stringify(accepts?.errors?.slice(0, 2))}`);
  }
});

test("every operation shows its examples", () => {
  for (const { path, method, operation } of operations) {
    for (const status of ["200", "201"]) {
      const answer = (operation.responses as Record<string, { content?: Record<string, Json> }>)[status];
      const json = answer?.content?.["application/json"];
      if (json) assert.ok("example" in json || "examples" in json, `${method} ${path} ${status}`);
    }
    const holders = [operation.requestBody, ...Object.values(operation.responses as Json)] as (Json | undefined)[];
    const shown = holders.flatMap((holder) => {
      const content = (holder?.content as { "application/json": Json } | undefined)?.["application/json"];
      return content && ("example" in content || "examples" in content) ? [holder] : [];
    });
    // A file is its own example.
    const isFile = method === "get" && path.endsWith("{file}");
    assert.ok(isFile || shown.length >= (method === "post" ? 2 : 1), `${method} ${path}`);
  }
});
