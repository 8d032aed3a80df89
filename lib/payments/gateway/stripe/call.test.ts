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

test("a key used for another request is told from a key in use by its code, because both are answered with 409", () => {
  const type = "idempotency_error";
  assert.equal(v1({ type, statusCode: 400 }), "unknown, answered");
  assert.equal(v2({ type, code: type, statusCode: 409 }), "unknown, answered");
  assert.equal(v2({ type, statusCode: 409 }), "unknown, answered");
  for (const read of [v1, v2]) assert.equal(read({ type, code: "idempotency_key_in_use", statusCode: 409 }), "busy");
  assert.equal(v1({ type: "invalid_request_error", code: "lock_timeout", statusCode: 409 }), "busy");
  assert.equal(v1({ type: "invalid_request_error", code: "rate_limit", statusCode: 429 }), "busy");
});
