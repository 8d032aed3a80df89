import { clientAddress } from "./callers/client-address.ts";
import { handle } from "./handle.ts";

/**
 * Answers `/api/v1/…` for Next. The service's own server sends those paths to the listener (listener.ts) instead; this is for
 * servers that run Next alone. Every method comes here, so that an unsupported one gets the API's own 405.
 */
export function answerRoute(request: Request): Promise<Response> {
  return handle(request, { address: callerAddress(request) });
}

/** The client's address. Next does not show a request's peer, but the server in front of it adds it to X-Forwarded-For, last. */
export function callerAddress(request: Request): string {
  const hops = request.headers.get("x-forwarded-for")?.split(",") ?? [];
  const peer = hops.pop()?.trim();
  return clientAddress(peer, hops.join(",") || null);
}
