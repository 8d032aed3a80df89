import { countCall, type LimitHeaders, RateLimited, uncount } from "#lib/db/rate-limit.ts";
import { hasJustWritten, noteWrite } from "#lib/db/recent-writers.ts";
import { readPublicly } from "#lib/db/replica.ts";
import type { Actor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Context, Download, Upload } from "#lib/kernel/context.ts";
import { Bytes, type Endpoint, type EventStream, JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, invalidInput } from "#lib/kernel/errors.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { LimitName } from "#lib/kernel/limits.ts";
import { didYouMean } from "#lib/kernel/mistakes.ts";
import { callId } from "#lib/kernel/operation-id.ts";
import { prefers } from "./accept.ts";
import { admit, isOpen, isUnknownCredential, limitKey, type Origin, type Sent } from "./callers/admit-caller.ts";
import { isAnonymous } from "./callers/anonymous.ts";
import { requireAdministrator } from "./callers/authenticate.ts";
import { readBearer } from "./callers/credentials.ts";
import { requireInputScopes } from "./callers/scopes.ts";
import { Answer, type ApiRequest } from "./exchange.ts";
import { reportFailure } from "./failure.ts";
import {
  checkBodyShape,
  misplacedIn,
  parseInput,
  type RawInput,
  readJsonBody,
  readQuery,
  refuseSecretInQuery,
} from "./input.ts";
import { ADMIN_PATHS, type Family, isFamily, LAST_PART, type Methods, methodsOf, nearestPath } from "./registry.ts";
import {
  PublicBody,
  READABLE_ANYWHERE,
  respond,
  respondError,
  respondPublic,
  respondStream,
  successBody,
} from "./respond.ts";
import { shareRun } from "./share-run.ts";
import { answerWebhook, isWebhook } from "./stripe-webhook.ts";

/**
 * Answers one request to `/api/v1/…` that the limits by address have admitted (see lib/boot/front/door.ts). Cheap checks come first:
 * form, credential and its own limits, input; then the verb's visibility, permission, state, gates and funding.
 */
export async function handle(request: Request, origin: Origin): Promise<Response> {
  return (await answerRequest(request, origin)).toResponse();
}

/** The same without web-standard objects, which cost more than many answers. */
export async function answerRequest(request: ApiRequest, origin: Origin): Promise<Answer> {
  const url = new URL(request.url);
  const methods = methodsOf(url.pathname);
  const entry = methods?.[request.method === "HEAD" ? "GET" : (request.method as keyof Methods)];
  const about = { method: request.method, path: url.pathname, open: entry !== undefined && isOpen(entry) };
  return answering(about, async (requestId, counted) => {
    // For everyone else these paths do not exist, whatever the method or input.
    if (ADMIN_PATHS.has(url.pathname)) await requireAdministrator(request.headers, noSuchPath(url.pathname));
    if (isWebhook(url.pathname)) {
      request.noteOperation?.("stripe_webhook");
      return answerWebhook(request, url.pathname, requestId);
    }
    if (!methods) throw noSuchPath(url.pathname);
    if (entry) return answer(request, url, entry, origin, requestId, counted);
    if (request.method === "OPTIONS") return preflight(methods, requestId);
    throw wrongMethod(request.method, methods);
  });
}

/** The same error for everyone, and for a path of administrators too: it depends on nothing but the path. */
function noSuchPath(path: string): ApiError {
  const meant = nearestPath(path);
  return new ApiError(
    "not_found",
    `There is nothing at this path${meant ? `: did you mean ${meant}?` : "."} ${env().baseUrl}/docs lists every path.`,
  );
}

function wrongMethod(sent: string, methods: Methods): ApiError {
  const allow = allowed(methods);
  const help = methods.PUT
    ? "Use PUT with a file as the body to upload it, or GET with a file's ID to download it."
    : methods.GET
      ? methods.POST
        ? "Use GET to read, or POST with a JSON object as the body."
        : "Use GET, with the fields in the query."
      : "Use POST, with the fields in a JSON object as the body.";
  return new ApiError("method_not_allowed", `This path does not take ${sent}. ${help}`, { allow });
}

