import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERED_SECRETS, SECRET_FIELDS } from "#sdk/cli/secrets.ts";
import type { Json } from "./openapi/schemas.ts";
import { ENDPOINTS } from "./registry.ts";
import { sdkOperations } from "./sdk/operations.ts";

test("the command line keeps the secrets that the calls answer with, and knows no others", () => {
  const { operations } = sdkOperations(ENDPOINTS);
  const answered = operations.flatMap(({ name, answer }) => {
    // The claim token is a part of the claim link, which is kept whole.
    const fields = Object.keys(answer.properties as Json).filter((field) => SECRET_FIELDS.includes(field));
    const kept = fields.filter((field) => field !== "claim_token");
    return kept.length > 0 ? [[name.join("."), kept.sort()]] : [];
  });
  assert.deepEqual(
    Object.fromEntries(Object.entries(ANSWERED_SECRETS).map(([name, fields]) => [name, [...fields].sort()])),
    Object.fromEntries(answered),
  );
});
