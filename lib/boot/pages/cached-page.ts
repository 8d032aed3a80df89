import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { newId } from "#lib/kernel/ids.ts";
import type { Collected } from "./collect-answer.ts";
import { acceptedEncodings, compressed, type Encoding } from "./encodings.ts";

/** A page that can be sent again and again. It is compressed when the first client asks for that encoding. */
export type Page = {
  status: number;
  etag: string | undefined;
  /** Of the plain page, in bytes. */
  length: number;
  /** Names and values in turn, for a client that has the page already. */
  unchanged: string[];
  encoded(encoding: Encoding): Promise<Encoded>;
};
type Encoded = { headers: string[]; body: Buffer };

/** How a client wants its answer: in this encoding, unless it knows the page already by one of these tags. */
type Wishes = { isHead: boolean; encoding: Encoding; known: string[] | undefined };

export function wishesOf({ method, headers }: IncomingMessage): Wishes {
  return {
    isHead: method === "HEAD",
    encoding: acceptedEncodings(headers["accept-encoding"])[0] ?? "identity",
    known: headers["if-none-match"]?.split(",").map((tag) => weak(tag.trim())),
  };
}

/** Two tags are compared without their mark for weakness (RFC 9110, 8.8.3.2). */
function weak(tag: string): string {
  return tag.replace(/^W\//, "");
}

/** These are different in each answer. */
const OF_ONE_ANSWER = ["content-length", "content-encoding", "date", "x-request-id"];
/** These are not sent without the body: the browser keeps those that came with it. */
const OF_A_BODY = ["content-security-policy", "content-type", "link"];

/** @param grow is called with the memory that the page takes, in bytes, whenever that becomes more */
export function toPage({ status, headers, body }: Collected, grow: (more: number) => void): Page {
  const own = ownHeaders(headers);
  own.vary = [...new Set(["Cookie", "Accept-Encoding", ...(own.vary?.split(/, */) ?? [])])].join(", ");
  // Feeds and maps say for themselves how long they may be cached.
  if (status === 200 && own.etag === undefined) {
    own.etag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    // A browser may keep the page, but asks each time whether it has changed. It is another page for those who are signed in.
    own["cache-control"] = "private, no-cache";
  }
  const unchanged = Object.entries(own).filter(([name]) => !OF_A_BODY.includes(name));
  grow(body.length);

  async function encode(encoding: Encoding): Promise<Encoded> {
    const bytes = await compressed(body, encoding);
    if (encoding !== "identity") grow(bytes.length);
    const form = encoding === "identity" ? {} : { "Content-Encoding": encoding };
    return { headers: Object.entries({ ...own, ...form, "Content-Length": `${bytes.length}` }).flat(), body: bytes };
  }
  const made: Partial<Record<Encoding, Promise<Encoded>>> = {};
  const encoded = (encoding: Encoding) => {
    made[encoding] ??= encode(encoding);
    return made[encoding];
  };
  return { status, etag: own.etag, length: body.length, unchanged: unchanged.flat(), encoded };
}

function ownHeaders(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_ONE_ANSWER.includes(name)
        ? []
        : [[name, Array.isArray(value) ? value.join(", ") : `${value}`]],
    ),
  );
}

/** Sends the page, or 304 to a client that knows it. Headers go as one list: set one by one they cost several times as much. */
export async function send(page: Page, response: ServerResponse, { isHead, encoding, known }: Wishes): Promise<void> {
  const { status, etag, unchanged } = page;
  if (known && etag !== undefined && (known.includes(weak(etag)) || known.includes("*"))) {
    response.writeHead(304, ["X-Request-Id", newId("req"), ...unchanged]).end();
    return;
  }
  const { headers, body } = await page.encoded(encoding);
  response.writeHead(status, ["X-Request-Id", newId("req"), ...headers]).end(isHead ? undefined : body);
}
