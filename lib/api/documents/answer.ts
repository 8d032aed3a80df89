import { hash } from "node:crypto";
import { readPublicly } from "#lib/db/replica.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import { Answer, type ApiRequest } from "../exchange.ts";
import { reportFailure } from "../failure.ts";
import { respondError } from "../respond.ts";

type Content = string | Uint8Array<ArrayBuffer>;

/** A public document that this service writes: the same for everybody. */
export type Wanted = {
  /** The media type. */
  type: string;
  /** The whole document; undefined if there is none. */
  text: () => Content | undefined | Promise<Content | undefined>;
  /** How long others may keep it. Default: an hour. */
  maxAgeSeconds?: number;
  /** The `Link` header that comes with it. */
  link?: () => string;
  /** Another form of what is at this path, which is chosen by `Accept`. */
  isMarkdownVersion?: true;
  /** It is written from the database for each request, so it takes its turn among the pages. */
  isRendered?: boolean;
};

const METHODS = "GET, HEAD, OPTIONS";

/** Scripts of other sites may read public documents. */
const READABLE = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET",
  "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
  "Access-Control-Expose-Headers": "ETag",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/**
 * Answers a request for a document; a client that already has it gets 304.
 * @param mayLag whether it may be written from what a replica has
 */
export async function answerDocument(
  wanted: Wanted,
  request: ApiRequest,
  { mayLag }: { mayLag: boolean },
): Promise<Answer> {
  const requestId = newId("req");
  const headers = {
    ...securityHeaders("data"),
    ...READABLE,
    "X-Request-Id": requestId,
    ...(wanted.isMarkdownVersion ? { Vary: "Accept" } : {}),
    ...(wanted.link ? { Link: wanted.link() } : {}),
  };
  if (request.method === "OPTIONS") return new Answer(204, { ...headers, Allow: METHODS }, null);
  try {
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new ApiError("method_not_allowed", `This path answers ${METHODS}.`, { allow: METHODS });
    const text = await (mayLag ? readPublicly(() => textOf(wanted)) : textOf(wanted));
    const etag = `"${hash("sha1", text, "base64url")}"`;
    const all = { ...headers, ETag: etag, "Cache-Control": `public, max-age=${wanted.maxAgeSeconds ?? 3_600}` };
    const known = request.headers.get("if-none-match")?.split(",") ?? [];
    if (known.some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag))
      return new Answer(304, all, null);
    const type = wanted.type.startsWith("text/") ? `${wanted.type}; charset=utf-8` : wanted.type;
    return new Answer(200, { ...all, "Content-Type": type }, text);
  } catch (thrown) {
    const error = reportFailure(requestId, request.url, thrown);
    return respondError(error, requestId, { ...headers, "Cache-Control": "no-store" });
  }
}

async function textOf(wanted: Wanted): Promise<Content> {
  const text = await wanted.text();
  if (text === undefined) throw notFound();
  return text;
}
