import { createServer, type RequestListener, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { noteRequests } from "./access.ts";
import { guardConnections } from "./connections.ts";
import { openDoor } from "./door.ts";
import { refuseMalformed } from "./malformed.ts";

/** The server of the service's port. `door.ts` decides what goes to the API's listener and what to the pages; both share the same limits. */
export function createHttp(api: RequestListener, pages: RequestListener): Server {
  const server = createServer({
    // Bodies are bounded in connections.ts, because a file may take longer than anything else.
    requestTimeout: 0,
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5_000,
    requireHostHeader: false,
  });
  const enter = noteRequests(openDoor(api, pages));
  server.on(
    "request",
    guardConnections(server, (request, response) => {
      // Node would refuse it as well (RFC 9112, 3.2), but without a body that says why.
      if (request.httpVersion === "1.1" && request.headers.host === undefined) {
        refuseMalformed(new Error("no Host"), request.socket);
        return;
      }
      // While the service stops, a connection that was kept open may still bring a request: it is the last one.
      if (!server.listening) response.shouldKeepAlive = false;
      enter(request, response);
    }),
  );
  server.on("clientError", refuseMalformed);
  // An unknown `Expect` is ignored, like any other unknown header.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

const GRACE_SECONDS = 10;

/** Stops accepting connections, lets running requests finish, and closes those that take longer than the grace period. */
export async function closeHttp(server: Server, graceSeconds: number = GRACE_SECONDS): Promise<void> {
  if (!server.listening) return;
  let closed = false;
  const closing = new Promise<void>((done) => {
    server.close(() => {
      closed = true;
      done();
    });
  });
  const deadline = performance.now() + graceSeconds * 1000;
  while (!closed && performance.now() < deadline) {
    // Connections become idle one by one, and an idle one would stay open for the next request.
    server.closeIdleConnections();
    await Promise.race([closing, delay(50)]);
  }
  server.closeAllConnections();
  await Promise.race([closing, delay(1000)]);
}
