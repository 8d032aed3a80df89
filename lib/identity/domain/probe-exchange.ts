import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { exchange } from "./exchange.ts";
import { ProbeFailed } from "./probe-failure.ts";

interface Wanted {
  host: string;
  url: string;
  maxBytes: number;
  /** The `Accept` header. */
  accept: string;
  signal: AbortSignal;
}

export type Fetched = { body: Buffer; headers: IncomingHttpHeaders };

/** Asks for `url` over a connection that is open already, and gives the body of a plain 200 answer of at most `maxBytes`. */
export function fetchBody(socket: TLSSocket, wanted: Wanted): Promise<Fetched> {
  const { host, url, accept, maxBytes, signal } = wanted;
  const headers = {
    Accept: accept,
    "Accept-Encoding": "identity",
    "User-Agent": "Guildhall/1.0.0 (domain verification)",
  };
  const words = {
    informational: (status: number) => statusWords(url, status),
    invalid: `${url} does not answer in valid HTTP: serve the file with status 200 over HTTP/1.1.`,
    closed: `${host} closes the connection before its answer is complete: check the web server and any proxy in front of it.`,
  };
  const read = async (response: IncomingMessage, broken: Promise<never>) => {
    checkHead(response, wanted);
    const body = await Promise.race([readBody(response, wanted), broken]);
    // A body without a length also ends when the connection is cut at the deadline.
    signal.throwIfAborted();
    return { body, headers: response.headers };
  };
  return exchange(socket, { host, url, headers, signal }, words, read, () => sizeFailure(url, maxBytes));
}

function checkHead({ statusCode = 0, headers }: IncomingMessage, { url, maxBytes }: Wanted): void {
  if (statusCode >= 300 && statusCode <= 399) {
    throw new ProbeFailed(
      "redirect",
      `${url} answers with a redirect (${statusCode}): serve the file at this exact URL.`,
    );
  }
  if (statusCode !== 200) throw new ProbeFailed("status", statusWords(url, statusCode));
  if ((headers["content-encoding"] ?? "identity").trim().toLowerCase() !== "identity") {
    throw new ProbeFailed("mismatch", `${url} answers with an encoded body: serve the file without compression.`);
  }
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw sizeFailure(url, maxBytes);
}

async function readBody(response: IncomingMessage, { url, maxBytes }: Wanted): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw sizeFailure(url, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function statusWords(url: string, status: number): string {
  return `${url} answers with status ${status}: serve the file there with status 200, without a login.`;
}

function sizeFailure(url: string, maxBytes: number): ProbeFailed {
  return new ProbeFailed(
    "too_large",
    `${url} answers with more than the ${maxBytes} bytes that are read: serve the verification token alone.`,
  );
}
