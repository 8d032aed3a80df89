import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from "node:http";
import type { TLSSocket } from "node:tls";
import { tlsFailure } from "./probe-connection.ts";
import { errorCode, ProbeFailed } from "./probe-failure.ts";

const MAX_HEADER_BYTES = 16_384;
const MAX_INFORMATIONAL_ANSWERS = 8;
const OVERFLOWS = new Set(["HPE_HEADER_OVERFLOW", "HPE_CHUNK_EXTENSIONS_OVERFLOW"]);

interface Exchange {
  host: string;
  url: string;
  maxBytes: number;
  /** The `Accept` header. */
  accept: string;
  signal: AbortSignal;
}

export type Fetched = { body: Buffer; headers: IncomingHttpHeaders };

/**
 * Asks for `url` over a connection that is open already, and gives the body of a plain 200 answer of at most `maxBytes`.
 * Rejects with ProbeFailed, or with an AbortError; the caller destroys the connection in every case.
 */
export async function fetchBody(socket: TLSSocket, exchange: Exchange): Promise<Fetched> {
  const { pathname, search } = new URL(exchange.url);
  try {
    const request = sendRequest({
      // Without an agent there is no pool that could hand out a connection to somewhere else, and none is kept.
      createConnection: () => socket,
      host: exchange.host,
      path: pathname + search,
      headers: {
        Host: exchange.host,
        Accept: exchange.accept,
        "Accept-Encoding": "identity",
        "User-Agent": "Guildhall/1.0.0 (domain verification)",
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      signal: exchange.signal,
    });
    const failure = watch(request, exchange);
    request.end();
    const response = await Promise.race([headOf(request), failure]);
    checkHead(response, exchange);
    const body = await Promise.race([readBody(response, exchange), failure]);
    // A body without a length also ends when the connection is cut at the deadline.
    exchange.signal.throwIfAborted();
    return { body, headers: response.headers };
  } catch (error) {
    exchange.signal.throwIfAborted();
    throw exchangeFailure(error, exchange);
  }
}

function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve) => request.once("response", resolve));
}

// The request, not the response, learns why a connection ended, even in the middle of a body.
function watch(request: ClientRequest, { url }: Exchange): Promise<never> {
  return new Promise((_, reject) => {
    let informational = 0;
    request.on("error", reject);
    request.on("upgrade", () => reject(statusFailure(url, 101)));
    request.on("information", ({ statusCode }) => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL_ANSWERS) reject(statusFailure(url, statusCode));
    });
  });
}

function checkHead({ statusCode = 0, headers }: IncomingMessage, { url, maxBytes }: Exchange): void {
  if (statusCode >= 300 && statusCode <= 399) {
    throw new ProbeFailed(
      "redirect",
      `${url} answers with a redirect (${statusCode}): serve the file at this exact URL.`,
    );
  }
  if (statusCode !== 200) throw statusFailure(url, statusCode);
  if ((headers["content-encoding"] ?? "identity").trim().toLowerCase() !== "identity") {
    throw new ProbeFailed("mismatch", `${url} answers with an encoded body: serve the file without compression.`);
  }
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw sizeFailure(url, maxBytes);
}

async function readBody(response: IncomingMessage, { url, maxBytes }: Exchange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw sizeFailure(url, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function exchangeFailure(error: unknown, { host, url, maxBytes }: Exchange): ProbeFailed {
  if (error instanceof ProbeFailed) return error;
  const code = errorCode(error);
  if (OVERFLOWS.has(code)) return sizeFailure(url, maxBytes);
  if (code.startsWith("HPE_")) {
    return new ProbeFailed(
      "status",
      `${url} does not answer in valid HTTP: serve the file with status 200 over HTTP/1.1.`,
    );
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return tlsFailure(host, code);
  return new ProbeFailed(
    "unreachable",
    `${host} closes the connection before its answer is complete: check the web server and any proxy in front of it.`,
  );
}

function statusFailure(url: string, status: number): ProbeFailed {
  return new ProbeFailed(
    "status",
    `${url} answers with status ${status}: serve the file there with status 200, without a login.`,
  );
}

function sizeFailure(url: string, maxBytes: number): ProbeFailed {
  return new ProbeFailed(
    "too_large",
    `${url} answers with more than the ${maxBytes} bytes that are read: serve the verification token alone.`,
  );
}
