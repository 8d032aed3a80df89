import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#lib/kernel/errors.ts";
import { isPassing, toApiError } from "./failure.ts";

const withCode = (code: string, message = "x") => Object.assign(new Error(message), { code });

test("a database that is away, starting, stopping or busy is a passing failure, however deep the cause lies", () => {
  for (const code of [
    "ECONNREFUSED",
    "ECONNRESET",
    "57P01",
    "57P03",
    "53300",
    "40001",
    "40P01",
    "08006",
    "P1001",
    "P2024",
    "P2028",
    "P2034",
  ]) {
    assert.ok(isPassing(withCode(code)), code);
    assert.ok(isPassing(new Error("outer", { cause: new Error("middle", { cause: withCode(code) }) })), code);
  }
  for (const kind of ["ConnectionClosed", "DatabaseNotReachable", "TransactionWriteConflict"])
    assert.ok(isPassing(new Error(kind, { cause: { kind } })), kind);
  assert.ok(isPassing(new Error("Connection terminated unexpectedly")));
  assert.ok(isPassing(new Error("Client was closed and is not queryable")));
  assert.ok(isPassing(new Error("timeout exceeded when trying to connect")));
});

test("a mistake of ours is not a passing failure", () => {
  for (const code of ["23505", "42601", "42P01", "22P02", "P2002", "P2025", "ENOENT"])
    assert.ok(!isPassing(withCode(code)), code);
  for (const kind of ["UniqueConstraintViolation", "TableDoesNotExist"])
    assert.ok(!isPassing(new Error(kind, { cause: { kind } })), kind);
  assert.ok(!isPassing(new TypeError("x is not a function")));
});

test("a cause that leads back to itself is no trap", () => {
  const error = new Error("x") as Error & { cause?: unknown };
  error.cause = error;
  assert.ok(!isPassing(error));
});

test("the caller hears refusals as they are, and of everything else not a word of what happened inside", () => {
  const refusal = new ApiError("state_conflict", "This task is claimed.");
  assert.equal(toApiError(refusal), refusal);
  const inner = "relation tasks at /srv/app/lib/db.ts password=hunter2";
  for (const thrown of [withCode("42P01", inner), withCode("57P01", inner), inner, null, undefined, { code: 7 }]) {
    const { code, message, details } = toApiError(thrown);
    assert.ok(code === "internal" || code === "temporarily_unavailable");
    assert.doesNotMatch(message, /relation|srv|hunter2|57P01|42P01/);
    assert.equal(details.retryAfterSeconds, code === "internal" ? undefined : 2);
  }
});