/** A call whose input has been read already, by whatever carried it. */
export type Call = Sent & {
  raw: RawInput;
  /** `public_id` means the caller, so it is taken from the credential instead of the input. */
  fillsPublicId?: boolean;
  /** The caller asked for a stream of events, where the endpoint has one. */
  wantsStream?: boolean;
  /** What to say where the credential is missing or wrong. */
  credentialHelp?: string;
  /** The request, if its body or its answer is a file. */
  file?: ApiRequest;
  /** What the carrier of the call names the `Idempotency-Key`. */
  idempotencyKeyName?: string;
};

/** Answers a call of an endpoint that did not arrive as a request to its path, with the same checks, limits and answer. */
export async function answerCall(endpoint: Endpoint, call: Call, origin: Origin): Promise<Answer> {
  return answering({ method: endpoint.method, path: endpoint.path, open: false }, async (requestId, counted) => {
    const { reply } = await perform(endpoint, call, origin, requestId, counted).catch((error: unknown) => {
      if (call.credentialHelp && isUnknownCredential(error))
        throw new ApiError("invalid_credential", call.credentialHelp);
      throw error;
    });
    return respond(reply.status, textOf(endpoint, reply), { "X-Request-Id": requestId, "Cache-Control": "no-store" });
  });
}

/** Turns whatever `work` throws into the answer that the caller gets, and logs what is our fault. */
async function answering(
  about: { method: string; path: string; open: boolean },
  work: (requestId: string, counted: LimitHeaders) => Promise<Answer>,
): Promise<Answer> {
  const requestId = newId("req");
  const counted: LimitHeaders = {};
  try {
    return await work(requestId, counted);
  } catch (thrown) {
    const error = reportFailure(requestId, about.path, thrown);
    return respondError(error, requestId, {
      "Cache-Control": "no-store",
      ...(about.open ? READABLE_ANYWHERE : {}),
      ...(thrown instanceof RateLimited ? together(counted, thrown.headers) : counted),
    });
  }
}

async function answer(
  request: ApiRequest,
  url: URL,
  entry: Endpoint | Family,
  origin: Origin,
  requestId: string,
  counted: LimitHeaders,
): Promise<Answer> {
  if (!isFamily(entry)) request.noteOperation?.(callId(entry));
  refuseSecretInQuery(url.search);
  if (!isFamily(entry) && entry.transfer) return answerTransfer(request, url, entry, origin, requestId, counted);
  if (request.method === "POST") checkBodyShape(request);
  const sent = request.method === "POST" ? await readJsonBody(request) : url.searchParams;
  const endpoint = isFamily(entry) ? choose(entry, sent) : entry;
  if (isFamily(entry)) request.noteOperation?.(callId(endpoint));
  const read = sent instanceof URLSearchParams ? readQuery(sent, Object.keys(endpoint.input.shape)) : sent;
  const raw = "value" in read ? { ...read, misplaced: misplacedIn(request, url.searchParams) } : read;
  const publicId = "value" in raw ? raw.value.public_id : undefined;
  const wantsStream =
    endpoint.stream !== undefined &&
    request.method === "GET" &&
    prefers(request.headers.get("accept"), "text/event-stream", "application/json");
  const call = { headers: request.headers, query: url.searchParams, raw, publicId, wantsStream };
  const { reply, actor } = await perform(endpoint, call, origin, requestId, counted);
  return send(request, endpoint, actor.kind === "visitor", reply, { "X-Request-Id": requestId, ...counted });
}

/** A call whose body or answer is a file. Its fields are in the query, but for one in the path. */
async function answerTransfer(
  request: ApiRequest,
  url: URL,
  endpoint: Endpoint,
  origin: Origin,
  requestId: string,
  counted: LimitHeaders,
): Promise<Answer> {
  const { pathField = "", input } = endpoint;
  const read = readQuery(
    url.searchParams,
    Object.keys(input.shape).filter((name) => name !== pathField),
  );
  const raw = "value" in read ? withPathField(read, pathField, url.pathname) : read;
  const publicId = "value" in raw ? raw.value.public_id : undefined;
  const call = { headers: request.headers, query: url.searchParams, raw, publicId, file: request };
  const { reply } = await perform(endpoint, call, origin, requestId, counted);
  return send(request, endpoint, false, reply, { "X-Request-Id": requestId, ...counted });
}

