import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { HostCertificate } from "./certificates.ts";

/** A domain of the demo: a real HTTPS server on this machine. */
export type Host = {
  name: string;
  port: number;
  /** Serves `text` at exactly this URL of the domain. */
  publish(url: string, text: string): void;
  close(): void;
};

/**
 * Serves a domain on 127.0.0.1. Port 0 takes any that is free.
 * @throws Error naming the mend when the port is taken
 */
export async function openHost(name: string, port: number, certificate: HostCertificate): Promise<Host> {
  const pages = new Map<string, string>();
  const server = createServer(certificate, (request, response) => {
    const text = request.method === "GET" ? pages.get(request.url ?? "") : undefined;
    response.writeHead(text === undefined ? 404 : 200, { "Content-Type": "text/plain; charset=utf-8" });
    response.end(text ?? "There is nothing here.\n");
  });
  await listen(server, name, port);
  return {
    name,
    port: (server.address() as AddressInfo).port,
    publish(url, text) {
      const { hostname, pathname } = new URL(url);
      if (hostname !== name) throw new Error(`${url} is not on ${name}.`);
      pages.set(pathname, text);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function listen(server: Server, name: string, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      fail(isTaken ? new Error(`Port ${port}, where ${name} should be, is taken. Does another demo run?`) : error);
    });
    server.listen(port, "127.0.0.1", done);
  });
}

/** The value of DEV_HOSTS with which a service finds these domains. */
export function devHosts(hosts: readonly Pick<Host, "name" | "port">[]): string {
  return hosts.map(({ name, port }) => `${name}=127.0.0.1:${port}`).join(",");
}

/** The port that DEV_HOSTS gives a name; undefined when it does not name it. */
export function portIn(devHosts: string | undefined, name: string): number | undefined {
  const entry = devHosts?.split(",").find((text) => text.trim().startsWith(`${name}=`));
  const port = Number(entry?.slice(entry.lastIndexOf(":") + 1));
  return Number.isInteger(port) && port > 0 ? port : undefined;
}
