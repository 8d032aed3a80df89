import { hash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { isMeasured, metrics } from "#lib/kernel/metrics.ts";
import { listen } from "../front/address.ts";
import { collectMetrics } from "./collect.ts";

/** Without a token the service's own port does not have this path, so nobody learns that it exists. */
export function hasMetrics(url: string): boolean {
  return env().metricsToken !== undefined && /^\/metrics(?=[?]|$)/.test(url);
}

/** Compares digests, which have equal lengths, so that timing reveals nothing about the token. */
export function serveMetrics(request: IncomingMessage, response: ServerResponse): void {
  const [, given = ""] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const digest = (text: string) => hash("sha256", text, "buffer");
  if (timingSafeEqual(digest(given), digest(env().metricsToken ?? ""))) answer(request, response);
  else response.writeHead(401, { "WWW-Authenticate": 'Bearer realm="metrics"', "Cache-Control": "no-store" }).end();
}

/**
 * Opens the port for metrics alone, if there is one.
 * @returns what closes it
 * @throws Error that says what to do if the port cannot be used
 */
export async function openMetrics(): Promise<() => Promise<void>> {
  const { metricsPort: port, metricsHost: host } = env();
  if (isMeasured()) collectMetrics();
  if (port === undefined) return async () => undefined;
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (/^\/metrics(?=[?]|$)/.test(request.url ?? "")) answer(request, response);
    else response.writeHead(404).end();
  });
  server.maxConnections = 64;
  await listen(server, { host, port });
  return async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { method = "" } = request;
  if (method !== "GET" && method !== "HEAD") {
    response.writeHead(405, { Allow: "GET, HEAD" }).end();
    return;
  }
  const { registry } = metrics();
  registry.metrics().then(
    (text) => {
      response.writeHead(200, { "Content-Type": registry.contentType, "Cache-Control": "no-store" });
      response.end(method === "HEAD" ? undefined : text);
    },
    (error: Error) => {
      log().error({ err: error.message }, "the metrics could not be collected");
      response.writeHead(503).end();
    },
  );
}
