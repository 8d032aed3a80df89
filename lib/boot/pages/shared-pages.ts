import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { lastWriteOf } from "#lib/db/recent-writers.ts";
import { refuse } from "../front/refusal.ts";
import { type Page, send, toPage, wishesOf } from "./cached-page.ts";
import { collectAnswer, requestLike } from "./collect-answer.ts";
import { busy } from "./renders.ts";

/**
 * Visitors who are not signed in see the same page at the same address. It is rendered and compressed once for all who ask within a
 * second, however many they are.
 */

const SHARED = {
  /** How old a page may be, from the start of its render. */
  freshMs: 1000,
  /** This long before that age, or twice as long as its render took, the next visitor has it rendered again, and nobody waits for that. */
  aheadMs: 250,
  /** All pages together, compressed and plain. */
  mostBytes: 32 * 1024 * 1024,
  mostPages: 1_000,
  /** A larger page, plain, is sent, but not kept. */
  mostPageBytes: 2 * 1024 * 1024,
  /** A longer address, or longer headers of the router, are rendered for one visitor alone. */
  mostKeyLength: 4_096,
} as const;

/** The first segment of paths whose pages are the same for all visitors who are not signed in. The front page has none. */
const SHARED_SECTIONS: ReadonlySet<string> = new Set([
  ...["", "about", "agents", "check-terms", "docs", "feed", "feeds", "legal", "log", "network", "offers", "robots.txt"],
  ...["records", "rules", "search", "sitemap.xml", "sitemaps", "status", "tasks", "threads", "verify"],
]);

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

/**
 * Pages that `render` makes, shared where that is possible. A client that has written gets no page that is older than that.
 * @param addressOf tells clients apart
 */
export function sharePages(
  render: RequestListener,
  addressOf: (request: IncomingMessage) => string,
  { lastWrite = lastWriteOf, now: clock = () => performance.now() } = {},
): RequestListener {
  const { freshMs } = SHARED;
  // In the order in which they were rendered.
  const pages = new Map<string, Entry>();
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
    // Others may wait for it, so it depends on nothing that this visitor does from now on.
    const { collected, abandon } = collectAnswer(render, requestForAll(request));
    const grow = (more: number) => {
      entry.bytes += more;
      if (pages.get(key) === entry) bytes += more;
    };
    const page = collected.then((answer) => toPage(answer, grow));
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

  /** Counts a visitor who waits for a page. Its render is abandoned when the last one has gone. */
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

  return (request, response) => {
    const key = keyOf(request);
    if (key === undefined) {
      render(request, response);
      return;
    }
    const wishes = wishesOf(request);
    const now = clock();
    forgetOld(now);
    const found = pages.get(key);
    const isFresh = found && now - found.at < freshMs && found.at > lastWrite(addressOf(request));
    const entry = isFresh ? found : keep(key, start(key, request, now));
    if (!entry.ready) wait(key, entry, response);
    else if (now >= entry.renewFrom) entry.next ??= start(key, request, now);
    entry.page
      .then((page) => send(page, response, wishes))
      .catch(() => {
        if (response.headersSent) response.destroy();
        else refuse(request, response, busy(), { asData: false });
      });
  };
}

/** What a page depends on besides the address. Next's router asks for parts of pages with headers of its own. */
const DEPENDS_ON = [
  ...["host", "rsc", "next-router-state-tree", "next-router-prefetch", "next-router-segment-prefetch"],
  ...["next-url", "x-forwarded-host", "x-forwarded-proto"],
];
/** Besides those, it gets the theme's cookie, which is in the key as well, and the address, for its place among those who wait. */
const PASSED_ON = [...DEPENDS_ON, "cookie", "x-forwarded-for"];

/** The request that is rendered: it shows nothing that is not in the key, so no visitor can spoil the page for others. */
function requestForAll(visitors: IncomingMessage): IncomingMessage {
  const request = requestLike(visitors, PASSED_ON);
  // Next puts the title elsewhere for clients without a name.
  request.headers["user-agent"] = "any";
  return request;
}

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
