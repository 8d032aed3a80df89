import { refusalFor } from "#lib/db/rate-limit.ts";
import { newId } from "#lib/kernel/ids.ts";
import { clientAddress } from "./callers/client-address.ts";
import { handle } from "./handle.ts";
import { READABLE_ANYWHERE, respondError } from "./respond.ts";

/**
 * Answers `/api/v1/…` for Next. The service's own server sends those paths to the listener (listener.ts) instead; this is for
 * servers that run Next alone, so the request is counted by address here. Every method comes here, so that an unsupported one gets the
 * API's own 405.
 */
export async function answerRoute(request: Request): Promise<Response> {
  const address = callerAddress(request);
  const refusal = await refusalFor(["request"], `ip:${address}`);
  if (!refusal) return handle(request, { address });
  const open = request.method === "GET" || request.method === "HEAD" ? READABLE_ANYWHERE : {};
  return respondError(refusal, newId("req"), { ...open, ...refusal.headers, "Cache-Control": "no-store" }).toResponse();
}

/** The client's address. Next does not show a request's peer, but the server in front of it adds it to X-Forwarded-For, last. */
export function callerAddress(request: Request): string {
  const hops = request.headers.get("x-forwarded-for")?.split(",") ?? [];
  const peer = hops.pop()?.trim();
  return clientAddress(peer, hops.join(",") || null);
}
