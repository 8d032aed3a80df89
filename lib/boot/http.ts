import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSocketServer, type Server as SocketServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { guardConnections } from "./connections.ts";
import { openDoor } from "./door.ts";
import { refuseMalformed } from "./malformed.ts";

export { isApi } from "./door.ts";

export type Address = { host: string; port: number };

/**
 * Finds out at once whether the port can be had. It is let go again until the service can answer: whoever polls the
 * address then meets either nobody or the whole service.
 * @throws Error naming the mend
 */
export async function checkPort(address: Address): Promise<void> {
  const probe = createSocketServer();
  await listen(probe, address);
  await new Promise((done) => probe.close(done));
}

/** The one server: `isApi` paths go to the API's listener, all others to the pages. The same limits apply to both. */
export function createHttp(api: RequestListener, pages: RequestListener): Server {
  const server = createServer({
    requestTimeout: 60_000,
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5_000,
    requireHostHeader: false,
  });
  const enter = openDoor(api, pages);
  server.on(
    "request",
    guardConnections(server, (request, response) => {
      // Node would refuse it too (RFC 9112, 3.2), but without a word.
      if (request.httpVersion === "1.1" && request.headers.host === undefined) {
        refuseMalformed(new Error("no Host"), request.socket);
        return;
      }
      // On a connection that is kept open a request may still come while we stop: answer it, as the last one.
      if (!server.listening) response.shouldKeepAlive = false;
      enter(request, response);
    }),
  );
  server.on("clientError", refuseMalformed);
  // An expectation that nobody here knows is passed over, like any header that nobody knows.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

/** @throws Error naming the mend when the port is taken, forbidden, or not of this machine */
export function listen(server: SocketServer, address: Address): Promise<void> {
  return new Promise((done, fail) => {
    const onError = (error: NodeJS.ErrnoException) => fail(explain(error, address));
    server.once("error", onError);
    server.listen(address, () => {
      server.off("error", onError);
      done();
    });
  });
}

function explain(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const free = port < 65_535 ? port + 1 : port - 1;
  if (error.code === "EADDRINUSE") {
    return new Error(`Port ${port} is in use by another program: end it, or start with another port (PORT=${free}).`);
  }
  if (error.code === "EACCES") {
    return new Error(`Port ${port} may not be opened by this user: start with a port above 1023 (PORT=3000).`);
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new Error(`HOST=${host} is no address of this machine: use 127.0.0.1, or 0.0.0.0 for all of its addresses.`);
  }
  return error;
}

const GRACE_SECONDS = 10;

/** Takes no more connections, lets requests in flight finish, and cuts off what is not done in time. */
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
    // Connections fall idle one by one, and an idle one would be kept for the next request.
    server.closeIdleConnections();
    await Promise.race([closing, delay(50)]);
  }
  server.closeAllConnections();
  await Promise.race([closing, delay(1000)]);
}
