import { ApiError } from "#lib/kernel/errors.ts";
import { log } from "#lib/kernel/log.ts";

// Connection lost or refused, server starting or stopping, statement timeout, too many connections, serialization failure,
// deadlock, lock timeout.
const PASSING_SQLSTATE = /^(08...|57P0[1-5]|57014|53...|40001|40P01|55P03|25P02)$/;
const PASSING_NODE = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND"]);
// Prisma: unreachable, timed out, closed, pool timeout, transaction API error, write conflict.
const PASSING_PRISMA = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034"]);
// Prisma's adapter, when the connection goes at the beginning or end of a transaction: no code, a kind in the cause.
const PASSING_KIND = new Set([
  "ConnectionClosed",
  "DatabaseNotReachable",
  "SocketTimeout",
  "TlsConnectionError",
  "TooManyConnections",
  "TransactionWriteConflict",
]);
const PASSING_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|pool after calling end/i;

/** Whether the database, not the request, is the reason: the same request may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  for (let cause: unknown = error, depth = 0; cause && depth < 5; depth += 1) {
    const { code, message, originalCode, kind } = cause as Record<string, unknown>;
    for (const value of [code, originalCode]) {
      if (
        typeof value === "string" &&
        (PASSING_SQLSTATE.test(value) || PASSING_NODE.has(value) || PASSING_PRISMA.has(value))
      )
        return true;
    }
    if (typeof kind === "string" && PASSING_KIND.has(kind)) return true;
    if (typeof message === "string" && PASSING_MESSAGE.test(message)) return true;
    cause = (cause as { cause?: unknown }).cause;
  }
  return false;
}

/** What the caller hears about any error: refusals as they are, the rest without a word of what happened inside. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isPassing(error)) {
    return new ApiError(
      "temporarily_unavailable",
      "The service is briefly unavailable. Check the state, then send the same request again.",
      {
        retryAfterSeconds: 2,
      },
    );
  }
  return new ApiError(
    "internal",
    "Something went wrong on our side. Report the request_id to the operator of this service.",
  );
}

/** Says in the log what the caller is not told. */
export function logFailure(requestId: string, path: string, thrown: unknown): void {
  const err =
    thrown instanceof Error ? { name: thrown.name, message: thrown.message, stack: thrown.stack } : String(thrown);
  log().error({ request_id: requestId, path, err }, "request failed");
}
