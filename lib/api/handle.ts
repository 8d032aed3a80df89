import { findClaimLink } from "#lib/community/claim-link.ts";
import { countCall, type LimitHeaders, RateLimited } from "#lib/db/rate-limit.ts";
import type { Actor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { type Endpoint, JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, invalidInput, notFound } from "#lib/kernel/errors.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import { LIMITS, type LimitName } from "#lib/kernel/limits.ts";
import { log } from "#lib/kernel/log.ts";
import { normalizeText } from "#lib/kernel/text.ts";
import { authenticate, requireAdministrator } from "./authenticate.ts";
import { type Bearer, readBearer } from "./credentials.ts";
import { Answer, type ApiRequest } from "./exchange.ts";
import { logFailure, toApiError } from "./failure.ts";
import { checkBodyShape, parseInput, type RawInput, readJsonBody, readQuery, refuseSecretInQuery } from "./input.ts";
import { ADMIN_PATHS, type Family, isFamily, type Methods, methodsOf } from "./registry.ts";
import { READABLE_ANYWHERE, respond, respondError, respondPublic, successBody } from "./respond.ts";
import { answerWebhook, isWebhook } from "./webhooks.ts";

/** Facts about a call that its `Request` does not carry. */
export type Origin = { address: string };

/**
 * Answers one request to `/api/v1/…` that the limits by address have admitted (see lib/boot/door.ts). Cheap checks come first:
 * form, credential and its own limits, input; then the verb's visibility, permission, state, gates and funding.
 */
export async function handle(request: Request, origin: Origin): Promise<Response> {
  return (await answerRequest(request, origin)).toResponse();
}

/** The same without web-standard objects, which cost more than many answers. */
export async function answerRequest(request: ApiRequest, origin: Origin): Promise<Answer> {
  const requestId = newId("req");
  const started = performance.now();
  const url = new URL(request.url);
  const methods = methodsOf(url.pathname);
  const entry = methods?.[request.method === "HEAD" ? "GET" : (request.method as "GET" | "POST")];
  const counted: LimitHeaders = {};
  let response: Answer;
  try {
    // For everyone else these paths do not exist, whatever the method or input.
    if (ADMIN_PATHS.has(url.pathname)) await requireAdministrator(request);
    if (isWebhook(url.pathname)) response = await answerWebhook(request, url.pathname, requestId);
    else if (!methods) throw notFound();
    else if (entry) response = await answer(request, url, entry, origin, requestId, counted);
    else if (request.method === "OPTIONS") response = preflight(methods, requestId);
    else
      throw new ApiError("method_not_allowed", `This path answers ${allowed(methods)}.`, { allow: allowed(methods) });
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status >= 500) logFailure(requestId, url.pathname, thrown);
    response = respondError(error, requestId, {
      "Cache-Control": "no-store",
      ...(entry && isOpen(entry) ? READABLE_ANYWHERE : {}),
      ...(thrown instanceof RateLimited ? together(counted, thrown.headers) : counted),
    });
  }
  log().debug(
    {
      request_id: requestId,
      method: request.method,
      path: url.pathname,
      status: response.status,
      ms: Math.round(performance.now() - started),
    },
    "request",
  );
  return response;
}

async function answer(
  request: ApiRequest,
  url: URL,
  entry: Endpoint | Family,
  origin: Origin,
  requestId: string,
  counted: LimitHeaders,
): Promise<Answer> {
  refuseSecretInQuery(url.search);
  if (request.method === "POST") checkBodyShape(request);
  const sent = request.method === "POST" ? await readJsonBody(request) : url.searchParams;
  const endpoint = isFamily(entry) ? choose(entry, sent) : entry;
  const raw = sent instanceof URLSearchParams ? readQuery(sent, Object.keys(endpoint.input.shape)) : sent;
  const value = "value" in raw ? raw.value : undefined;

  const bearer = readBearer(endpoint.auth, request, endpoint.method === "POST" ? value : undefined);
  // Errors after this point report the limits as well.
  const count = async (names: LimitName[], actor?: Actor) =>
    void Object.assign(counted, await countCall(names, limitKey(actor, origin)));
  const actor = await admit(endpoint, request, url, bearer, value, count);
  const input = parseInput(endpoint.input, raw);
  const { headers } = request;
  const client = { address: origin.address, userAgent: headers.get("user-agent"), cookie: headers.get("cookie") };
  const context: Context = { actor, clock: systemClock, requestId, client };
  if (endpoint.idempotencyKey) context.idempotencyKey = readIdempotencyKey(request.headers.get("idempotency-key"));

  const result = await endpoint.run(context, input).catch(async (error: unknown) => {
    // Some credentials are part of the input, so the verb is the first to check them.
    if (isUnknownCredential(error)) await count(["credential_failure"]);
    throw error;
  });
  return send(request, endpoint, actor.kind === "visitor", result, { "X-Request-Id": requestId, ...counted });
}

