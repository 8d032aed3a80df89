import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { newId } from "#lib/kernel/ids.ts";
import { brotliForm } from "./gapped-brotli.ts";
import { gzipForm } from "./gapped-gzip.ts";
import { type Form, fill, plainForm, split } from "./gapped-text.ts";
import type { Kept } from "./kept-answer.ts";
import { acceptsEncoding } from "./static-files.ts";

/** Names and values of headers in turn. The first is the request's ID; `renewed` are the places of those with the nonce, in its pieces. */
type Head = { headers: string[]; renewed: [place: number, pieces: string[]][] };
/** A page as it is sent to clients that accept its encoding. */
type Encoded = { head: Head; form: Form };
/** One that can be sent again and again. It is encoded when the first client asks for that. */
export type Page = {
  status: number;
  etag: string | undefined;
  /** Of the plain page. */
  length: number;
  unchanged: Head;
  /** Undefined if there is no such form of it. */
  encoded(encoding: Encoding): Promise<Encoded | undefined>;
};
/** How a client wants its answer: in one of these encodings, the best one first, unless it knows it already by one of these tags. */
type Wishes = { isHead: boolean; encodings: Encoding[]; known: string[] | undefined };
type Encoding = "br" | "gzip" | "identity";

const COMPRESSED = ["br", "gzip"] as const;

export function wishesOf({ method, headers }: IncomingMessage): Wishes {
  return {
    isHead: method === "HEAD",
    encodings: [...COMPRESSED.filter((each) => acceptsEncoding(headers["accept-encoding"], each)), "identity"],
    known: headers["if-none-match"]?.split(",").map((tag) => weak(tag.trim())),
  };
}

/** Two tags are compared without their mark for weakness (RFC 9110, 8.8.3.2). */
function weak(tag: string): string {
  return tag.replace(/^W\//, "");
}

/** These belong to one answer, or are made again for each. */
const OF_ONE_ANSWER = ["content-length", "content-encoding", "date", "x-request-id"];
/** These are not sent without the body: the page that a browser has kept goes with the nonce that it has kept. */
const OF_A_BODY = ["content-security-policy", "content-type", "link"];

/**
 * The page that was made with one nonce, to be sent with others.
 * @param grow is told what the page takes in memory, in bytes, whenever that becomes more
 */
export function toPage({ status, headers, body }: Kept, grow: (more: number) => void): Page {
  const [, nonce = ""] = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"] ?? "")) ?? [];
  const kept = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_ONE_ANSWER.includes(name)
        ? []
        : [[name, Array.isArray(value) ? value.join(", ") : `${value}`]],
    ),
  );
  kept.vary = [...new Set(["Cookie", "Accept-Encoding", ...(kept.vary?.split(/, */) ?? [])])].join(", ");
  // Feeds and maps say for themselves how long they may be kept.
  if (status === 200 && kept.etag === undefined) {
    const hash = createHash("sha256");
    for (const part of split(body, nonce)) hash.update(part).update("\0");
    kept.etag = `W/"${hash.digest("base64url").slice(0, 22)}"`;
    // A browser may keep the page, but asks each time whether it has changed. It is another page for those who are signed in.
    kept["cache-control"] = "private, no-cache";
  }
  const unchanged = Object.fromEntries(Object.entries(kept).filter(([name]) => !OF_A_BODY.includes(name)));
  grow(body.length);

  async function encode(encoding: Encoding): Promise<Encoded | undefined> {
    const form = await FORMS[encoding](body, nonce);
    if (!form) return undefined;
    const length = form.bytes.length;
    // With the copy that is sent. The plain form is the page itself.
    grow(encoding === "identity" ? length : 2 * length);
    const named: Record<string, string> = { ...kept, "Content-Length": `${length}` };
    if (encoding !== "identity") named["Content-Encoding"] = encoding;
    return { form, head: headOf(named, nonce) };
  }
  const made: Partial<Record<Encoding, ReturnType<Page["encoded"]>>> = {};
  const encoded = (encoding: Encoding) => {
    made[encoding] ??= encode(encoding);
    return made[encoding];
  };
  return { status, etag: kept.etag, length: body.length, unchanged: headOf(unchanged, nonce), encoded };
}

const FORMS: Record<Encoding, (text: Buffer, filler: string) => Form | undefined | Promise<Form | undefined>> = {
  br: brotliForm,
  gzip: gzipForm,
  identity: plainForm,
};

function headOf(named: Record<string, string>, nonce: string): Head {
  const headers = Object.entries({ "X-Request-Id": "", ...named }).flat();
  const renewed = headers.flatMap((value, place): Head["renewed"] =>
    nonce && value.includes(nonce) ? [[place, value.split(nonce)]] : [],
  );
  return { headers, renewed };
}

type Answer = { status: number; head: Head; form?: Form };

export async function answerFrom(page: Page, { encodings, known }: Wishes): Promise<Answer> {
  const { status, etag, unchanged } = page;
  if (known && etag !== undefined && (known.includes(weak(etag)) || known.includes("*")))
    return { status: 304, head: unchanged };
  for (const encoding of encodings) {
    const encoded = await page.encoded(encoding);
    if (encoded) return { status, ...encoded };
  }
  throw new Error("A page has no form that the client accepts.");
}

/** Everything at once, as a list: headers that are set one by one, or are properties of an object, cost several times as much. */
export function send({ status, head, form }: Answer, response: ServerResponse, { isHead }: Wishes): void {
  if (!form) {
    response.writeHead(status, filledHead(head, "")).end();
    return;
  }
  const nonce = form.width > 0 ? newNonce() : "";
  const { bytes, release } = fill(form, nonce);
  // All of it has been handed to the operating system then.
  response.once("finish", release);
  response.writeHead(status, filledHead(head, nonce)).end(isHead ? undefined : bytes);
}

function filledHead({ headers, renewed }: Head, nonce: string): string[] {
  const filled = headers.slice();
  filled[1] = newId("req");
  for (const [place, pieces] of renewed) filled[place] = pieces.join(nonce);
  return filled;
}

const NONCE_BYTES = 16;
/** Random bytes are drawn for many nonces at a time. None is used twice. */
const drawn = { bytes: Buffer.alloc(0), used: 0 };

function newNonce(): string {
  if (drawn.used + NONCE_BYTES > drawn.bytes.length)
    Object.assign(drawn, { bytes: randomBytes(NONCE_BYTES * 256), used: 0 });
  drawn.used += NONCE_BYTES;
  return drawn.bytes.toString("base64", drawn.used - NONCE_BYTES, drawn.used);
}
