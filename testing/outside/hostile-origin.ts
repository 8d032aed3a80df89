import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls";
import type { ProbeFailure, ProbeResult, Resolve } from "#lib/identity/domain/prober.ts";
import type { Certificate } from "../../examples/demo/certificate-authority.ts";

/** A web server on 127.0.0.1 that behaves as a test tells it to. */
export interface Origin {
  port: number;
  /** TCP connections so far. */
  connections: number;
  /** Stops listening, and resolves once the other side has ended every connection. */
  drained(): Promise<void>;
}

/** What to do with a connection over which a request has come; `head` is the request's text up to its blank line. */
export type Behaviour = (socket: TLSSocket, head: string) => void;

const BLANK_LINE = "\r\n\r\n";

/** Listens for bare TCP. */
export function listenTcp(onConnection: (socket: Socket) => void): Promise<Origin> {
  return listen(createServer((socket) => onConnection(quiet(socket))));
}

/** Listens for TLS; `options` are those of the TLS server. */
export function listenTls(certificate: Certificate, behave: Behaviour, options: TlsOptions = {}): Promise<Origin> {
  const server = createTlsServer({ cert: certificate.certPem, key: certificate.keyPem, ...options }, (socket) => {
    let head = "";
    quiet(socket).on("data", (chunk) => {
      if (head.includes(BLANK_LINE)) return;
      head += chunk.toString("latin1");
      const end = head.indexOf(BLANK_LINE);
      if (end !== -1) behave(socket, head.slice(0, end + BLANK_LINE.length));
    });
  });
  return listen(server.on("tlsClientError", () => {}));
}

/** Answers with `parts` one after the other, and ends the connection. */
export function answer(...parts: (string | Buffer)[]): Behaviour {
  return (socket) => socket.end(Buffer.concat(parts.map((part) => Buffer.from(part))));
}

/** Answers with `parts` and breaks the connection off. */
export function breakOff(...parts: string[]): Behaviour {
  return (socket) => socket.write(parts.join(""), () => socket.destroy());
}

/** Answers with `begin`, then goes on with `part` every `everyMs` milliseconds for as long as the other side stays. */
export function drip(begin: string, part: string, everyMs = 5): Behaviour {
  return (socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(part), everyMs);
    socket.on("close", () => clearInterval(timer));
  };
}

/** Answers with `begin`, then with `part` as fast as the other side reads, without end. */
export function flood(begin: string, part: string): Behaviour {
  const block = part.repeat(Math.ceil(65_536 / part.length));
  return (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on("drain", pour);
    socket.write(begin);
    pour();
  };
}

/** A resolver that answers every question with these addresses. */
export function addressesOf(...ips: string[]): Resolve {
  const addresses = ips.map((address) => ({ address, family: address.includes(":") ? (6 as const) : (4 as const) }));
  return async () => addresses;
}

/** Asserts a failure whose detail is one plain sentence without an address or a system error. */
export function assertFails(result: ProbeResult, reason: ProbeFailure): void {
  assert.equal(result.ok, false);
  assert.equal(result.reason, reason, result.detail);
  assert.match(result.detail, /^[\x20-\x7e]+\.$/);
  assert.doesNotMatch(result.detail, /\d+\.\d+\.\d+\.\d+|\[|::|ERR_|HPE_|\bE[A-Z]{4,}\b|undefined|NaN/);
}

async function listen(server: Server): Promise<Origin> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin: Origin = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    drained: () => new Promise((resolve) => server.close(() => resolve())),
  };
  server.on("connection", () => {
    origin.connections += 1;
  });
  return origin;
}

// These servers expect peers to disconnect at any time.
function quiet<S extends Socket>(socket: S): S {
  socket.on("error", () => {});
  socket.resume();
  return socket;
}
