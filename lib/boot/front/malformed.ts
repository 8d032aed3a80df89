import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "#lib/kernel/errors.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";

type Refusal = { status: number; code: ErrorCode; message: string; retryable: boolean };

const MALFORMED: Refusal = {
  status: 400,
  code: "invalid_input",
  message: "The request is not well-formed HTTP.",
  retryable: false,
};

const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "invalid_input",
    message: "The request line and headers are larger than 16 KiB.",
    retryable: false,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "temporarily_unavailable",
    message: "The request did not arrive in time. Send it again.",
    retryable: true,
  },
};

/**
 * Answers input that is not a valid HTTP request, in the form of all errors but with the status that HTTP defines, and closes the
 * connection, because it is unknown where the next request begins.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  end(socket, REFUSALS[error.code ?? ""] ?? MALFORMED);
}

/** Refuses a connection beyond its address's limit, and says why. */
export function refuseConnection(socket: Duplex, most: number): void {
  const message = `Too many connections from your address: the limit is ${most} at once. Close some of them, then try again.`;
  end(socket, { status: 429, code: "rate_limited", message, retryable: true });
}

const WAIT_SECONDS = 1;

function end(socket: Duplex, { status, code, message, retryable }: Refusal): void {
  const requestId = newId("req");
  const wait = retryable ? { retry_after_seconds: WAIT_SECONDS } : {};
  const error = { code, message, retryable, final: false, ...wait };
  const body = JSON.stringify({ ok: false, error, request_id: requestId });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Cache-Control: no-store",
    ...Object.entries(securityHeaders("data")).map(([name, value]) => `${name}: ${value}`),
    ...(retryable ? [`Retry-After: ${WAIT_SECONDS}`] : []),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
