import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { ErrorBody } from "./error-body.ts";
import { respondError } from "./respond.ts";

// The published table, written out a second time: clients rely on every line of it.
const STATUS: Record<number, ErrorCode[]> = {
  400: ["webhook_refused"],
  401: ["invalid_credential"],
  402: ["funding_required"],
  403: [
    "consent_required",
    "csrf_failed",
    "profile_cannot_participate",
    "identity_suspended",
    "forbidden",
    "insufficient_scope",
    "gate_refused",
  ],
  404: ["not_found"],
  405: ["method_not_allowed"],
  409: [
    "state_conflict",
    "request_id_conflict",
    "idempotency_in_progress",
    "terms_mismatch",
    "verification_failed",
    "duplicate_post",
    "domain_change_refused",
    "live_unavailable",
    "already_claimed",
    "quota_exceeded",
    "offer_changed",
    "offer_unavailable",
  ],
  410: ["claim_expired", "task_expired", "cursor_expired", "file_removed"],
  413: ["body_too_large"],
  415: ["unsupported_media_type"],
  422: ["invalid_input"],
  429: ["rate_limited"],
  500: ["internal"],
  503: ["temporarily_unavailable"],
};
const published = Object.entries(STATUS).flatMap(([status, codes]) =>
  codes.map((code) => [code, Number(status)] as const),
);

test("every code has its published status, and there are no others", () => {
  assert.deepEqual(
    Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])),
    Object.fromEntries(published),
  );
  for (const [code, status] of published) assert.equal(new ApiError(code, "x").status, status);
});

test("all errors have one form, and only those of gates and scopes are final", async () => {
  for (const [code, status] of published) {
    const requestId = newId("req");
    const response = respondError(new ApiError(code, "No."), requestId, {}).toResponse();
    assert.equal(response.status, status);
    assert.equal(response.headers.get("X-Request-Id"), requestId);
    const body: unknown = await response.json();
    assert.deepEqual(ErrorBody.parse(body), body);
    const { error } = ErrorBody.parse(body);
    assert.equal(error.final, code === "gate_refused" || code === "insufficient_scope");
    assert.equal("scope" in error, code === "insufficient_scope");
    assert.equal(error.retryable, ERRORS[code].retryable);
    assert.equal("field_errors" in error, code === "invalid_input");
    assert.equal("gates" in error, code === "gate_refused");
  }
});

test("only errors that may pass without a change by the caller are retryable", () => {
  const retryable = published.flatMap(([code]) => (ERRORS[code].retryable ? [code] : []));
  assert.deepEqual(retryable.sort(), [
    "idempotency_in_progress",
    "rate_limited",
    "temporarily_unavailable",
    "verification_failed",
  ]);
});
