import type { AuthOptions } from "next-auth";
import { countCall, RateLimited } from "#lib/db/rate-limit.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { CLEAR_SITE_DATA, sessionCookie } from "#lib/owners/sessions/cookies.ts";
import { SECOND_STEP_PATH, type StartedSession } from "#lib/owners/sessions/start-session.ts";
import { authOptions, type Visit } from "#lib/owners/sign-in/auth-options.ts";
import { returnPath } from "#lib/owners/sign-in/return-path.ts";
import { reportFailure } from "../failure.ts";
import { readBody } from "../input.ts";
import { respondError } from "../respond.ts";

/** The actions of next-auth that are available, with their methods. The others (reading sessions, logging) are not needed. */
const OFFERED = new Map([
  ["csrf", "GET"],
  ["providers", "GET"],
  ["signin", "GET, POST"],
  ["callback", "GET, POST"],
  ["callback/credentials", "POST"],
  ["signout", "GET, POST"],
  ["error", "GET"],
]);

/**
 * Answers a request to `/api/auth/…` with next-auth, but under this service's rules: writes only from its own pages, rate limits,
 * and errors with their status, `Retry-After` and request ID.
 */
export async function answerSignIn(
  request: Request,
  address: string,
  nextAuth: (request: Request, options: AuthOptions) => Promise<Response>,
): Promise<Response> {
  const requestId = newId("req");
  const visit: Visit = {
    ctx: {
      actor: { kind: "visitor" },
      clock: systemClock,
      requestId,
      client: { address, userAgent: request.headers.get("user-agent"), cookie: request.headers.get("cookie") },
    },
  };
  try {
    const isWrite = request.method === "POST";
    const options = authOptions(visit);
    const [, , , action = "", provider] = new URL(request.url).pathname.split("/");
    const allow = OFFERED.get(`${action}/${provider}`) ?? OFFERED.get(action);
    if (!allow || (provider !== undefined && !options.providers.some(({ id }) => id === provider))) throw notFound();
    if (!allow.includes(isWrite ? "POST" : "GET")) {
      throw new ApiError("method_not_allowed", `This path answers ${allow}.`, { allow });
    }
    const limitHeaders = await countCall([isWrite ? "service_write" : "public_read"], () => `ip:${address}`);
    if (isWrite && isForeign(request)) throw foreignOrigin();
    // The only way to tell next-auth where it lives.
    process.env.NEXTAUTH_URL = env().baseUrl;
    const response = await nextAuth(await bounded(request), options);
    if (isWrite && (await asksForToken(response)))
      throw new ApiError(
        "csrf_failed",
        "The sign-in token is missing or wrong. Allow cookies for this site, reload the page and try again.",
      );
    const headers = { ...limitHeaders, "X-Request-Id": requestId, "Cache-Control": "no-store" };
    if (visit.refusal) return refused(response, visit.refusal, headers);
    if (action === "signout" && isWrite) Object.assign(headers, CLEAR_SITE_DATA);
    return visit.started
      ? await signedIn(response, visit.started, headers)
      : withHeaders(response, response.status, headers);
  } catch (thrown) {
    const error = reportFailure(requestId, new URL(request.url).pathname, thrown);
    return respondError(error, requestId, {
      "Cache-Control": "no-store",
      ...(thrown instanceof RateLimited ? thrown.headers : {}),
    }).toResponse();
  }
}

/** Programs send no Origin. A request with a session, however, must come from this service's own pages. */
function isForeign({ headers }: Request): boolean {
  const origin = headers.get("origin");
  const hasSession = headers.get("cookie")?.includes(sessionCookie().name) === true;
  return origin === null ? hasSession : origin !== env().baseUrl;
}

/** Whether next-auth refused its token, which it shows by redirecting to the page that has the token. */
async function asksForToken(response: Response): Promise<boolean> {
  const to = response.headers.get("Location") ?? (await response.clone().text());
  return to.includes("csrf=true");
}

function foreignOrigin(): ApiError {
  return new ApiError("csrf_failed", `Send this from the service's own pages at ${env().baseUrl}.`);
}

async function bounded(request: Request): Promise<Request> {
  const { url, method, headers } = request;
  return new Request(url, { method, headers, body: method === "POST" ? await readBody(request) : undefined });
}

/**
 * next-auth's answer with the right status. A wrong password keeps next-auth's answer, which is always the same; scripts get
 * our own error for other refusals. If next-auth reports success although we refused, that answer is replaced.
 */
function refused(response: Response, refusal: unknown, headers: Record<string, string>): Response {
  if (response.ok) throw refusal;
  if (response.headers.has("Location")) return withHeaders(response, response.status, headers);
  if (refusal instanceof ApiError && refusal.code === "invalid_credential") return withHeaders(response, 401, headers);
  throw refusal;
}

/** next-auth's answer after a session was opened: it leads to the requested page, or to the second step if there is one. */
async function signedIn(
  response: Response,
  { awaitsFactor, deviceCookie }: StartedSession,
  headers: Record<string, string>,
): Promise<Response> {
  const answer = awaitsFactor ? await toSecondStep(response) : response;
  const all = withHeaders(answer, answer.status, headers);
  if (deviceCookie) all.headers.append("Set-Cookie", deviceCookie);
  return all;
}

async function toSecondStep(response: Response): Promise<Response> {
  const { status, headers } = response;
  const location = headers.get("Location");
  const { url } = location ? { url: location } : ((await response.json()) as { url: string });
  const { baseUrl } = env();
  const to = `${baseUrl}${SECOND_STEP_PATH}?${new URLSearchParams({ return_to: returnPath(url, baseUrl) })}`;
  const changed = new Headers(headers);
  if (location) changed.set("Location", to);
  return new Response(location ? null : JSON.stringify({ url: to }), { status, headers: changed });
}

function withHeaders(response: Response, status: number, headers: Record<string, string>): Response {
  const all = new Headers(response.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(response.body, { status, headers: all });
}
