import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { newId } from "#lib/kernel/ids.ts";
import { refuse } from "../front/refusal.ts";
import { brotliForm } from "./gapped-brotli.ts";
import { gzipForm } from "./gapped-gzip.ts";
import { type Form, fill, plainForm, split } from "./gapped-text.ts";
import { type Kept, keepAnswer } from "./kept-answer.ts";
import { busy } from "./renders.ts";
import { acceptsEncoding } from "./static-files.ts";

/**
 * Visitors who are not signed in see the same page at the same address. It is rendered once for all who ask within a second, however
 * many they are, and each of them gets it with a nonce of its own.
 */

const SHARED = {
  /** How old a page may be, from the start of its render. */
  freshMs: 1000,
  /** This long before that age, or twice as long as its render took, the next visitor has it rendered again, and nobody waits for that. */
  aheadMs: 250,
  /** All pages together, compressed and plain, each with the copy that was sent last. */
  mostBytes: 32 * 1024 * 1024,
  mostPages: 1_000,
  /** A larger page, plain, is sent, but not kept. */
  mostPageBytes: 2 * 1024 * 1024,
  /** A longer address, or longer headers of the router, are rendered for one visitor alone. */
  mostKeyLength: 4_096,
  /** Clients whose last write is remembered. */
  mostWriters: 10_000,
} as const;

/** The first segment of paths whose pages are the same for all visitors who are not signed in. The home page has none. */
const SHARED_SECTIONS: ReadonlySet<string> = new Set([
  ...["", "about", "agents", "check-terms", "docs", "feeds", "legal", "log", "network", "offers", "robots.txt"],
  ...["search", "sitemap.xml", "sitemaps", "status", "tasks", "threads", "verify"],
]);

/** Names and values of headers in turn. The first is the request's ID; `renewed` are the places of those with the nonce, in its pieces. */
type Head = { headers: string[]; renewed: [place: number, pieces: string[]][] };
/** A page as it is sent to clients that accept its encoding. */
type Encoded = { head: Head; form: Form };
/** One that can be sent again and again. It is encoded when the first client asks for that. */
type Page = {
  status: number;
  etag: string | undefined;
  /** Of the plain page. */
  length: number;
  unchanged: Head;
  encoded(encoding: Encoding): Promise<Encoded>;
};
/** `visitors` wait for it until it is `ready`; it is abandoned when the last one has gone. `next` takes its place as soon as it can. */
type Entry = {
  at: number;
  renewFrom: number;
  page: Promise<Page>;
  ready?: Page;
  bytes: number;
  visitors: number;
  next?: Entry | undefined;
  abandon(): void;
};

type SharedPages = {
  listener: RequestListener;
  /** To be told when a client's write has been answered: it must see what it did, so it gets no page that is older. */
  wrote(address: string): void;
};

/** Pages that `render` makes, shared where that is possible. `addressOf` tells clients apart. */
export function sharePages(
  render: RequestListener,
  addressOf: (request: IncomingMessage) => string,
  { freshMs = SHARED.freshMs, now: clock = () => performance.now() }: { freshMs?: number; now?: () => number } = {},
): SharedPages {
  // In the order in which they were rendered.
  const pages = new Map<string, Entry>();
  const writes = new Map<string, number>();
  let bytes = 0;

  function forget(key: string, entry: Entry): void {
    if (pages.get(key) !== entry) return;
    pages.delete(key);
    bytes -= entry.bytes;
  }

  function keep(key: string, entry: Entry): Entry {
    const previous = pages.get(key);
    if (previous) forget(key, previous);
    pages.set(key, entry);
    bytes += entry.bytes;
    return entry;
  }

  function forgetOld(now: number): void {
    for (const [key, entry] of pages) {
      if (now - entry.at < freshMs && bytes <= SHARED.mostBytes && pages.size <= SHARED.mostPages) return;
      forget(key, entry);
      if (entry.next && now - entry.next.at < freshMs) keep(key, entry.next);
    }
  }

  function start(key: string, request: IncomingMessage, now: number): Entry {
    const { kept, abandon } = keepAnswer(render, request);
    const grow = (more: number) => {
      entry.bytes += more;
      if (pages.get(key) === entry) bytes += more;
    };
    const page = kept.then((answer) => toPage(answer, grow));
    const entry: Entry = { at: now, renewFrom: now, page, bytes: 0, visitors: 0, abandon };
    const drop = () => {
      forget(key, entry);
      const previous = pages.get(key);
      if (previous?.next === entry) previous.next = undefined;
    };
    entry.page.then((page) => {
      entry.ready = page;
      const aheadMs = Math.min(Math.max(SHARED.aheadMs, 2 * (clock() - now)), freshMs / 2);
      entry.renewFrom = now + freshMs - aheadMs;
      if (![200, 404].includes(page.status) || page.length > SHARED.mostPageBytes) drop();
      else if (pages.get(key)?.next === entry) keep(key, entry);
    }, drop);
    return entry;
  }

  /** What nobody waits for any more is not rendered, and its place goes to others. */
  function wait(key: string, entry: Entry, response: ServerResponse): void {
    entry.visitors += 1;
    let isWaiting = true;
    const stopWaiting = () => {
      if (!isWaiting) return;
      isWaiting = false;
      entry.visitors -= 1;
    };
    entry.page.then(stopWaiting, stopWaiting);
    response.once("close", () => {
      if (!isWaiting) return;
      stopWaiting();
      if (entry.visitors > 0) return;
      forget(key, entry);
      entry.abandon();
    });
  }

  return {
    listener(request, response) {
      const key = keyOf(request);
      if (key === undefined) {
        render(request, response);
        return;
      }
      const wishes = wishesOf(request);
      const now = clock();
      forgetOld(now);
      const found = pages.get(key);
      const isFresh = found && now - found.at < freshMs && found.at > (writes.get(addressOf(request)) ?? 0);
      const entry = isFresh ? found : keep(key, start(key, request, now));
      if (!entry.ready) wait(key, entry, response);
      else if (now >= entry.renewFrom) entry.next ??= start(key, request, now);
      const answer = entry.page.then((page) => answerFrom(page, wishes));
      answer.then(
        (ready) => send(ready, response, wishes),
        () => refuse(request, response, busy(), { asData: false }),
      );
    },
    wrote(address) {
      // Clearing everything would show somebody a page that is a second old; it costs nothing else.
      if (writes.size >= SHARED.mostWriters) writes.clear();
      writes.set(address, clock());
    },
  };
}

