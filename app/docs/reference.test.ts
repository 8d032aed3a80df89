import assert from "node:assert/strict";
import { test } from "node:test";
import { callHref, shapeHref } from "#components/reference/model.ts";
import { ENDPOINTS, TRANSFERS } from "#lib/api/registry.ts";
import { readReference } from "./reference.ts";

const PUBLISHED = [...ENDPOINTS, ...TRANSFERS];
const { subjects, shapes } = readReference();
const calls = subjects.flatMap((subject) => subject.calls);

test("the reference has every published endpoint once, at its own URL", () => {
  assert.equal(calls.length, PUBLISHED.length);
  assert.deepEqual(
    new Set(calls.map(({ method, path }) => `${method} ${path}`)),
    new Set(PUBLISHED.map(({ method, path }) => `${method} ${path}`)),
  );
  const addresses = subjects.flatMap((subject) => subject.calls.map((call) => callHref(subject, call)));
  assert.equal(new Set(addresses).size, calls.length);
});

test("every field has a type and a description", () => {
  const fields = [
    ...calls.flatMap(({ path, input, output }) => [...input, ...output].map((field) => ({ of: path, ...field }))),
    ...shapes.flatMap(({ name, fields }) => fields.map((field) => ({ of: name, ...field }))),
  ];
  const silent = fields.filter(({ type, description }) => !type || !description);
  assert.deepEqual(
    silent.map(({ of, name }) => `${of} ${name}`),
    [],
  );
});

test("the reference has every shape that a field refers to, at its own URL", () => {
  const known = new Set(shapes.map(({ name }) => name));
  const named = [...calls, ...shapes].flatMap((entry) =>
    "fields" in entry ? entry.fields : [...entry.input, ...entry.output],
  );
  for (const { shape } of named) if (shape) assert.ok(known.has(shape), shape);
  assert.equal(new Set(shapes.map(({ name }) => shapeHref(name))).size, shapes.length);
});

test("every call shows an example request and its answer", () => {
  for (const { path, example, answer } of calls) {
    assert.match(example, /^curl /, path);
    assert.notEqual(answer, "", path);
  }
});

test("no example contains a secret", () => {
  for (const { example, answer } of calls) assert.doesNotMatch(example + answer, /gh[mck]_/);
});
