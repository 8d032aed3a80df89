import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { Duplex } from "node:stream";
import next from "next";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { renderMarked } from "./public-read.ts";

export type Pages = {
  listener: RequestListener;
  /** In development, browsers learn of changed files through a WebSocket of the server. `detach` closes it. */
  attach(server: Server): void;
  detach(): void;
  close(): Promise<void>;
};

/** Next.js uses these to tell its client where the proxy sent a request. They would reveal what a hidden address leads to. */
const REWRITTEN = ["x-middleware-rewrite", "x-nextjs-rewritten-path", "x-nextjs-rewritten-query"];

function forgetRewrites(response: ServerResponse): void {
  const writeHead = response.writeHead;
  response.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    for (const name of REWRITTEN) this.removeHeader(name);
    return Reflect.apply(writeHead, this, given) as ServerResponse;
  } as typeof writeHead;
}

/** Next prints a line when it first reads its configuration, then caches it. Reading it here first keeps standard output clean. */
async function readConfigSilently(dev: boolean, dir: string): Promise<void> {
  const path = "next/dist/server/config.js";
  const { default: loadConfig } = createRequire(import.meta.url)(path) as typeof import("next/dist/server/config.js");
  await loadConfig(dev ? PHASE_DEVELOPMENT_SERVER : PHASE_PRODUCTION_SERVER, dir, { silent: true });
}

/** Next's request handler in this process, for the pages in `dir`: the built ones, or with `dev` the sources, recompiled as they change. */
export async function openPages(options: { dev: boolean; dir: string; host: string; port: number }): Promise<Pages> {
  const { dev, dir, port } = options;
  // Next listens for upgrades on the server it is given. On the real one it would also swallow requests that merely offer
  // to upgrade (`Upgrade: h2c`, which some HTTP clients always send).
  const decoy = createServer();
  await readConfigSilently(dev, dir);
  // With any other host name Next treats the proxy's rewrites as requests to another server and forwards them there.
  const app = next({ dev, dir, hostname: "localhost", port, httpServer: decoy });
  await app.prepare();
  const handle = app.getRequestHandler();
  const reloadSockets = new Set<Duplex>();
  const listener: RequestListener = (request, response) => {
    // Pages cannot see the peer's address, and Next trusts whatever the client sends in this header: append the real one. In a
    // process of its own the peer is the service, which has appended it.
    const { "x-forwarded-for": claimed } = request.headers;
    request.headers["x-forwarded-for"] = [claimed, request.socket.remoteAddress].filter(Boolean).join(", ");
    forgetRewrites(response);
    // Beside the service, Next adds more listeners than Node expects; it would print a warning.
    if (dev) response.setMaxListeners(32);
    renderMarked(request, () => void handle(request, response));
  };
  return {
    listener,
    attach(server) {
      if (!dev) return;
      server.on("upgrade", (request, socket, head) => {
        if (!request.url?.startsWith("/_next/hmr")) {
          socket.destroy();
          return;
        }
        reloadSockets.add(socket);
        socket.once("close", () => reloadSockets.delete(socket));
        decoy.emit("upgrade", request, socket, head);
      });
    },
    detach() {
      for (const socket of reloadSockets) socket.destroy();
    },
    close: () => app.close(),
  };
}
