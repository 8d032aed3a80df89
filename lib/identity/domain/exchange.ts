import { type ClientRequest, type IncomingMessage, request as sendRequest } from "node:http";
import type { TLSSocket } from "node:tls";
import { tlsFailure } from "./probe-connection.ts";
import { errorCode, ProbeFailed } from "./probe-failure.ts";

const MAX_HEADER_BYTES = 16_384;
const MAX_INFORMATIONAL_ANSWERS = 8;
const OVERFLOWS = new Set(["HPE_HEADER_OVERFLOW", "HPE_CHUNK_EXTENSIONS_OVERFLOW"]);

type Sent = {
  /** The host that the connection was made to. */
  host: string;
  url: string;
  method?: "GET" | "POST";
  headers: Record<string, string | number>;
  body?: string | Uint8Array;
  signal: AbortSignal;
};

/** What is said about the other side, each in a sentence. */
type Words = {
  /** It switches to another protocol (101), or sends one informational answer after the other. */
  informational(status: number): string;
  invalid: string;
  closed: string;
};

/**
 * Sends one request over a connection that is open already, and has `read` make something of the answer; `broken` rejects when the
 * connection ends before the answer does.
 * Rejects with ProbeFailed, or with an AbortError; the caller destroys the connection in every case.
 * @param overflow what to say about a head that is too long, if that is not just invalid
 */
export async function exchange<Result>(
  socket: TLSSocket,
  { host, url, method = "GET", headers, body, signal }: Sent,
  words: Words,
  read: (response: IncomingMessage, broken: Promise<never>) => Promise<Result>,
  overflow?: () => ProbeFailed,
): Promise<Result> {
  const { pathname, search, port } = new URL(url);
  try {
    const request = sendRequest({
      // Without an agent there is no pool that could hand out a connection to somewhere else, and none is kept.
      createConnection: () => socket,
      host,
      method,
      path: pathname + search,
      headers: { Host: port === "" ? host : `${host}:${port}`, ...headers },
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      signal,
    });
    const broken = watch(request, words);
    request.end(body);
    const response = await Promise.race([headOf(request), broken]);
    return await read(response, broken);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProbeFailed) throw error;
    const code = errorCode(error);
    if (overflow && OVERFLOWS.has(code)) throw overflow();
    if (code.startsWith("HPE_")) throw new ProbeFailed("status", words.invalid);
    if (code === "EPROTO" || code.startsWith("ERR_SSL_")) throw tlsFailure(host, code);
    throw new ProbeFailed("unreachable", words.closed);
  }
}

function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve) => request.once("response", resolve));
}

// The request, not the response, learns why a connection ended, even in the middle of a body.
function watch(request: ClientRequest, { informational }: Words): Promise<never> {
  return new Promise((_, reject) => {
    let answers = 0;
    const refuse = (status: number) => reject(new ProbeFailed("status", informational(status)));
    request.on("error", reject);
    request.on("upgrade", () => refuse(101));
    request.on("information", ({ statusCode }) => {
      answers += 1;
      if (answers > MAX_INFORMATIONAL_ANSWERS) refuse(statusCode);
    });
  });
}