function withPathField(read: Extract<RawInput, { value: object }>, name: string, path: string): RawInput {
  const [, part = ""] = LAST_PART.exec(path) ?? [];
  try {
    return { ...read, value: { ...read.value, [name]: decodeURIComponent(part) } };
  } catch {
    return { problem: { path: name, message: "must be percent-encoded UTF-8" } };
  }
}

/** Admits the caller, checks the input and runs the endpoint. */
async function perform(
  endpoint: Endpoint,
  call: Call,
  origin: Origin,
  requestId: string,
  counted: LimitHeaders,
): Promise<{ reply: Reply<unknown>; actor: Actor }> {
  const { headers, raw } = call;
  const value = "value" in raw ? raw.value : undefined;
  const bearer = readBearer(endpoint.auth, headers, endpoint.method === "POST" ? value : undefined);
  // Errors after this point report the limits as well.
  const count = async (names: LimitName[], actor?: Actor) =>
    void Object.assign(counted, await countCall(names, limitKey(actor, origin)));
  const actor = await admit(endpoint, call, bearer, value, count);
  const admitted = { actor, origin, requestId, count };
  const { limit, countsOnlySuccesses } = endpoint;
  const reply = await carryOut(endpoint, call, admitted).catch(async (error: unknown) => {
    if (limit && countsOnlySuccesses) await uncount(limit, limitKey(actor, origin)(limit));
    throw error;
  });
  return { reply, actor };
}

type Admitted = {
  actor: Actor;
  origin: Origin;
  requestId: string;
  count(names: LimitName[], actor?: Actor): Promise<void>;
};

/** Checks the input of a caller who was admitted, and runs the endpoint. */
async function carryOut(
  endpoint: Endpoint,
  call: Call,
  { actor, origin, requestId, count }: Admitted,
): Promise<Reply<unknown>> {
  const { headers, raw } = call;
  if (call.fillsPublicId && "value" in raw && "id" in actor) raw.value.public_id = actor.id;
  const input = parseInput(endpoint.input, raw);
  const client = { address: origin.address, userAgent: headers.get("user-agent"), cookie: headers.get("cookie") };
  const context: Context = { actor, clock: systemClock, requestId, client };
  await requireInputScopes(endpoint, context, input);
  if (endpoint.idempotencyKey)
    context.idempotencyKey = readIdempotencyKey(headers.get("idempotency-key"), call.idempotencyKeyName);

  const { file } = call;
  if (file && endpoint.transfer === "upload") context.upload = uploadOf(file);
  if (file && endpoint.transfer === "download") context.download = downloadOf(file);

  if (endpoint.stream && call.wantsStream) {
    const lastEventId = headers.get("last-event-id")?.trim() || undefined;
    return new Reply(200, await endpoint.stream(context, input, lastEventId));
  }
  const sender = { authorization: headers.get("authorization"), cookie: client.cookie };
  const mayLag = isOpen(endpoint) && isAnonymous(sender) && !hasJustWritten(origin.address);
  const run = () => (mayLag ? readPublicly(() => endpoint.run(context, input)) : endpoint.run(context, input));
  const isShared = endpoint.isShared && actor.kind === "visitor";
  const shared = () =>
    shareRun(`${mayLag} ${callId(endpoint)} ${JSON.stringify(input)}`, async () => {
      const body = (await run()) as object;
      return new PublicBody(successBody(body, endpoint.untrusted === true));
    });
  const result = await (isShared ? shared() : run())
    .catch(async (error: unknown) => {
      // Some credentials are part of the input, so the verb is the first to check them.
      if (isUnknownCredential(error)) await count(["credential_failure"]);
      throw error;
    })
    .finally(() => {
      if (endpoint.method !== "GET") noteWrite(origin.address);
    });
  return result instanceof Reply ? result : new Reply(endpoint.status, result);
}

