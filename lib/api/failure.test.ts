import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#lib/kernel/errors.ts";
import { isPassing, toApiError } from "./failure.ts";

const withCode = (code: string, message = "x") => Object.assign(new Error(message), { code });

test("an unreachable, starting, stopping or busy database is a passing failure, however deep the cause", () => {
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
    "P2037",
    "P1018",
    "EPIPE",
    "EHOSTUNREACH",
    "57014",
    "25P03",
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

test("Prisma's errors for any database error are judged by the SQLSTATE that they carry", () => {
  const prismaError = (code: string, cause: object) =>
    Object.assign(new Error("Database error."), { code, meta: { driverAdapterError: new Error("x", { cause }) } });
  for (const code of ["P2010", "P2039"]) {
    for (const originalCode of ["57P01", "57P03", "53300", "57014", "55P03"])
      assert.ok(isPassing(prismaError(code, { kind: "postgres", originalCode })), `${code} ${originalCode}`);
    assert.ok(isPassing(prismaError(code, { kind: "ConnectionClosed" })), code);
    for (const originalCode of ["42P01", "22012", "23505", undefined])
      assert.ok(!isPassing(prismaError(code, { kind: "postgres", originalCode })), `${code} ${originalCode}`);
  }
  assert.ok(isPassing(Object.assign(new Error("x"), { errorCode: "P1001" })));
});

test("one passing failure among several decides", () => {
  assert.ok(isPassing(new AggregateError([new Error("x"), withCode("ECONNREFUSED")])));
  assert.ok(!isPassing(new AggregateError([new Error("x"), withCode("ENOENT")])));
});

test("a mistake of ours is not a passing failure", () => {
  for (const code of ["23505", "42601", "42P01", "22P02", "P2002", "P2025", "ENOENT"])
    assert.ok(!isPassing(withCode(code)), code);
  for (const kind of ["UniqueConstraintViolation", "TableDoesNotExist"])
    assert.ok(!isPassing(new Error(kind, { cause: { kind } })), kind);
  assert.ok(!isPassing(new TypeError("x is not a function")));
});

test("an error that is its own cause is still classified", () => {
  const error = new Error("x") as Error & { cause?: unknown };
  error.cause = error;
  assert.ok(!isPassing(error));
});

test("the caller gets refusals unchanged, and no details of anything else", () => {
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
