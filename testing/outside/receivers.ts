import type { IncomingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { DevHost } from "#lib/kernel/env/dev-hosts.ts";
import { createSend, type Send } from "#lib/record/delivery/send.ts";
import { createAuthority } from "../../examples/demo/certificate-authority.ts";

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; bytes: Buffer };

/** A web server on 127.0.0.1 that receives webhooks for a host. */
export type Receiver = {
  host: string;
  received: Received[];
  /** What it answers; 204 at first. */
  answer(response: ServerResponse, received: Received): void;
  /** Stops listening: from then on, connections are refused. */
  die(): Promise<void>;
};

/** Receivers for any number of hosts, and a sender that reaches them, and nobody else. */
export async function openReceivers(deadlineMs = 4_000) {
  const authority = await createAuthority();
  const hosts = new Map<string, DevHost>();
  const servers: Server[] = [];
  const send: Send = createSend({
    resolve: async () => [],
    devHosts: hosts,
    ca: [authority.certPem],
    deadlineMs,
  });

  return {
    send,
    async receiver(host: string): Promise<Receiver> {
      const { certPem: cert, keyPem: key } = await authority.issue([host]);
      const receiver: Receiver = {
        host,
        received: [],
        answer: (response) => void response.writeHead(204).end(),
        die: () => close(server),
      };
      const listener: RequestListener = (request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const received = { path: request.url ?? "", headers: request.headers, body: bytes.toString(), bytes };
          receiver.received.push(received);
          receiver.answer(response, received);
        });
      };
      const server = createServer({ cert, key }, listener);
      servers.push(server);
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      hosts.set(host, { address: "127.0.0.1", port: (server.address() as AddressInfo).port });
      return receiver;
    },
    close: () => Promise.all(servers.map(close)),
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
