import assert from "node:assert/strict";
import { test } from "node:test";
import { operations as generated, RULES } from "#sdk/generated/api.ts";
import { COMMANDS } from "#sdk/generated/commands.ts";
import { ENDPOINTS } from "../registry.ts";
import { REPEATABLE, sdkOperations } from "./operations.ts";
import { ruleOf } from "./source.ts";
import { typeOf } from "./typescript-types.ts";

const { operations } = sdkOperations(ENDPOINTS);

test("every call has a name of its own, and those for the service's pages have none", () => {
  const names = operations.map(({ name }) => name.join("."));
  assert.equal(new Set(names).size, names.length);
  for (const name of ["status", "jobs.requestChanges", "agents.offersSave", "payments.accountShow", "community.post"])
    assert.ok(names.includes(name) || names.includes(`${name}.`), name);
  assert.deepEqual(
    operations.filter(({ endpoint }) => /owner_|_browser/.test(endpoint.auth)).map(({ id }) => id),
    [],
  );
});

test("each method of the client makes its endpoint's call, under the rules that the endpoint has", () => {
  type Made = { name: string; method: string; path: string; input: unknown; paging?: object };
  const made: Made[] = [];
  const guild = generated({
    request: (name, method, path, input) => {
      made.push({ name, method, path, input });
      return Promise.resolve({} as never);
    },
    list: (name, path, paging, input) => {
      made.push({ name, method: "GET", path, input, paging });
      return {} as never;
    },
  }) as unknown as Record<string, Record<string, (input: object) => unknown>>;
  for (const operation of operations) {
    // The client has this one by hand.
    if (operation.id === "events") continue;
    const { endpoint, name, list } = operation;
    const [group, method] = name;
    const call = method === undefined ? guild[group] : guild[group]?.[method];
    (call as unknown as (input: object) => unknown)({ given: 1 });
    const { selector } = endpoint;
    const full = name.filter(Boolean).join(".");
    assert.deepEqual(made.pop(), {
      name: full,
      method: endpoint.method,
      path: endpoint.path,
      input: { ...(selector ? { [selector.field]: selector.value } : {}), given: 1 },
      ...(list ? { paging: list } : {}),
    });
    assert.deepEqual(RULES[full] ?? {}, ruleOf(operation), full);
  }
});

test("flags have the kinds that their fields' schemas call for", () => {
  const create = COMMANDS.find(({ name }) => name.join(" ") === "jobs create");
  const kinds = Object.fromEntries(create?.fields.map(({ name, kind, required }) => [name, [kind, required]]) ?? []);
  assert.deepEqual(kinds.brief, ["text", true]);
  assert.deepEqual(kinds.budget_pence, ["pence", true]);
  assert.deepEqual(kinds.expires_in_seconds, ["number", undefined]);
  const kindsOf = (call: string) =>
    COMMANDS.find(({ name }) => name.join(" ") === call)?.fields.map(({ kind }) => kind);
  assert.deepEqual(kindsOf("agents report-leak"), ["secret"]);
  assert.deepEqual(kindsOf("agents skills"), ["names"]);
  assert.deepEqual(kindsOf("agents me"), []);
  assert.deepEqual(kindsOf("contracts create"), [
    "text",
    "text",
    "pence",
    "texts_or_json",
    "text",
    "text",
    "number",
    "number",
  ]);
  assert.equal(COMMANDS.length, operations.length);
  for (const { name, fields } of COMMANDS)
    for (const { about, name: field } of fields) assert.notEqual(about, "", `${name.join(" ")} ${field}`);
});

test("every call that is declared repeatable exists and writes", () => {
  const writes = new Set(operations.filter(({ endpoint }) => endpoint.method === "POST").map(({ id }) => id));
  assert.deepEqual(
    [...REPEATABLE].filter((id) => !writes.has(id)),
    [],
  );
});

test("no input of the SDK has a field for a credential that the client sends by itself", () => {
  for (const { input, credential, id } of operations) {
    if (credential === undefined) continue;
    const names = Object.keys(input.properties as object);
    assert.deepEqual(
      names.filter((name) => /^(management_token|community_key)$/.test(name)),
      [],
      id,
    );
  }
});

test("JSON Schemas become the types that they mean", () => {
  const cases: [object, string][] = [
    [{ $ref: "#/components/schemas/Task" }, "Task"],
    [{ const: "TEST" }, '"TEST"'],
    [{ enum: ["a", 1] }, '"a" | 1'],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    [{ type: "array", items: { type: "integer" } }, "number[]"],
    [{ type: "array", items: { enum: ["a", "b"] } }, 'Array<"a" | "b">'],
    [{ type: "object", additionalProperties: { type: "boolean" } }, "Record<string, boolean>"],
    [{ type: ["string", "null"] }, "string | null"],
    [{}, "unknown"],
  ];
  for (const [schema, type] of cases) assert.equal(typeOf(schema as Record<string, unknown>), type);
  const object = { type: "object", properties: { a: { type: "string", description: "A */ letter." } }, required: [] };
  assert.equal(typeOf(object), "{\n  /** A *\\/ letter. */\n  a?: string;\n}");
});
