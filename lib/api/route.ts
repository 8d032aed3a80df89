import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { clientAddress } from "./client-address.ts";
import { handle } from "./handle.ts";

type Handler = (request: Request) => Promise<Response>;

/**
 * Binds endpoints of one path to a Next route file. Every method is bound, so that a wrong one gets the interface's own
 * 405. Next does not show the peer's address, but appends it to X-Forwarded-For: the last hop is the peer.
 */
export function serve(
  ...endpoints: Endpoint[]
): Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler> {
  if (endpoints.length === 0 || new Set(endpoints.map(({ path }) => path)).size !== 1) {
    throw new Error("A route file binds the endpoints of exactly one path.");
  }
  const handler: Handler = (request) => {
    const hops = request.headers.get("x-forwarded-for")?.split(",") ?? [];
    const peer = hops.pop()?.trim();
    return handle(request, { address: clientAddress(peer, hops.join(",") || null) });
  };
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}
