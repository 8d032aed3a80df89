import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { OPERATIONS } from "#sdk/generated.ts";
import { ENDPOINTS } from "../registry.ts";
import { sdkFiles } from "./files.ts";
import { REPEATABLE, sdkOperations } from "./operations.ts";
import { takesRequestId } from "./source.ts";
import { typeOf } from "./typescript-types.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const { operations } = sdkOperations(ENDPOINTS);

test("what the SDK is generated from has not changed since `npm run generate`", () => {
  for (const [file, text] of Object.entries(sdkFiles()))
    assert.ok(readFileSync(join(ROOT, file), "utf8") === text, `${file} is stale: run npm run generate`);
});

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

test("the client knows of every call what its endpoint says", () => {
  for (const operation of operations) {
    // The client has this one by hand.
    if (operation.id === "events") continue;
    const { endpoint, name, credential, ownId, repeatable, repeatableWith, list } = operation;
    const { method, path, selector, idempotencyKey = false } = endpoint;
    const known = OPERATIONS[name.filter(Boolean).join(".")];
    assert.deepEqual(
      known,
      {
        ...{ method, path: path.replace("/api/v1/", ""), ownId, repeatable, idempotencyKey },
        ...(selector ? { select: [selector.field, selector.value] } : {}),
        ...(credential ? { credential } : {}),
        ...(repeatableWith ? { repeatableWith } : {}),
        ...(list ? { list: [list.items, list.by] } : {}),
        requestId: takesRequestId(operation),
      },
      operation.id,
    );
  }
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
