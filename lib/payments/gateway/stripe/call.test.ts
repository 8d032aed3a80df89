import assert from "node:assert/strict";
import { test } from "node:test";
import Stripe from "stripe";
import { toProcessorError } from "./call.ts";

const { generateV1Error, generateV2Error } = Stripe.errors;
type Raw = Parameters<typeof generateV1Error>[0];

const kindOf = (error: unknown) => {
  const { kind, answered } = toProcessorError(error);
  return answered ? `${kind}, answered` : kind;
};
const v1 = (raw: object) => kindOf(generateV1Error({ message: "", ...raw } as Raw));
const v2 = (raw: object) => kindOf(generateV2Error({ message: "", ...raw } as Raw));

test("an invalid key, or one without the necessary rights, is told from a refusal of the request", () => {
  const type = "invalid_request_error";
  assert.equal(v1({ type, statusCode: 401 }), "misconfigured");
  assert.equal(v1({ type, code: "api_key_expired", statusCode: 401 }), "misconfigured");
  assert.equal(v1({ type, code: "more_permissions_required", statusCode: 403 }), "misconfigured");
  assert.equal(v2({ type, statusCode: 403 }), "misconfigured");
  assert.equal(v1({ type, code: "account_invalid", statusCode: 403 }), "refused");
  assert.equal(v1({ type, code: "amount_too_small", statusCode: 400 }), "refused");
});

test("a key used for another request is told from a key in use by its code, because both are answered with 409", () => {
  const type = "idempotency_error";
  assert.equal(v1({ type, statusCode: 400 }), "unknown, answered");
  assert.equal(v2({ type, code: type, statusCode: 409 }), "unknown, answered");
  assert.equal(v2({ type, statusCode: 409 }), "unknown, answered");
  for (const read of [v1, v2]) assert.equal(read({ type, code: "idempotency_key_in_use", statusCode: 409 }), "busy");
  assert.equal(v1({ type: "invalid_request_error", code: "lock_timeout", statusCode: 409 }), "busy");
  assert.equal(v1({ type: "invalid_request_error", code: "rate_limit", statusCode: 429 }), "busy");
});
