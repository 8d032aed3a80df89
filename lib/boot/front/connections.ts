import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientAddress, isTrustedProxy } from "#lib/api/callers/client-address.ts";
import { isStream, secondsAllowed } from "#lib/api/listener.ts";
import { env } from "#lib/kernel/env.ts";
import { pacedWork } from "#lib/kernel/paced-work.ts";
import { refuseConnection } from "./malformed.ts";

/** Bounds on what clients can hold open in one process. */
export const CONNECTIONS = {
  inAll: 10_000,
  /** Per client address. Trusted proxies, which act for many clients, are exempt. Not applied when limits are off. */
  perAddress: 512,
  /** Without any traffic, even while an answer is being prepared. */
  silentSeconds: 120,
  /** Between two requests. A proxy reuses its connections for about a minute, and must not find them closed. */
  idleSeconds: 20,
  idleSecondsOfProxy: 75,
  /** For the body of a request to arrive, unless its endpoint allows more. */
  bodySeconds: 60,
  /** For a client to read what has been written, counted from when it stops reading. Preparing an answer does not count. */
  drainSeconds: 30,
  /** Bytes that clients have not read yet, over all connections. */
  unreadBytes: 64 * 1024 * 1024,
  /** Requests that a client may send on one connection before it has its answers. */
  pipelined: 64,
  /** How long such a request may wait for those before it. A client that reads its answers never waits that long, except behind a stream. */
  pipelinedSeconds: 30,
  /** How many of those start before other connections get a turn. */
  pipelinedAtOnce: 1,
} as const;

type Exchange = { request: IncomingMessage; response: ServerResponse; at: number };

type Connection = {
  address: string;
  isProxy: boolean;
  answering: boolean;
  /** The request whose answer is being given, or was given last, and when it began. */
  request?: IncomingMessage;
  requestedAt: number;
  /** The answer that is being given, or was given last. */
  response?: ServerResponse | undefined;
  waiting: Exchange[];
  /** Since when there has been unread data; undefined while there is none. */
  unreadSince: number | undefined;
  /** The bytes that the client has read of a stream of events; undefined for other answers. */
  streamRead?: number | undefined;
};

/**
 * Bounds what clients can hold open, and answers the requests of one connection one after the other: an answer starts only when
 * the one before it has been read, so that unread answers do not pile up.
 * @returns the listener for the server's requests, which passes them to `answer`
 */
export function guardConnections(server: Server, answer: RequestListener): RequestListener {
  const open = new Map<Socket, Connection>();
  const perAddress = new Map<string, number>();
  server.maxConnections = CONNECTIONS.inAll;
  server.timeout = CONNECTIONS.silentSeconds * 1000;
  server.keepAliveTimeout = CONNECTIONS.idleSeconds * 1000;

  server.on("connection", (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, null);
    const isProxy = isTrustedProxy(socket.remoteAddress);
    const count = (perAddress.get(address) ?? 0) + 1;
    if (count > CONNECTIONS.perAddress && !isProxy && env().rateLimitScale > 0) {
      refuseConnection(socket, CONNECTIONS.perAddress);
      return;
    }
    perAddress.set(address, count);
    const connection = { address, isProxy, answering: false, requestedAt: 0, waiting: [], unreadSince: undefined };
    open.set(socket, connection);
    socket.once("close", () => {
      open.delete(socket);
      connection.waiting.length = 0;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
  });

  const sweeper = setInterval(() => {
    closeUnread(open, performance.now());
    for (const socket of withoutBody(open, performance.now()))
      server.emit("clientError", Object.assign(new Error("body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  }, 1000).unref();
  server.once("close", () => clearInterval(sweeper));

  const deliverRound = pacedWork(CONNECTIONS.pipelinedAtOnce);
  function begin(socket: Socket, connection: Connection, { request, response }: Exchange): void {
    connection.answering = true;
    connection.response = response;
    connection.request = request;
    connection.requestedAt = performance.now();
    response.once("close", () => {
      connection.answering = false;
      connection.streamRead = undefined;
      connection.response = undefined;
      connection.unreadSince = undefined;
      if (connection.waiting.length > 0) {
        connection.answering = true;
        deliverRound(() => continueWith(socket, connection));
      } else if (connection.isProxy) socket.setTimeout(CONNECTIONS.idleSecondsOfProxy * 1000);
    });
    answer(request, response);
  }

  function continueWith(socket: Socket, connection: Connection): void {
    const next = connection.waiting.shift();
    if (next && !socket.destroyed) begin(socket, connection, next);
  }

  return (request, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    // Already refused, or closed while it was sending.
    if (!connection || socket.destroyed) return;
    const exchange = { request, response, at: performance.now() };
    if (!connection.answering) begin(socket, connection, exchange);
    else if (connection.waiting.length < CONNECTIONS.pipelined) connection.waiting.push(exchange);
    else socket.destroy();
  };
}

/** Connections whose request has not arrived as a whole in its time. */
function* withoutBody(open: Map<Socket, Connection>, now: number): Generator<Socket> {
  for (const [socket, { request, requestedAt }] of open) {
    if (!request || request.complete) continue;
    const seconds = secondsAllowed(request) ?? CONNECTIONS.bodySeconds;
    if (now - requestedAt >= seconds * 1000) yield socket;
  }
}

/** A stream may always have unread bytes, so its reader is judged by whether it has read anything since the last check. */
function hasReadOfStream(socket: Socket, connection: Connection): boolean {
  if (!connection.response || !isStream(connection.response)) return false;
  const read = socket.bytesWritten - socket.writableLength;
  const before = connection.streamRead ?? 0;
  connection.streamRead = read;
  return read > before;
}

/**
 * Closes connections that stopped reading or are too far ahead of their answers. When too much is unread in all, those that
 * stopped reading first are closed.
 */
export function closeUnread(open: Map<Socket, Connection>, now: number): void {
  const unread: [Socket, Connection][] = [];
  let bytes = 0;
  for (const [socket, connection] of open) {
    const [next] = connection.waiting;
    if (next && now - next.at >= CONNECTIONS.pipelinedSeconds * 1000) {
      socket.destroy();
      continue;
    }
    if (socket.writableLength === 0) {
      connection.unreadSince = undefined;
      continue;
    }
    connection.unreadSince ??= now;
    if (hasReadOfStream(socket, connection)) connection.unreadSince = now;
    if (now - connection.unreadSince >= CONNECTIONS.drainSeconds * 1000) {
      socket.destroy();
      continue;
    }
    bytes += socket.writableLength;
    unread.push([socket, connection]);
  }
  if (bytes <= CONNECTIONS.unreadBytes) return;
  unread.sort(([, one], [, other]) => (one.unreadSince ?? now) - (other.unreadSince ?? now));
  for (const [socket] of unread) {
    bytes -= socket.writableLength;
    socket.destroy();
    if (bytes <= CONNECTIONS.unreadBytes) return;
  }
}
