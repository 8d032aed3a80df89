import { on } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { hasJustWritten } from "#lib/db/recent-writers.ts";
import type { EventStream, StreamSink } from "#lib/kernel/endpoint.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { noteOperation } from "#lib/kernel/operation.ts";
import { clientAddress } from "./callers/client-address.ts";
import { answerArd } from "./discovery/ard.ts";
import { answerDocument } from "./documents/answer.ts";
import { findDocument } from "./documents/find.ts";
import { Answer, type ApiRequest } from "./exchange.ts";
import { logFailure } from "./failure.ts";
import { answerRequest } from "./handle.ts";
import { answerLog, isLogPath } from "./log-resources.ts";
import { answerConnectedMcp, answerMcp } from "./mcp/listener.ts";
import { isOauthPath, serveOauth } from "./oauth/serve.ts";
import { healthz, readyz } from "./probes.ts";

/**
 * Answers `/api/v1/…`, `/mcp`, `/oauth/…`, `/ard/…`, `/log/…`, `/witness/…`, documents that are written here, `/healthz` and `/readyz` without
 * going through Next. Next has routes for `/api/v1/…` and the probes alone, which use the same functions.
 */
export function apiListener(): RequestListener {
  return (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?", 1);
    if (isOauthPath(path)) {
      const forwarded = incoming.headers["x-forwarded-for"]?.toString() ?? null;
      void serveOauth(incoming, outgoing, clientAddress(incoming.socket.remoteAddress, forwarded));
      return;
    }
    answerIncoming(incoming).then(
      (answer) => {
        write(outgoing, answer);
        // The rest of a refused body is read and dropped, because the connection's next request follows it.
        if (!incoming.complete) incoming.resume();
      },
      (error: unknown) => {
        logFailure("none", "listener", error);
        outgoing.destroy();
      },
    );
  };
}

async function answerIncoming(incoming: IncomingMessage): Promise<Answer> {
  const [path = ""] = (incoming.url ?? "").split("?", 1);
  const probe = PROBES[path];
  if (probe) {
    const response = await probe();
    const headers = { ...Object.fromEntries(response.headers), "X-Request-Id": newId("req") };
    return new Answer(response.status, headers, await response.text());
  }
  const request = new NodeRequest(incoming);
  const address = clientAddress(incoming.socket.remoteAddress, request.headers.get("x-forwarded-for"));
  if (/^\/mcp\/?$/.test(path)) return answerMcp(request, { address });
  if (/^\/mcp\/connect\/?$/.test(path)) return answerConnectedMcp(request, { address });
  if (/^\/ard(?:\/|$)/.test(path)) return answerArd(request, { address });
  if (isLogPath(path)) return answerLog(request, path);
  const document = findDocument(incoming);
  if (document) {
    request.noteOperation("document");
    return answerDocument(document, request, { mayLag: !hasJustWritten(address) });
  }
  return answerRequest(request, { address });
}

const PROBES: Record<string, () => Response | Promise<Response>> = { "/healthz": healthz, "/readyz": readyz };

function write(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  if (body === null) outgoing.writeHead(status, headers).end();
  else if (typeof body === "function") writeStream(outgoing.writeHead(status, headers), body);
  else if (body instanceof Readable) writeFile(outgoing.writeHead(status, headers), body);
  else if (typeof body !== "string" && !(body instanceof Uint8Array))
    writePieces(outgoing.writeHead(status, headers), body);
  else {
    const length = Buffer.byteLength(body);
    // Text with as many bytes as characters is ASCII, which Node writes faster if it is told so.
    const encoding = length === body.length ? "latin1" : "utf8";
    outgoing.writeHead(status, { ...headers, "Content-Length": length }).end(body, encoding);
  }
}

const allowed = new WeakMap<IncomingMessage, number>();

/** How long this request's body may take to arrive, if that is not the usual time; see lib/boot/front/connections.ts. */
export function secondsAllowed(request: IncomingMessage): number | undefined {
  return allowed.get(request);
}

const streams = new WeakSet<ServerResponse>();

/** Whether this answer is a stream of events or a file, which goes on for minutes. */
export function isStream(response: ServerResponse): boolean {
  return streams.has(response);
}

/** Marks an answer as one; see lib/boot/front/connections.ts. */
export function markStream(response: ServerResponse): void {
  streams.add(response);
}

function writeStream(outgoing: ServerResponse, stream: EventStream): void {
  markStream(outgoing);
  stream(new ResponseSink(outgoing));
}

class ResponseSink implements StreamSink {
  readonly #outgoing: ServerResponse;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  get unread(): number {
    return this.#outgoing.writableLength;
  }

  write(text: string): void {
    this.#outgoing.write(text);
  }

  end(): void {
    this.#outgoing.end();
  }

  drained(): Promise<void> {
    const outgoing = this.#outgoing;
    if (outgoing.closed || !outgoing.writableNeedDrain) return Promise.resolve();
    return new Promise((done) => {
      const finish = () => {
        outgoing.off("drain", finish).off("close", finish);
        done();
      };
      outgoing.on("drain", finish).on("close", finish);
    });
  }

  onClose(listener: () => void): void {
    if (this.#outgoing.closed) listener();
    else this.#outgoing.once("close", listener);
  }
}

/** The same for a file, which is as long as its headers say. Its reader is judged by whether it goes on reading. */
function writeFile(outgoing: ServerResponse, body: Readable): void {
  markStream(outgoing);
  pipeline(body, outgoing).catch((error: NodeJS.ErrnoException) => {
    // The client may leave before the end.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") logFailure("none", "listener", error);
  });
}

/** Writes as fast as the client reads. A failure half-way closes the connection, so that the client sees an incomplete answer. */
function writePieces(outgoing: ServerResponse, body: AsyncIterable<string>): void {
  pipeline(Readable.from(body), outgoing).catch((error: unknown) => logFailure("none", "listener", error));
}

/**
 * A body in the chunks in which it arrives; the message's own iterator would join those that wait, and so copy them. Reading may stop
 * half-way: the connection stays open for the answer.
 */
async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  // A message that was closed emits nothing any more, so reading it would never end.
  if (!incoming.destroyed)
    try {
      for await (const [chunk] of on(incoming, "data", { close: ["close"], highWaterMark: 1 })) yield chunk;
    } catch {
      throw endedEarly();
    }
  if (!incoming.readableEnded) throw endedEarly();
}

const endedEarly = () => invalidInput("body", "ended before it was complete");

/** The parts of a web `Request` that the API reads, taken from Node's message. */
class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest["headers"];
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    this.method = incoming.method ?? "GET";
    this.url = `http://localhost${incoming.url}`;
    const get = (name: string) => incoming.headers[name.toLowerCase()]?.toString() ?? null;
    this.headers = { get, has: (name) => get(name) !== null };
  }

  get body() {
    return chunksOf(this.#incoming);
  }

  allowSeconds(seconds: number): void {
    allowed.set(this.#incoming, seconds);
  }

  noteOperation(name: string): void {
    noteOperation(this.#incoming, name);
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    const incoming = this.#incoming;
    if (incoming.destroyed) return Promise.reject(endedEarly());
    const chunks: Buffer[] = [];
    return new Promise((done, fail) => {
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("end", () => {
        const { buffer, byteOffset, byteLength } = Buffer.concat(chunks);
        done(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
      });
      incoming.once("error", () => fail(endedEarly()));
    });
  }
}