function uploadOf(request: ApiRequest): Upload {
  const { headers } = request;
  const length = headers.get("content-length");
  return {
    length: length === null || headers.has("transfer-encoding") ? null : Number(length),
    mediaType: headers.get("content-type"),
    digest: headers.get("repr-digest"),
    body: request.body,
    allowSeconds: (seconds) => request.allowSeconds?.(seconds),
  };
}

function downloadOf({ headers, method }: ApiRequest): Download {
  return {
    ifNoneMatch: headers.get("if-none-match"),
    ifRange: headers.get("if-range"),
    range: headers.get("range"),
    isHead: method === "HEAD",
  };
}

/** The member of a family that the request selects. @throws ApiError invalid_input if it selects none */
function choose({ field, members }: Family, sent: RawInput | URLSearchParams): Endpoint {
  if (!(sent instanceof URLSearchParams) && "problem" in sent)
    throw invalidInput(sent.problem.path, sent.problem.message);
  const name = sent instanceof URLSearchParams ? sent.get(field) : sent.value[field];
  const member = typeof name === "string" ? members.get(name.trim()) : undefined;
  if (!member) {
    const names = [...members.keys()];
    throw invalidInput(field, `must be one of ${names.join(", ")}${didYouMean(name, names)}`);
  }
  return member;
}

function textOf(endpoint: Endpoint, { body }: Reply<unknown>): string | AsyncIterable<string> {
  return body instanceof JsonText || body instanceof PublicBody
    ? body.text
    : successBody(body as object, endpoint.untrusted === true);
}

function send(
  request: ApiRequest,
  endpoint: Endpoint,
  anonymous: boolean,
  reply: Reply<unknown>,
  headers: Record<string, string>,
): Answer {
  const all = together(headers, reply.headers);
  if (reply.body instanceof Bytes) {
    return new Answer(reply.status, { ...securityHeaders("data"), ...all }, reply.body.body);
  }
  if (typeof reply.body === "function") return respondStream(reply.body as EventStream, all);
  if (reply.body instanceof PublicBody) return respondPublic(request, reply.body, all);
  const text = textOf(endpoint, reply);
  if (isOpen(endpoint) && anonymous && typeof text === "string") {
    const { version } = reply.body instanceof JsonText ? reply.body : {};
    return respondPublic(
      request,
      new PublicBody(text, version),
      all,
      endpoint.auth === "optional" ? "Authorization" : undefined,
    );
  }
  return respond(reply.status, text, { ...all, "Cache-Control": "no-store" });
}

/** The headers of both. Rate-limit headers that both have are joined. */
function together<Value>(one: Record<string, string>, other: Record<string, Value>): Record<string, Value | string> {
  const all = { ...one, ...other };
  for (const name of ["RateLimit-Policy", "RateLimit"]) {
    if (one[name] && other[name]) all[name] = `${one[name]}, ${other[name]}`;
  }
  return all;
}

/** What an idempotency key is, for callers that send none. */
export const KEY_MEANING = "your own ID for this payment, the same again in a retry";

function readIdempotencyKey(sent: string | null, name?: string): string {
  const value = sent?.trim().replace(/^"(.*)"$/, "$1") ?? "";
  if (!/^[\x21-\x7e]{1,100}$/.test(value)) {
    throw invalidInput(
      name ?? "Idempotency-Key",
      sent !== null ? "must be 1 to 100 visible ASCII characters" : `is a required header: ${KEY_MEANING}`,
    );
  }
  return value;
}

function allowed(methods: Methods): string {
  const writes = [...(methods.POST ? ["POST"] : []), ...(methods.PUT ? ["PUT"] : [])];
  return [...(methods.GET ? ["GET", "HEAD"] : []), ...writes, "OPTIONS"].join(", ");
}

function preflight(methods: Methods, requestId: string): Answer {
  const isPublic = methods.GET !== undefined && isOpen(methods.GET);
  const headers = { ...securityHeaders("data"), Allow: allowed(methods), "X-Request-Id": requestId };
  if (!isPublic) return new Answer(204, headers, null);
  return new Answer(
    204,
    {
      ...headers,
      ...READABLE_ANYWHERE,
      "Access-Control-Allow-Methods": "GET, HEAD",
      "Access-Control-Allow-Headers": "If-None-Match",
    },
    null,
  );
}
