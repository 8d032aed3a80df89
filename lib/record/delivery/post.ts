import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { exchange } from "#lib/identity/domain/exchange.ts";
import { readRetryAfter } from "./schedule.ts";

/** What is read of an answer's body: at most so much, for at most so long. */
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

/** POSTs over a connection that is open already. The status decides: a body that is endless, broken or slow changes nothing. */
export function post(socket: TLSSocket, posting: Posting): Promise<Answered> {
  const { host, url, body, signal, keepText } = posting;
  const headers = {
    Accept: "*/*",
    "Accept-Encoding": "identity",
    "User-Agent": "Guildhall/1.0.0 (webhooks)",
    "Content-Length": Buffer.byteLength(body),
    ...posting.headers,
  };
  const words = {
    informational: (status: number) =>
      `${host} ${status === 101 ? "answered" : "keeps answering"} with status ${status}: answer with 2xx.`,
    invalid: `${host} does not answer in valid HTTP/1.1.`,
    closed: `${host} closes the connection before it answers: check the web server and any proxy in front of it.`,
  };
  return exchange(socket, { host, url, method: "POST", headers, body, signal }, words, async (response, broken) => {
    const text = await Promise.race([readBeginning(response, posting), broken.catch(() => null)]);
    return {
      status: response.statusCode ?? 0,
      retryAfterSeconds: readRetryAfter(response.headers["retry-after"], new Date()),
      text: keepText ? (text ?? "") : null,
    };
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
