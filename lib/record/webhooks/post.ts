import { type ClientRequest, type IncomingMessage, request as sendRequest } from "node:http";
import type { TLSSocket } from "node:tls";
import { tlsFailure } from "#lib/identity/domain/probe-connection.ts";
import { errorCode, ProbeFailed } from "#lib/identity/domain/probe-failure.ts";
import { readRetryAfter } from "./schedule.ts";

/** What is read of an answer: its head, and at most so much of its body, for at most so long. */
const MAX_HEADER_BYTES = 16_384;
const MAX_INFORMATIONAL_ANSWERS = 8;
const MAX_BODY_BYTES = 65_536;
const BODY_MS = 1_000;
/** Characters of the body that are kept. */
const MAX_TEXT = 1_000;

type Posting = {
  host: string;
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  keepText?: boolean;
  signal: AbortSignal;
};

export type Answered = { status: number; retryAfterSeconds: number | null; text: string | null };

/**
 * POSTs over a connection that is open already. The status decides: a body that is endless, broken or slow changes nothing.
 * Rejects with ProbeFailed, or with an AbortError; the caller destroys the connection in every case.
 */
export async function post(socket: TLSSocket, posting: Posting): Promise<Answered> {
  const { pathname, search, host } = new URL(posting.url);
  try {
    const request = sendRequest({
      // Without an agent there is no pool that could hand out a connection to somewhere else, and none is kept.
      createConnection: () => socket,
      host: posting.host,
      method: "POST",
      path: pathname + search,
      headers: {
        Host: host,
        Accept: "*/*",
        "Accept-Encoding": "identity",
        Connection: "close",
        "User-Agent": "Guildhall/1.0.0 (webhooks)",
        "Content-Length": Buffer.byteLength(posting.body),
        ...posting.headers,
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      signal: posting.signal,
    });
    const failure = watch(request, posting);
    request.end(posting.body);
    const response = await Promise.race([headOf(request), failure]);
    const { statusCode: status = 0, headers } = response;
    const text = await Promise.race([readBeginning(response, posting), failure.catch(() => null)]);
    return {
      status,
      retryAfterSeconds: readRetryAfter(headers["retry-after"], new Date()),
      text: posting.keepText ? (text ?? "") : null,
    };
  } catch (error) {
    posting.signal.throwIfAborted();
    throw failureOf(error, posting);
  }
}

function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve) => request.once("response", resolve));
}

function watch(request: ClientRequest, { host }: Posting): Promise<never> {
  return new Promise((_, reject) => {
    let informational = 0;
    request.on("error", reject);
    request.on("upgrade", () => reject(invalid(`${host} answered with status 101: answer with 2xx.`)));
    request.on("information", ({ statusCode }) => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL_ANSWERS)
        reject(invalid(`${host} keeps answering with status ${statusCode}: answer with 2xx.`));
    });
  });
}

/** Reads on for a moment after the head, so that an ordinary receiver sees no broken connection. */
async function readBeginning(response: IncomingMessage, { keepText, signal }: Posting): Promise<string> {
  let text = "";
  let size = 0;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(BODY_MS)]);
  const end = () => response.destroy();
  stop.addEventListener("abort", end, { once: true });
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (keepText && text.length < MAX_TEXT) text += chunk.toString("latin1");
      if (size >= MAX_BODY_BYTES) break;
    }
  } catch {
    // What was read so far counts.
  } finally {
    stop.removeEventListener("abort", end);
  }
  return readable(Buffer.from(text, "latin1").toString("utf8"));
}

/** Without control characters, and cut. */
function readable(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, "").slice(0, MAX_TEXT);
}

function failureOf(error: unknown, { host }: Posting): ProbeFailed {
  if (error instanceof ProbeFailed) return error;
  const code = errorCode(error);
  if (code.startsWith("HPE_")) return invalid(`${host} does not answer in valid HTTP/1.1.`);
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return tlsFailure(host, code);
  return new ProbeFailed(
    "unreachable",
    `${host} closes the connection before it answers: check the web server and any proxy in front of it.`,
  );
}

function invalid(sentence: string): ProbeFailed {
  return new ProbeFailed("status", sentence);
}
