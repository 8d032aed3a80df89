import type { IncomingMessage, ServerResponse } from "node:http";
import { READABLE_ANYWHERE, respondError } from "#lib/api/respond.ts";
import type { LimitHeaders } from "#lib/db/rate-limit.ts";
import type { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { staticPage, type Words } from "#lib/kernel/static-page.ts";

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
  const { headers, body } = staticPage({ title, what: `${what}${wait}` }, requestId);
  return { headers: { ...headers, ...(seconds ? { "Retry-After": String(seconds) } : {}) }, body };
}
