import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

export type Balancer = {
  port: number;
  /** Breaks every connection, as when what is behind the address dies. */
  cut(): void;
  close(): void;
};

/**
 * One address in front of several servers of this machine.
 * @param next the port for the next connection; undefined refuses it
 */
export async function openBalancer(next: () => number | undefined): Promise<Balancer> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const port = next();
    if (port === undefined) return client.destroy();
    const upstream = connect(port, "127.0.0.1");
    clients.add(client);
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    client.on("close", () => clients.delete(client));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const cut = () => {
    for (const client of clients) client.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
