import assert from "node:assert/strict";
import { test } from "node:test";
import { loadEnv } from "#lib/kernel/env.ts";
import { readReference } from "../reference.ts";
import { searchReference } from "./search.ts";

(globalThis as { guildhallEnv?: unknown }).guildhallEnv = loadEnv({});

const firstFor = (query: string) => searchReference(readReference(), query)[0]?.href;

test("a search finds calls by words, path and operation name, shapes and error codes, the best first", () => {
  assert.equal(firstFor("claim an open task"), "/docs/tasks/post-jobs-claim");
  assert.equal(firstFor("jobs/submit.php"), "/docs/tasks/post-jobs-submit");
  assert.equal(firstFor("jobsRequestChanges"), "/docs/tasks/post-jobs-request-changes");
  assert.equal(firstFor("settlementtotals"), "/docs/shapes/settlementtotals");
  assert.equal(firstFor("quota_exceeded"), "/docs#error-quota_exceeded");
});

test("a search finds calls by the names of their fields, and nothing for words that are nowhere", () => {
  const found = searchReference(readReference(), "expires_in_seconds").map(({ href }) => href);
  assert.ok(found.includes("/docs/tasks/post-jobs-create"));
  assert.deepEqual(searchReference(readReference(), "zzz nowhere"), []);
  assert.deepEqual(searchReference(readReference(), "  "), []);
});
