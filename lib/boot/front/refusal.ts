import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { READABLE_ANYWHERE, respondError } from "#lib/api/respond.ts";
import type { LimitHeaders } from "#lib/db/rate-limit.ts";
import type { ApiError } from "#lib/kernel/errors.ts";
import { securityHeaders, staticPagePolicy } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";

// The colours and sizes of app/styles/tokens.css; its fonts only where the reader has them.
const STYLE =
  ':root{color-scheme:light dark}body{margin:0;background:light-dark(#faf9f6,#141413);color:light-dark(#1c1b19,#ece9e2);font:1.0625rem/1.6 Inter,system-ui,sans-serif}main{max-width:34rem;margin:15vh auto;padding:0 1.5rem}h1{font:600 1.6875rem/1.25 "Source Serif 4",Georgia,serif}p:last-child{font-size:.8125rem;color:light-dark(#58544c,#a8a398)}code{overflow-wrap:anywhere}';

const POLICY = staticPagePolicy(hash("sha256", STYLE, "base64"));

/** The text of an error page. */
type Words = { title: string; what: string };

const WORDS: Partial<Record<ApiError["code"], Words>> = {
  rate_limited: {
    title: "Too many requests",
    what: "There have been too many requests from your network address.",
  },
  temporarily_unavailable: {
    title: "Service busy",
    what: "The service is handling as many pages as it can.",
  },
  body_too_large: {
    title: "Request too large",
    what: "This page does not accept a request with a body of this size.",
  },
};

/** Refuses a request before anything else handles it: with the usual JSON below `/api`, elsewhere with a small static page. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  options: { asData: boolean; limits?: LimitHeaders },
): void {
  const requestId = newId("req");
  const isRead = request.method === "GET" || request.method === "HEAD";
  const { headers, body } = options.asData
    ? (respondError(error, requestId, isRead ? READABLE_ANYWHERE : {}) as { headers: object; body: string })
    : page(error, requestId);
  response.writeHead(error.status, {
    ...headers,
    ...options.limits,
    "Cache-Control": "no-store",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(request.method === "HEAD" ? undefined : body);
  // The rest of the body is read and dropped, because the connection's next request follows it.
  if (!request.complete) request.resume();
}

function page({ code, message, details }: ApiError, requestId: string) {
  const { title, what } = WORDS[code] ?? { title: "Request refused", what: message };
  const { retryAfterSeconds: seconds } = details;
  const wait = seconds ? ` Wait ${seconds === 1 ? "a second" : `${seconds} seconds`}, then reload this page.` : "";
  const body = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title} · Guildhall</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${what}${wait}</p><p>Reference: <code>${requestId}</code></p></main></body></html>`;
  const headers = {
    ...securityHeaders("page"),
    "Content-Security-Policy": POLICY,
    "Content-Type": "text/html; charset=utf-8",
    "X-Request-Id": requestId,
    ...(seconds ? { "Retry-After": String(seconds) } : {}),
  };
  return { headers, body };
}
