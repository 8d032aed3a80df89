import { hash } from "node:crypto";
import type { EventStream } from "#lib/kernel/endpoint.ts";
import { type ApiError, ERRORS, isFinal } from "#lib/kernel/errors.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { Answer, type ApiRequest } from "./exchange.ts";

type Headers = Record<string, string | string[]>;

const JSON_TYPE = "application/json; charset=utf-8";

/** Lets scripts of any other site read a public answer or error, including the headers that matter to them. */
export const READABLE_ANYWHERE: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** `{"ok":true, …}`; `untrusted` marks an answer that carries text written by users. */
export function successBody(body: object, untrusted: boolean): string {
  return JSON.stringify(untrusted ? { ok: true, content_trust: "untrusted", ...body } : { ok: true, ...body });
}

export function respond(status: number, body: Answer["body"], headers: Headers): Answer {
  return new Answer(status, { "Content-Type": JSON_TYPE, ...securityHeaders("data"), ...headers }, body);
}

/** A stream of server-sent events, which no proxy may hold back or keep. */
export function respondStream(stream: EventStream, headers: Headers): Answer {
  const own = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  };
  return new Answer(200, { ...securityHeaders("data"), ...headers, ...own }, stream);
}

/** The body of a public answer, with its ETag. */
export class PublicBody {
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;

  /** @param version what decides whether it has changed, if that is not the text itself; its ETag is then a weak one */
  constructor(text: string, version?: string) {
    this.text = text;
    this.bytes = Buffer.from(text);
    const etag = `"${hash("sha1", version ?? this.bytes, "base64url")}"`;
    this.etag = version === undefined ? etag : `W/${etag}`;
  }
}

/** A tag for the weak comparison (RFC 9110, 8.8.3.2). */
const weak = (tag: string) => tag.trim().replace(/^W\//, "");

/** A public answer: shareable, revalidated by ETag. */
export function respondPublic(request: ApiRequest, body: string | PublicBody, headers: Headers, vary?: string): Answer {
  const { bytes, etag } = typeof body === "string" ? new PublicBody(body) : body;
  const all: Headers = {
    ...headers,
    ETag: etag,
    "Cache-Control": "public, no-cache",
    ...READABLE_ANYWHERE,
  };
  if (vary) all.Vary = vary;
  // What a POST did, or found, is always told (RFC 9110, 13.1.2).
  const known = request.method === "POST" ? null : request.headers.get("if-none-match");
  if (known && (known.trim() === "*" || known.split(",").some((tag) => weak(tag) === weak(etag)))) {
    return new Answer(304, { ...securityHeaders("data"), ...all }, null);
  }
  return respond(200, bytes, all);
}

/** The answer for an error. All errors have this form. */
export function respondError(error: ApiError, requestId: string, headers: Headers): Answer {
  const { code, message, details } = error;
  const all: Headers = { ...headers, "X-Request-Id": requestId };
  if (details.retryAfterSeconds) all["Retry-After"] = String(details.retryAfterSeconds);
  // A 401 must name an authentication scheme (RFC 9110, 11.6.1).
  if (error.status === 401) all["WWW-Authenticate"] = 'Bearer realm="Guildhall"';
  if (details.allow) all.Allow = details.allow;
  const body = JSON.stringify({
    ok: false,
    error: {
      code,
      message,
      retryable: ERRORS[code].retryable,
      final: isFinal(code),
      ...(details.reason ? { reason: details.reason } : {}),
      ...(details.retryAfterSeconds ? { retry_after_seconds: details.retryAfterSeconds } : {}),
      ...(details.notBefore ? { not_before: details.notBefore.toISOString() } : {}),
      ...(details.pricePence === undefined ? {} : { price_pence: details.pricePence, revision: details.revision }),
      ...(details.oldest === undefined ? {} : { oldest: details.oldest }),
      ...(details.rule === undefined ? {} : { rule: details.rule }),
      ...(code === "invalid_input" ? { field_errors: details.fieldErrors ?? [] } : {}),
      ...(code === "insufficient_scope" ? { scope: details.scope ?? null } : {}),
      ...(code === "gate_refused" ? { gates: details.gates ?? [] } : {}),
    },
    request_id: requestId,
  });
  return respond(error.status, body, all);
}
