import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { clientAddress } from "./client-address.ts";
import { handle } from "./handle.ts";
import { healthz, readyz } from "./probes.ts";

/** Answers `/api/v1/…`, `/healthz` and `/readyz` without going through Next, by the same functions that its routes bind. */
export function apiListener(): RequestListener {
  return getRequestListener(
    (request: Request, bindings: unknown) => {
      const path = new URL(request.url).pathname;
      if (path === "/healthz") return healthz();
      if (path === "/readyz") return readyz();
      const { incoming } = bindings as { incoming: IncomingMessage; outgoing: ServerResponse };
      return handle(request, {
        address: clientAddress(incoming.socket.remoteAddress, request.headers.get("x-forwarded-for")),
      });
    },
    { overrideGlobalObjects: false },
  );
}
