import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { clientAddress } from "#lib/api/client-address.ts";
import { logFailure } from "#lib/api/failure.ts";
import { MAX_BODY_BYTES } from "#lib/api/input.ts";
import { type RateLimited, refusalFor } from "#lib/db/rate-limit.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { commonHeaders, DATA_HEADERS } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { LimitName } from "#lib/kernel/limits.ts";
import { refuse } from "./refusal.ts";
import { limitRenders } from "./renders.ts";

/** Whatever lies below `/api` is the API's, known or not, but for the owners' sign-in, which the pages answer. */
export function isApi(url: string): boolean {
  return /^\/(api(?!\/auth(?:[/?]|$))|healthz|readyz)(?=[/?]|$)/.test(url);
}

const isProbe = (url: string) => /^\/(?:healthz|readyz)(?=[?]|$)/.test(url);
const isSignIn = (url: string) => /^\/api\/auth(?=[/?]|$)/.test(url);
/** Files that a page brings along: they take next to no work, and one page needs a dozen. A path that climbs is none. */
const isFile = (url: string) =>
  !/\.\.|%2e|%5c|\\/i.test(url) &&
  /^\/(?:_next\/static\/|(?:favicon\.ico|icon\.svg|opengraph-image\.png)(?=[?]|$))/.test(url);
/** Whatever else is made for one request: pages, feeds, site maps; and probes. */
const isPage = (url: string) => isProbe(url) || !(isApi(url) || isSignIn(url) || isFile(url));

const ANY: LimitName[] = ["request"];
const PAGE: LimitName[] = ["request", "page"];

/** Counts every request by its address before anything else is done about it, and leads it to the API or to the pages. */
export function openDoor(api: RequestListener, pages: RequestListener): RequestListener {
  const rendered = limitRenders(pages);

  function admit(request: IncomingMessage, response: ServerResponse, url: string): void {
    if (isApi(url)) api(request, response);
    else {
      dress(response, isSignIn(url));
      const allowed = PAGE_METHODS.join(", ");
      // What the server as a whole can do (RFC 9110, 9.3.7): no page has that name.
      if (url === "*") response.writeHead(204, { Allow: allowed }).end();
      else if (!PAGE_METHODS.includes(request.method ?? "")) response.writeHead(405, { Allow: allowed }).end();
      else if (isLarge(request) && !isSignIn(url)) refuseBody(request, response);
      else {
        request.url = decodable(url);
        dropOurs(request);
        if (isFile(url) || isSignIn(url)) pages(request, response);
        else rendered(request, response);
      }
    }
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
      else refuse(request, response, refusal, { asData: isApi(url) || isSignIn(url), limits: refusal.headers });
    };
    const forwardedFor = request.headers["x-forwarded-for"]?.toString() ?? null;
    const refusal = refusalFor(
      isPage(url) ? PAGE : ANY,
      `ip:${clientAddress(request.socket.remoteAddress, forwardedFor)}`,
    );
    if (!(refusal instanceof Promise)) decide(refusal);
    else
      refusal.then(decide).catch((error: unknown) => {
        logFailure("none", "door", error);
        response.destroy();
      });
  };
}

/** A proxy may ask with the whole URL (RFC 9112, 3.2.2): it names the same path, which may be missing. */
function pathOf(target: string): string {
  if (target.startsWith("/") || target === "*") return target;
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** Whoever watches over the process on its own machine is always answered. A proxy there says for whom it asks. */
function isOwnProbe(request: IncomingMessage, url: string): boolean {
  return (
    isProbe(url) &&
    request.headers["x-forwarded-for"] === undefined &&
    /^(?:(?:::ffff:)?127\.|::1$)/.test(request.socket.remoteAddress ?? "")
  );
}

/** Next fails over a path that is badly encoded: its percent signs are taken for themselves, and nothing is found there. */
function decodable(url: string): string {
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}

/** Those that pages, files and signing in know; Next would render a page for any other, or fail. */
const PAGE_METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

/** No page reads a body, but Next would keep it in memory. Signing in bounds its own. */
function isLarge({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES;
}

function refuseBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  const message = `Send a body of at most ${MAX_BODY_BYTES / 1024} KiB, with its Content-Length.`;
  refuse(request, response, new ApiError("body_too_large", message), { asData: false });
}

/** What our own parts say to each other in headers, and what the framework says to itself, is never taken from outside. */
const OURS =
  /^(?:content-security-policy(?:-report-only)?|x-request-id|x-nonce|x-(?:middleware|nextjs|next|invoke|now)-.*|x-matched-path|next-resume)$/;
/** The page in the browser sends these to the development server. */
const DEVELOPMENT = /^x-nextjs-(?:html-)?request-id$/;

function dropOurs({ headers }: IncomingMessage): void {
  for (const name in headers)
    if (OURS.test(name) && !(process.env.NODE_ENV === "development" && DEVELOPMENT.test(name))) delete headers[name];
}

/** Gives redirects, files and failures what pages have from their proxy as well, and takes away what names the framework. */
function dress(response: ServerResponse, asData: boolean): void {
  for (const [name, value] of Object.entries({ ...commonHeaders(), ...(asData ? DATA_HEADERS : {}) }))
    response.setHeader(name, value);
  response.setHeader("X-Request-Id", newId("req"));
  const writeHead = response.writeHead;
  response.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    this.removeHeader("x-nextjs-cache");
    return Reflect.apply(writeHead, this, given) as ServerResponse;
  } as typeof writeHead;
}
