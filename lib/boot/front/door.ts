import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isAnonymous } from "#lib/api/callers/anonymous.ts";
import { clientAddress } from "#lib/api/callers/client-address.ts";
import { findDocument, isDocument } from "#lib/api/documents/find.ts";
import { hasMarkdown } from "#lib/api/documents/markdown-versions.ts";
import { logFailure } from "#lib/api/failure.ts";
import { MAX_BODY_BYTES } from "#lib/api/input.ts";
import { type RateLimited, refusalFor } from "#lib/db/rate-limit.ts";
import { hasJustWritten } from "#lib/db/recent-writers.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { pagePolicy, securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { LimitName } from "#lib/kernel/limits.ts";
import { hasMetrics, serveMetrics } from "../metrics/serve.ts";
import { markPublicRead } from "../pages/public-read.ts";
import { limitRenders } from "../pages/renders.ts";
import { sharePages } from "../pages/shared-pages.ts";
import { isApi, isFile, isPage, isProbe, isSignIn, pathOf } from "./paths.ts";
import { refuse } from "./refusal.ts";

const ANY: LimitName[] = ["request"];
const PAGE: LimitName[] = ["request", "page"];

const development = process.env.NODE_ENV === "development";

/** Counts each request by address before anything else, but for probes from the same machine, then passes it to the API or the pages. */
export function openDoor(api: RequestListener, pages: RequestListener): RequestListener {
  const rendered = limitRenders((request, response) => (isDocument(request) ? api : pages)(request, response));
  const renderPage = throughNext((request, response) => {
    if (mayLag(request)) markPublicRead(request);
    rendered(request, response);
  });
  const sendFile = throughNext(pages);
  // Next's development server has a policy of its own for each page.
  const shared = development ? undefined : sharePages(renderPage, addressOf);

  function admit(request: IncomingMessage, response: ServerResponse, url: string): void {
    const document = isApi(url) ? undefined : findDocument(request);
    if (hasMetrics(url)) serveMetrics(request, response);
    else if (document?.isRendered) rendered(request, response);
    else if (isApi(url) || document) api(request, response);
    else if (url === "*" || !PAGE_METHODS.includes(request.method ?? "")) {
      addHeaders(response, url);
      // OPTIONS * asks about the server as a whole (RFC 9110, 9.3.7). No page has that name.
      response.writeHead(url === "*" ? 204 : 405, { Allow: PAGE_METHODS.join(", ") }).end();
    } else if (isLarge(request) && !isSignIn(url)) {
      addHeaders(response, url);
      refuseBody(request, response);
    } else if (isFile(url) || isSignIn(url)) sendFile(request, response);
    // A page that visitors share may come from a replica that lacks what this one has just written.
    else if (hasJustWritten(addressOf(request))) renderPage(request, response);
    else (shared ?? renderPage)(request, response);
  }

  return (request, response) => {
    const url = pathOf(request.url ?? "/");
    request.url = url;
    if (isOwnProbe(request, url)) {
      api(request, response);
      return;
    }
    const decide = (refusal: RateLimited | undefined) => {
      if (!refusal) admit(request, response, url);
      else
        refuse(request, response, refusal, {
          asData: isApi(url) || isSignIn(url) || isDocument(request),
          limits: refusal.headers,
        });
    };
    const refusal = refusalFor(isPage(url) ? PAGE : ANY, `ip:${addressOf(request)}`);
    if (!(refusal instanceof Promise)) decide(refusal);
    else
      refusal.then(decide).catch((error: unknown) => {
        logFailure("none", "door", error);
        response.destroy();
      });
  };
}

function addressOf({ socket, headers }: IncomingMessage): string {
  return clientAddress(socket.remoteAddress, headers["x-forwarded-for"]?.toString() ?? null);
}

/** Sends a request to Next, with the headers that its answers lack and without those that are ours. */
function throughNext(next: RequestListener): RequestListener {
  return (request, response) => {
    const url = request.url ?? "/";
    addHeaders(response, url);
    request.url = decodable(url);
    dropOurs(request);
    next(request, response);
  };
}

/** Whether a page for this visitor may be made from what the replica has. */
function mayLag(request: IncomingMessage): boolean {
  const { authorization = null, cookie = null } = request.headers;
  return isRead(request) && isAnonymous({ authorization, cookie }) && !hasJustWritten(addressOf(request));
}

const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

/** Probes from the same machine are always answered. A proxy there sends `X-Forwarded-For` and is counted. */
function isOwnProbe(request: IncomingMessage, url: string): boolean {
  return (
    isProbe(url) &&
    request.headers["x-forwarded-for"] === undefined &&
    /^(?:(?:::ffff:)?127\.|::1$)/.test(request.socket.remoteAddress ?? "")
  );
}

/** Next.js fails on a badly encoded path, so its percent signs are escaped; the result is then simply not found. */
function decodable(url: string): string {
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}

/** Methods that pages, files and sign-in support. Next.js would render a page for others, or fail. */
const PAGE_METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

/** No page reads a body, but Next.js would keep it in memory. Sign-in has its own bound. */
function isLarge({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES;
}

function refuseBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  const message = `Send a body of at most ${MAX_BODY_BYTES / 1024} KiB, with its Content-Length.`;
  refuse(request, response, new ApiError("body_too_large", message), { asData: false });
}

/** Headers that this service or the framework uses internally are dropped from requests. */
const OURS =
  /^(?:content-security-policy(?:-report-only)?|x-request-id|x-nonce|x-(?:middleware|nextjs|next|invoke|now)-.*|x-matched-path|next-resume|x-public-read)$/;
/** The browser sends these to the development server. */
const DEVELOPMENT = /^x-nextjs-(?:html-)?request-id$/;

function dropOurs({ headers }: IncomingMessage): void {
  for (const name in headers) if (OURS.test(name) && !(development && DEVELOPMENT.test(name))) delete headers[name];
}

/** Where machines find what this service offers (RFC 8288). */
const LINKS = [
  '</skill.md>; rel="describedby"; type="text/markdown"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</api/v1/openapi.json>; rel="service-desc"; type="application/json"',
  '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"',
  '</.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"',
  '</.well-known/ard.json>; rel="ard"; type="application/ai-catalog+json"',
].join(", ");

/**
 * Gives redirects, files and failures the headers that pages get from proxy.ts, gives pages their links, and removes the headers that
 * name the framework.
 */
function addHeaders(response: ServerResponse, url: string): void {
  const [path = ""] = url.split("?", 1);
  for (const [name, value] of Object.entries(securityHeaders(isSignIn(url) ? "data" : "file")))
    response.setHeader(name, value);
  response.setHeader("X-Request-Id", newId("req"));
  const writeHead = response.writeHead;
  response.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    this.removeHeader("x-nextjs-cache");
    // Next's own redirects come before proxy.ts.
    if (this.hasHeader("location"))
      for (const [name, value] of Object.entries({
        ...securityHeaders("page"),
        "Content-Security-Policy": pagePolicy([]),
      }))
        if (!this.hasHeader(name)) this.setHeader(name, value);
    if (String(this.getHeader("content-type")).startsWith("text/html")) {
      this.appendHeader("Link", LINKS);
      if (hasMarkdown(path)) this.appendHeader("Vary", "Accept");
    }
    return Reflect.apply(writeHead, this, given) as ServerResponse;
  } as typeof writeHead;
}
