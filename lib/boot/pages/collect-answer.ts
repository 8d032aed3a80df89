import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";

/** A whole answer in memory. */
export type Collected = { status: number; headers: OutgoingHttpHeaders; body: Buffer };

/**
 * Passes a request to `render` and collects the answer instead of sending it.
 * @returns the answer, which fails if it breaks off, and a function that stops the render once nobody waits for it
 */
export function collectAnswer(
  render: RequestListener,
  request: IncomingMessage,
): { collected: Promise<Collected>; abandon(): void } {
  const { promise: collected, resolve, reject } = Promise.withResolvers<Collected>();
  const answer = new CollectedAnswer(request, resolve);
  answer.once("close", () => reject(new Error("The answer broke off.")));
  render(request, answer);
  return { collected, abandon: () => answer.destroy() };
}

/**
 * A GET for the page that a visitor asked for, with only these of its headers. It depends on nothing that the visitor's connection does
 * later.
 */
export function requestLike({ url, headers, socket }: IncomingMessage, names: readonly string[]): IncomingMessage {
  const from = new Socket();
  Object.defineProperty(from, "remoteAddress", { value: socket.remoteAddress });
  const request = new IncomingMessage(from);
  request.method = "GET";
  request.url = url;
  request.headers = Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
  request.complete = true;
  request.push(null);
  return request;
}

class CollectedAnswer extends ServerResponse {
  readonly #chunks: Uint8Array[] = [];
  readonly #done: (collected: Collected) => void;
  #isBegun = false;

  constructor(request: IncomingMessage, done: (collected: Collected) => void) {
    super(request);
    this.#done = done;
    Object.defineProperty(this, "headersSent", { get: () => this.#isBegun });
  }

  override writeHead(status: number, ...given: unknown[]): this {
    this.#isBegun = true;
    this.statusCode = status;
    const headers = given.find((each) => typeof each === "object") as OutgoingHttpHeaders | undefined;
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) this.setHeader(name, value);
    return this;
  }

  override write(chunk: string | Uint8Array): boolean {
    this.#begin();
    if (!this.destroyed) this.#chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    return true;
  }

  override end(chunk?: unknown): this {
    if (this.destroyed) return this;
    this.#begin();
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.write(chunk);
    this.#done({ status: this.statusCode, headers: { ...this.getHeaders() }, body: Buffer.concat(this.#chunks) });
    this.emit("prefinish");
    this.emit("finish");
    return this.destroy();
  }

  /** As Node does: `writeHead` may have been replaced by one that adds headers. */
  #begin(): void {
    if (!this.#isBegun) this.writeHead(this.statusCode);
  }

  override destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.emit("close");
    return this;
  }
}
