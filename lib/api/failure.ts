import { ApiError } from "#lib/kernel/errors.ts";
import { log } from "#lib/kernel/log.ts";

/**
 * PostgreSQL's SQLSTATE codes for trouble that passes: connection (08), resources (53), shutdown, crash and start (57P0x),
 * statement timeout (57014), serialization and deadlock (40xxx), lock timeout (55P03), failed or idle transaction (25P0x).
 */
const SQLSTATES = /^(?:08...|53...|57P0[1-5]|57014|40001|40P01|55P03|25P0[2-4])$/;

/** Node's codes for a connection that could not be made, or was lost. */
const SYSTEM_CODES = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Prisma's codes. Its codes for any database error (P2010, P2039) decide nothing: they carry the SQLSTATE in `meta`. */
const PRISMA_CODES = new Set([
  "P1001", // unreachable
  "P1002", // reached, but timed out
  "P1008", // operation timed out
  "P1011", // TLS connection failed
  "P1017", // connection closed by the server
  "P1018", // transaction already closed
  "P2024", // no connection free in the pool
  "P2028", // transaction API: not started in time, expired, already closed
  "P2034", // write conflict or deadlock
  "P2037", // too many connections
]);

/** What Prisma's driver adapter names instead of a code. */
const ADAPTER_KINDS = new Set([
  "ConnectionClosed",
  "DatabaseNotReachable",
  "SocketTimeout",
  "TlsConnectionError",
  "TooManyConnections",
  "TransactionAlreadyClosed",
  "TransactionWriteConflict",
]);

/** Errors of the driver and its pool that have no code. */
const MESSAGES = [
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Connection terminated",
  "Connection terminated due to connection timeout",
  "Connection terminated unexpectedly",
  "Cannot use a pool after calling end on the pool",
  "timeout exceeded when trying to connect",
];

const MOST_CAUSES = 20;

/**
 * Whether the database, not the request, is the reason, so that the same request may succeed in a moment. Looks at the error and
 * at everything that it says caused it.
 */
export function isPassing(error: unknown): boolean {
  const waiting = [error];
  for (let seen = 0; seen < MOST_CAUSES && waiting.length > 0; seen += 1) {
    const each = waiting.shift();
    if (typeof each !== "object" || each === null) continue;
    const { code, errorCode, originalCode, kind, message, cause, errors, meta } = each as Record<string, unknown>;
    if ([code, errorCode, originalCode].some(isPassingCode)) return true;
    if (ADAPTER_KINDS.has(String(kind))) return true;
    if (typeof message === "string" && MESSAGES.some((known) => message.includes(known))) return true;
    waiting.push(cause, ...(Array.isArray(errors) ? errors : []));
    // Prisma's own errors put the driver's error here instead of into `cause`.
    waiting.push((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError);
  }
  return false;
}

function isPassingCode(code: unknown): boolean {
  return typeof code === "string" && (SQLSTATES.test(code) || SYSTEM_CODES.has(code) || PRISMA_CODES.has(code));
}

/** The error that the caller gets: a refusal as it is; anything else without details of what happened inside. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isPassing(error)) {
    return new ApiError(
      "temporarily_unavailable",
      "The service is briefly unavailable. Read the current state, then send the same request again.",
      { retryAfterSeconds: 2 },
    );
  }
  return new ApiError(
    "internal",
    "Something went wrong in this service. Report the request_id to the service's operator.",
  );
}

/** The same, once the details of what is our fault are logged. */
export function reportFailure(requestId: string, path: string, thrown: unknown): ApiError {
  const error = toApiError(thrown);
  if (error.status >= 500) logFailure(requestId, path, thrown);
  return error;
}

/** Logs the details that the caller does not get. */
export function logFailure(requestId: string, path: string, thrown: unknown): void {
  const err =
    thrown instanceof Error ? { name: thrown.name, message: thrown.message, stack: thrown.stack } : String(thrown);
  log().error({ request_id: requestId, path, err }, "request failed");
}
