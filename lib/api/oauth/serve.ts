import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { countCall, RateLimited } from "#lib/db/rate-limit.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import { noteOperation } from "#lib/kernel/operation.ts";
import { staticPage } from "#lib/kernel/static-page.ts";
import { registerClient } from "#lib/oauth/clients.ts";
import { CANNOT_CONNECT, isForBrowser, isOauthOffered } from "#lib/oauth/resources.ts";
import { reportFailure } from "../failure.ts";
import { readAtMost } from "../input.ts";
import { respondError } from "../respond.ts";

/** The longest body that a program may register itself with. */
const MOST_BYTES = 16 * 1024;

export const isOauthPath = (path: string): boolean => /^\/oauth(?:\/|$)/.test(path);

/** Answers `/oauth/…`: the authorization server, and the registration of clients. */
export async function serveOauth(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
  noteOperation(request, "oauth");
  const requestId = newId("req");
  const headers = { ...securityHeaders("data"), "Cache-Control": "no-store", "X-Request-Id": requestId };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const [path = ""] = (request.url ?? "").split("?", 1);
  try {
    if (!isOauthOffered()) throw notFound();
    await countCall(["oauth"], () => `ip:${address}`);
    if (path === "/oauth/register") await register(request, response, address);
    else {
      // Loaded on demand: the library is a fifth of what a process would load at its start.
      const { authorizationServer } = await import("#lib/oauth/provider.ts");
      await authorizationServer().callback()(atBaseUrl(request), response);
    }
  } catch (thrown) {
    const error = reportFailure(requestId, "/oauth", thrown);
    const data = respondError(error, requestId, thrown instanceof RateLimited ? thrown.headers : {});
    const page = isForBrowser(path) ? staticPage({ title: CANNOT_CONNECT, what: error.message }, requestId) : undefined;
    const answer = { headers: { ...data.headers, ...page?.headers }, body: page?.body ?? data.body };
    if (!response.headersSent) response.writeHead(error.status, answer.headers as Record<string, string>);
    response.end(answer.body);
    if (!request.complete) request.resume();
  }
}

/** The library makes its addresses from these headers, which a client could have made up. */
function atBaseUrl(request: IncomingMessage): IncomingMessage {
  const { host, protocol } = new URL(env().baseUrl);
  for (const name of Object.keys(request.headers)) if (/^x-forwarded-/.test(name)) delete request.headers[name];
  Object.assign(request.headers, { host, "x-forwarded-proto": protocol.slice(0, -1) });
  return request;
}

/** RFC 7591, for programs without a metadata document. What is registered and never used is deleted after 30 days. */
async function register(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (request.method === "OPTIONS") {
    const cors = { "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "content-type" };
    response.writeHead(204, cors).end();
    return;
  }
  if (request.method !== "POST") throw new ApiError("method_not_allowed", "This path answers POST.", { allow: "POST" });
  const answer = (status: number, body: object) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  const invalid = (error_description: string, error = "invalid_client_metadata") =>
    answer(400, { error, error_description });
  await countCall(["oauth_registration"], () => `ip:${address}`);
  const sent = await readJson(request);
  if (sent === undefined) {
    invalid(`send a JSON object of at most ${MOST_BYTES / 1024} KiB`);
    return;
  }
  try {
    answer(201, await registerClient(sent, "itself"));
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [{ path, message } = { path: [], message: "" }] = error.issues;
    invalid(`${path.join(".")} ${message}`, path[0] === "redirect_uris" ? "invalid_redirect_uri" : undefined);
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const sent = await readAtMost(request.iterator({ destroyOnReturn: false }), MOST_BYTES);
  try {
    return sent && (JSON.parse(Buffer.from(sent).toString()) as unknown);
  } catch {
    return undefined;
  }
}