/** The member of a family that the request selects. @throws ApiError invalid_input if it selects none */
function choose({ field, members }: Family, sent: RawInput | URLSearchParams): Endpoint {
  if (!(sent instanceof URLSearchParams) && "problem" in sent)
    throw invalidInput(sent.problem.path, sent.problem.message);
  const name = sent instanceof URLSearchParams ? sent.get(field) : sent.value[field];
  const member = typeof name === "string" ? members.get(name.trim()) : undefined;
  if (!member) throw invalidInput(field, `must be one of ${[...members.keys()].join(", ")}`);
  return member;
}

function send(
  request: ApiRequest,
  endpoint: Endpoint,
  anonymous: boolean,
  result: unknown,
  headers: Record<string, string>,
): Answer {
  const reply: Reply<unknown> = result instanceof Reply ? result : new Reply(endpoint.status, result);
  const { body } = reply;
  const text: string | AsyncIterable<string> =
    body instanceof JsonText ? body.text : successBody(body as object, endpoint.untrusted === true);
  const all = together(headers, reply.headers);
  if (isOpen(endpoint) && anonymous && typeof text === "string") {
    return respondPublic(request, text, all, endpoint.auth === "optional" ? "Authorization" : undefined);
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

/** Readable by anyone, from any web page. */
function isOpen(entry: Endpoint | Family): boolean {
  if (isFamily(entry)) return [...entry.members.values()].some(isOpen);
  return entry.method === "GET" && (entry.auth === "public" || entry.auth === "optional");
}

type Count = (names: LimitName[], actor?: Actor) => Promise<void>;

/**
 * Identifies the caller and counts the call. A credential's own limits apply once it is known to be valid: a made-up one gets
 * no count of its own and writes nothing to the database. Failures count against the address; that count never refuses a valid
 * credential.
 * @throws ApiError rate_limited, and whatever `authenticate` throws
 */
async function admit(
  endpoint: Endpoint,
  request: ApiRequest,
  url: URL,
  bearer: Bearer,
  value: Record<string, unknown> | undefined,
  count: Count,
): Promise<Actor> {
  const takesClaimToken = endpoint.limit === "claim" && typeof value?.claim_token === "string";
  let actor: Actor | undefined;
  try {
    actor = await authenticate(endpoint, request, bearer, value?.public_id);
    // A claim token is a credential, although it arrives as a field.
    if (takesClaimToken) await findClaimLink(normalizeText(value.claim_token as string));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A missing credential is not a guess. Neither is an ended session: browsers keep sending those.
    const guessed = isUnknownCredential(error) && (actor !== undefined || bearer.kind !== "none");
    await count([guessed ? "credential_failure" : usualLimit(endpoint, bearer)], actor);
    throw error;
  }
  const isIncomplete = endpoint.limit === "claim" && !takesClaimToken;
  await count(isIncomplete ? [usualLimit(endpoint, bearer)] : limitsOf(endpoint, bearer, url), actor);
  return actor;
}

function isUnknownCredential(error: unknown): boolean {
  return error instanceof ApiError && error.code === "invalid_credential";
}

function limitsOf(endpoint: Endpoint, bearer: Bearer, url: URL): LimitName[] {
  const also = endpoint.alsoLimit?.(url.searchParams);
  const own = endpoint.limit ?? usualLimit(endpoint, bearer);
  return also ? [own, also] : [own];
}

function usualLimit(endpoint: Endpoint, bearer: Bearer): LimitName {
  if (endpoint.method === "POST") return "service_write";
  return isOpen(endpoint) && bearer.kind === "none" ? "public_read" : "service_read";
}

/** Known credentials and sessions have their own counts; everyone else is counted by address. */
function limitKey(actor: Actor | undefined, { address }: Origin): (name: LimitName) => string {
  const credential = actor && credentialOf(actor);
  return (name) => (credential && LIMITS[name].per === "credential" ? credential : `ip:${address}`);
}

function credentialOf(actor: Actor): string | undefined {
  if (actor.kind === "visitor") return undefined;
  return `${actor.kind}:${actor.kind === "owner" ? actor.sessionId : actor.id}`;
}

function readIdempotencyKey(header: string | null): string {
  const value = header?.trim().replace(/^"(.*)"$/, "$1") ?? "";
  if (!/^[\x21-\x7e]{1,100}$/.test(value)) {
    throw invalidInput(
      "Idempotency-Key",
      header === null ? "is a required header" : "must be 1 to 100 visible ASCII characters",
    );
  }
  return value;
}

function allowed(methods: Methods): string {
  return [...(methods.GET ? ["GET", "HEAD"] : []), ...(methods.POST ? ["POST"] : []), "OPTIONS"].join(", ");
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
