import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { readReference } from "./reference.ts";
import { sampleOf } from "./samples.ts";

const { tags, shapes } = readReference();
const endpoints = tags.flatMap((tag) => tag.endpoints);

test("every endpoint of the registry stands in the reference, under an anchor of its own", () => {
  assert.equal(endpoints.length, ENDPOINTS.length);
  assert.deepEqual(
    new Set(endpoints.map(({ method, path }) => `${method} ${path}`)),
    new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`)),
  );
  assert.equal(new Set(endpoints.map(({ anchor }) => anchor)).size, endpoints.length);
});

test("every field says what it is and what it means", () => {
  const fields = [
    ...endpoints.flatMap(({ path, input, output }) => [...input, ...output].map((field) => ({ of: path, ...field }))),
    ...shapes.flatMap(({ name, fields }) => fields.map((field) => ({ of: name, ...field }))),
  ];
  const silent = fields.filter(({ type, description }) => !type || !description);
  assert.deepEqual(
    silent.map(({ of, name }) => `${of} ${name}`),
    [],
  );
});

test("every shape that a field names stands in the reference", () => {
  const known = new Set(shapes.map(({ name }) => name));
  const named = [...endpoints, ...shapes].flatMap((entry) =>
    "fields" in entry ? entry.fields : [...entry.input, ...entry.output],
  );
  for (const { shape } of named) if (shape) assert.ok(known.has(shape), shape);
});

test("every example is a request that its endpoint accepts", () => {
  for (const endpoint of ENDPOINTS) {
    const { method, path, input, selector } = endpoint;
    const required = Object.entries(input.shape)
      .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
      .map(([name]) => name);
    const { [selector && !(selector.field in input.shape) ? selector.field : ""]: _, ...sample } = sampleOf(
      endpoint,
      required,
    );
    const sent =
      method === "GET"
        ? Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, String(value)]))
        : sample;
    const parsed = input.safeParse(sent);
    assert.ok(parsed.success, `${method} ${path} ${selector?.value ?? ""}: ${parsed.error?.message}`);
  }
});

test("no example holds a secret", () => {
  for (const { example } of endpoints) assert.doesNotMatch(example, /gh[mck]_/);
});
