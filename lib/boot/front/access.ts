import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { isStream } from "#lib/api/listener.ts";
import { accessLog } from "#lib/kernel/log.ts";
import { isMeasured, metrics } from "#lib/kernel/metrics.ts";
import { operationOf } from "#lib/kernel/operation.ts";
import { type Span, spans } from "../tracing.ts";
import { isApi, isFile, isProbe, isSignIn, pathOf } from "./paths.ts";

/** `traceparent` of W3C Trace Context: version, trace, span, flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/**
 * Notes every request when its answer has ended: one line in the log (without query, headers and body, which may hold secrets), the
 * metrics, and a span where traces are exported. A request that the client gave up has the status 499 there.
 */
export function noteRequests(answer: RequestListener): RequestListener {
  return (request, response) => {
    const measured = isMeasured();
    const logged = accessLog();
    const traced = spans();
    if (!measured && !logged && !traced) {
      answer(request, response);
      return;
    }
    const began = performance.now();
    const at = Date.now();
    const url = pathOf(request.url ?? "/");
    const requestId = catchRequestId(response);
    if (measured) metrics().inFlight.inc();
    response.once("close", () => {
      const ms = performance.now() - began;
      const operation = operationOf(request) ?? kindOf(url);
      const status = response.writableFinished || isStream(response) ? response.statusCode : 499;
      if (measured) {
        metrics().inFlight.dec();
        metrics().requests.inc({ operation, status });
        if (!isStream(response)) metrics().seconds.observe({ operation }, ms / 1000);
      }
      const { method = "" } = request;
      const parent = traceOf(request);
      const trace = parent ? { trace_id: parent.traceId } : {};
      const path = url.split("?", 1)[0]?.slice(0, MOST_CHARACTERS);
      logged?.info(
        { request_id: requestId(), ...trace, method, path, operation, status, ms: Math.round(ms * 10) / 10 },
        "request",
      );
      traced?.({ method, operation, status, at, ms, parent, requestId: requestId() } satisfies Span);
    });
    answer(request, response);
  };
}

const MOST_CHARACTERS = 512;

function traceOf({ headers }: IncomingMessage): Span["parent"] {
  const [, traceId, spanId, flags = "0"] = TRACEPARENT.exec(String(headers.traceparent ?? "")) ?? [];
  return traceId && spanId ? { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 } : undefined;
}

/** What a request is that no operation answered. There are few kinds, whatever is asked for. */
function kindOf(url: string): string {
  if (isProbe(url)) return "probe";
  if (isSignIn(url)) return "sign_in";
  if (isFile(url)) return "file";
  const [, first] = /^\/(mcp|oauth|ard|log|witness|metrics)(?=[/?]|$)/.exec(url) ?? [];
  if (first && (first !== "log" || isApi(url))) return first;
  return isApi(url) ? "unknown" : "page";
}

/** Headers that are given to `writeHead` cannot be read afterwards. */
function catchRequestId(response: ServerResponse): () => string | undefined {
  let found: unknown;
  const { writeHead } = response;
  response.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    const headers = given.find((each): each is OutgoingHttpHeaders => typeof each === "object" && each !== null);
    found = Array.isArray(headers)
      ? headers[headers.indexOf("X-Request-Id") + 1]
      : (headers?.["X-Request-Id"] ?? this.getHeader("x-request-id"));
    return Reflect.apply(writeHead, this, given) as ServerResponse;
  } as typeof writeHead;
  return () => (found === undefined ? undefined : String(found));
}
