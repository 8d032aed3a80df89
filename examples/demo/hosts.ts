import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificates, HostCertificate } from "./certificates.ts";

/** A domain of the demo: a real HTTPS server on this machine. */
export type Host = {
  name: string;
  port: number;
  /** Serves `text` at this URL of the domain. */
  publish(url: string, text: string): void;
  close(): void;
};

/** Ports by domain name. */
export type Ports = ReadonlyMap<string, number>;

/** Opens the requester's domain and the provider's. Without `ports`, each gets any port that is free. */
export async function openHosts(
  { hosts }: Certificates,
  names: [string, string],
  ports: Ports = new Map(),
): Promise<[Host, Host]> {
  const open = (name: string) => {
    const certificate = hosts.get(name);
    if (!certificate) throw new Error(`There is no certificate for ${name}.`);
    return openHost(name, ports.get(name) ?? 0, certificate);
  };
  const first = await open(names[0]);
  try {
    return [first, await open(names[1])];
  } catch (error) {
    first.close();
    throw error;
  }
}

/** @throws Error saying what to do if the port is taken */
async function openHost(name: string, port: number, certificate: HostCertificate): Promise<Host> {
  const pages = new Map<string, string>();
  const server = createServer(certificate, (request, response) => {
    const text = request.method === "GET" ? pages.get(request.url ?? "") : undefined;
    response.writeHead(text === undefined ? 404 : 200, { "Content-Type": "text/plain; charset=utf-8" });
    response.end(text ?? "Not found\n");
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
      fail(isTaken ? new Error(`Port ${port}, which ${name} needs, is in use. Is another demo running?`) : error);
    });
    server.listen(port, "127.0.0.1", done);
  });
}

/** The value of DEV_HOSTS with which a service finds these domains. */
export function devHosts(hosts: readonly Pick<Host, "name" | "port">[]): string {
  return hosts.map(({ name, port }) => `${name}=127.0.0.1:${port}`).join(",");
}
