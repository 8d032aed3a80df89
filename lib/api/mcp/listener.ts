import { countCall } from "#lib/db/rate-limit.ts";
import { findAccessActor } from "#lib/identity/read.ts";
import { env } from "#lib/kernel/env.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import { isOauthOffered, resourceMetadataPath } from "#lib/oauth/resources.ts";
import { isFor, type Origin } from "../callers/admit-caller.ts";
import { readBearer } from "../callers/credentials.ts";
import { Answer, type ApiRequest } from "../exchange.ts";
import { reportFailure } from "../failure.ts";
import { checkBodyShape, NOT_JSON, readJson } from "../input.ts";
import type { Caller } from "./call.ts";
import { answerProtocol } from "./server.ts";

/** The most messages in one body. Revision 2025-03-26 allows a list of them, and each may be a tool call. */
const MOST_MESSAGES = 10;

// Error codes of JSON-RPC.
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

/**
 * Answers `/mcp`. Cookies are ignored. No answer has status 401, because clients would start looking for an OAuth server: a tool
 * that needs a credential says so in its result.
 */
export async function answerMcp(request: ApiRequest, origin: Origin): Promise<Answer> {
  return answerAs(request, { headers: request.headers, origin, through: "static_mcp" });
}

/**
 * Answers `/mcp/connect`: the same tools, for programs that an owner connected. Every request needs their access token, and a call that
 * lacks a scope is refused so that the program can ask for it.
 */
export async function answerConnectedMcp(request: ApiRequest, origin: Origin): Promise<Answer> {
  const headers = { ...securityHeaders("data"), "Cache-Control": "no-store", "X-Request-Id": newId("req") };
  if (!isOauthOffered()) return failed(404, SERVER_ERROR, "Not found.", headers);
  const caller: Caller = { headers: request.headers, origin, through: "mcp" };
  if (!(await isConnected(caller))) {
    await countCall(["credential_failure"], () => `ip:${origin.address}`).catch(() => undefined);
    const challenge = { "WWW-Authenticate": challengeWith({ scope: "read", ...invalidIfSent(request.headers) }) };
    return failed(401, SERVER_ERROR, "Connect this program first: it needs an access token for this resource.", {
      ...headers,
      ...challenge,
    });
  }
  const answer = await answerAs(request, caller);
  if (!caller.lacks) return answer;
  const scope = caller.lacks;
  const challenge = { "WWW-Authenticate": challengeWith({ error: "insufficient_scope", scope }) };
  return failed(403, SERVER_ERROR, `This call needs the scope ${scope}.`, { ...headers, ...challenge });
}

/** RFC 6750, 3.1. */
const invalidIfSent = (headers: ApiRequest["headers"]): Record<string, string> =>
  headers.get("authorization") === null ? {} : { error: "invalid_token" };

function challengeWith(parameters: Record<string, string>): string {
  const all = { resource_metadata: `${env().baseUrl}${resourceMetadataPath("mcp")}`, ...parameters };
  return `Bearer ${Object.entries(all)
    .map(([name, value]) => `${name}="${value}"`)
    .join(", ")}`;
}

async function isConnected({ headers }: Caller): Promise<boolean> {
  const bearer = readBearer("service", headers, undefined);
  if (bearer.kind !== "secret" || bearer.credential !== "access_token") return false;
  const actor = await findAccessActor(bearer);
  return actor !== undefined && isFor("mcp", actor);
}

async function answerAs(request: ApiRequest, caller: Caller): Promise<Answer> {
  const headers = { ...securityHeaders("data"), "Cache-Control": "no-store", "X-Request-Id": newId("req") };
  try {
    const refusal = strangerOf(request.headers);
    if (refusal) return failed(403, SERVER_ERROR, refusal, headers);
    const read = request.method === "POST" ? await readMessages(request) : undefined;
    if (read && "problem" in read) return failed(400, read.code, read.problem, headers);
    const response = await answerProtocol(webRequest(request), read?.body, caller);
    if (response.body && isSubscription(read?.body))
      return new Answer(response.status, { ...headers, ...kept(response.headers) }, piecesOf(response.body));
    const text = await response.text();
    return new Answer(response.status, { ...headers, ...kept(response.headers) }, text === "" ? null : text);
  } catch (thrown) {
    const error = reportFailure(headers["X-Request-Id"], "/mcp", thrown);
    return failed(error.status, SERVER_ERROR, error.message, headers);
  }
}

/** The one request that is answered by a stream. It ends when the client ends the connection. */
function isSubscription(body: unknown): boolean {
  return (body as { method?: unknown } | undefined)?.method === "subscriptions/listen";
}

function piecesOf(body: ReadableStream<Uint8Array>): AsyncIterable<string> {
  return body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
}

type Read = { body: unknown } | { code: number; problem: string };

/** @throws ApiError unsupported_media_type, body_too_large */
async function readMessages(request: ApiRequest): Promise<Read> {
  checkBodyShape(request);
  const body = await readJson(request);
  if (body === NOT_JSON) return { code: PARSE_ERROR, problem: "The body must be valid JSON in UTF-8." };
  if (Array.isArray(body) && body.length > MOST_MESSAGES)
    return { code: INVALID_REQUEST, problem: `Send at most ${MOST_MESSAGES} messages in one body.` };
  return { body };
}

/**
 * Why a request may come from another site's page: its `Host` is not this service's, as after DNS rebinding, or its `Origin` is
 * another one. Names of this machine always pass, because no other site can have them.
 */
function strangerOf(headers: ApiRequest["headers"]): string | undefined {
  const own = new URL(env().baseUrl);
  const host = hostNameOf(`http://${headers.get("host") ?? ""}`);
  if (host !== own.hostname && !isThisMachine(host)) return `Host must be ${own.host}.`;
  const origin = headers.get("origin");
  if (origin === null || origin === own.origin) return undefined;
  return isThisMachine(own.hostname) && isThisMachine(hostNameOf(origin)) ? undefined : `Origin must be ${own.origin}.`;
}

const hostNameOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : "");
const isThisMachine = (host: string) => host === "localhost" || host === "127.0.0.1" || host === "[::1]";

/** The headers that belong to the protocol. The others are ours. */
function kept(headers: Headers): Record<string, string> {
  const [type, allow] = [headers.get("content-type"), headers.get("allow")];
  return { ...(type ? { "Content-Type": type } : {}), ...(allow ? { Allow: allow } : {}) };
}

/** Headers that the protocol defines. */
const PASSED = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"];

function webRequest({ method, headers }: ApiRequest): Request {
  const passed = PASSED.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  // Other methods are all answered alike, and `Request` would refuse some of them.
  return new Request(`${env().baseUrl}/mcp`, { method: method === "POST" ? "POST" : "GET", headers: passed });
}

function failed(status: number, code: number, message: string, headers: Answer["headers"]): Answer {
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  return new Answer(status, { ...headers, "Content-Type": "application/json" }, body);
}
