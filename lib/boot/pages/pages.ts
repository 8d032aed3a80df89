import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { Duplex } from "node:stream";
import next from "next";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { env } from "#lib/kernel/env.ts";
import { collectAnswer } from "./collect-answer.ts";
import { acceptedEncodings, compressed, LEAST_BYTES } from "./encodings.ts";
import { withScriptHashes } from "./hashed-scripts.ts";
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

/** Content types that compress well. */
const COMPRESSIBLE = /^(?:text\/|image\/svg|application\/(?:[\w.-]+\+)?(?:json|xml|javascript))/;

/** Sends what `render` answers whole, with the hashes of its scripts in its policy, compressed as the client likes it. */
function sendHashed(render: RequestListener): RequestListener {
  return (request, response) => {
    const { collected, abandon } = collectAnswer(render, request);
    response.once("close", abandon);
    const answer = collected.then(async (whole) => {
      // Behind a proxy, the request's host may differ from the one in the browser's address bar, which BASE_URL names.
      const hosts = [new URL(env().baseUrl).host, request.headers.host];
      const { status, headers, body } = withScriptHashes(whole, hosts);
      const isCompressed = body.length >= LEAST_BYTES && COMPRESSIBLE.test(String(headers["content-type"]));
      const [encoding = "identity"] = isCompressed ? acceptedEncodings(request.headers["accept-encoding"]) : [];
      for (const name of REWRITTEN) delete headers[name];
      if (isCompressed) headers.vary = [headers.vary, "Accept-Encoding"].filter(Boolean).join(", ");
      if (encoding !== "identity") headers["content-encoding"] = encoding;
      return { status, headers, body: await compressed(body, encoding) };
    });
    answer.then(
      // The length of what HEAD leaves out is not known, and 204 and 304 have none.
      ({ status, headers, body }) =>
        response.writeHead(status, body.length > 0 ? { ...headers, "content-length": body.length } : headers).end(body),
      () => response.destroy(),
    );
  };
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
  const hashed = sendHashed((request, response) => void handle(request, response));
  const reloadSockets = new Set<Duplex>();
  const listener: RequestListener = (request, response) => {
    // Pages cannot see the peer's address, and Next trusts whatever the client sends in this header: append the real one. In a
    // process of its own the peer is the service, which has appended it.
    const { "x-forwarded-for": claimed } = request.headers;
    request.headers["x-forwarded-for"] = [claimed, request.socket.remoteAddress].filter(Boolean).join(", ");
    // Beside the service, Next adds more listeners than Node expects; it would print a warning.
    if (dev) response.setMaxListeners(32);
    renderMarked(request, () => void (dev ? handle : hashed)(request, response));
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
