import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { clientAddress } from "./client-address.ts";
import { handle } from "./handle.ts";
import { WEBHOOKS } from "./webhooks.ts";

type Handler = (request: Request) => Promise<Response>;
type Bound = Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>;

/** Next does not show a request's peer; whatever stands before it appends the peer to X-Forwarded-For, as its last hop. */
export function callerAddress(request: Request): string {
  const hops = request.headers.get("x-forwarded-for")?.split(",") ?? [];
  const peer = hops.pop()?.trim();
  return clientAddress(peer, hops.join(",") || null);
}

/**
 * Binds endpoints of one path to a Next route file. Every method is bound, so that a wrong one gets the interface's own
 * 405.
 */
export function serve(...endpoints: Endpoint[]): Bound {
  if (endpoints.length === 0 || new Set(endpoints.map(({ path }) => path)).size !== 1) {
    throw new Error("A route file binds the endpoints of exactly one path.");
  }
  return everyMethod();
}

/** Binds an address that stands beside the registry (see webhooks.ts). */
export function serveWebhook(path: keyof typeof WEBHOOKS): Bound {
  if (!(path in WEBHOOKS)) throw new Error(`${path} is no webhook.`);
  return everyMethod();
}

function everyMethod(): Bound {
  const handler: Handler = (request) => handle(request, { address: callerAddress(request) });
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