/** What a page depends on besides the address. Next's router asks for parts of pages with headers of its own. */
const DEPENDS_ON = [
  ...["host", "rsc", "next-router-state-tree", "next-router-prefetch", "next-router-segment-prefetch"],
  ...["next-url", "x-forwarded-host", "x-forwarded-proto"],
];
/** A request with one of these gets an answer of its own: it may hold what nobody else may see. */
const PERSONAL = ["authorization", "range", "next-action", "purpose", "sec-purpose"];

/** The name under which a request's page is shared; undefined if it must not be. */
function keyOf({ method, url = "/", headers }: IncomingMessage): string | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (!SHARED_SECTIONS.has(/^\/([^/?]*)/.exec(url)?.[1] ?? "") || PERSONAL.some((name) => headers[name] !== undefined))
    return undefined;
  const theme = /^(?:theme=(light|dark))?$/.exec(headers.cookie?.trim() ?? "");
  if (!theme) return undefined;
  // Neither an address nor a header can contain a line break.
  let key = `${url}\n${theme[1] ?? ""}`;
  for (const name of DEPENDS_ON) key += headers[name] === undefined ? "\n" : `\n=${headers[name]}`;
  return key.length <= SHARED.mostKeyLength ? key : undefined;
}

/** How a client wants its answer. */
type Wishes = { isHead: boolean; encoding: Encoding; known: string[] | undefined };
type Encoding = "br" | "gzip" | "identity";

/** The better one first. */
const COMPRESSED = ["br", "gzip"] as const;

function wishesOf({ method, headers }: IncomingMessage): Wishes {
  return {
    isHead: method === "HEAD",
    encoding: COMPRESSED.find((each) => acceptsEncoding(headers["accept-encoding"], each)) ?? "identity",
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

/** @param grow is told what the page takes in memory, in bytes, whenever that becomes more */
function toPage({ status, headers, body }: Kept, grow: (more: number) => void): Page {
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

  async function encode(encoding: Encoding): Promise<Encoded> {
    const form = await FORMS[encoding](body, nonce);
    if (!form) return encoded("gzip");
    const length = form.bytes.length;
    // With the copy that is sent. The plain form is the page itself.
    grow(encoding === "identity" ? length : 2 * length);
    const named: Record<string, string> = { ...kept, "Content-Length": `${length}` };
    if (encoding !== "identity") named["Content-Encoding"] = encoding;
    return { form, head: headOf(named, nonce) };
  }
  const made: Partial<Record<Encoding, Promise<Encoded>>> = {};
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

async function answerFrom({ status, etag, unchanged, encoded }: Page, { encoding, known }: Wishes): Promise<Answer> {
  if (known && etag !== undefined && (known.includes(weak(etag)) || known.includes("*")))
    return { status: 304, head: unchanged };
  return { status, ...(await encoded(encoding)) };
}

/** Everything at once, as a list: headers that are set one by one, or are properties of an object, cost several times as much. */
function send({ status, head, form }: Answer, response: ServerResponse, { isHead }: Wishes): void {
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
