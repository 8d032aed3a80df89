import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";

/** An answer that is kept instead of sent. */
export type Kept = { status: number; headers: OutgoingHttpHeaders; body: Buffer };

/** Headers about the body of a request, which has none here, and about the form of the answer, which is made for each visitor. */
const LEFT_OUT = [
  ...["content-length", "transfer-encoding", "expect", "connection"],
  ...["accept-encoding", "if-none-match", "if-modified-since"],
];

/**
 * Has the answer to a visitor's GET or HEAD made, and keeps it. Others may wait for it, so it depends on nothing that the visitor does
 * from now on: it is asked for with a request of its own, which has no body.
 * @returns the answer, which fails if it breaks off, and what ends its making when nobody waits for it any more
 */
export function keepAnswer(
  render: RequestListener,
  visitor: IncomingMessage,
): { kept: Promise<Kept>; abandon(): void } {
  const request = requestLike(visitor);
  let answer: KeptAnswer | undefined;
  const kept = new Promise<Kept>((done, fail) => {
    answer = new KeptAnswer(request, done);
    answer.once("close", () => fail(new Error("The page broke off.")));
    render(request, answer);
  });
  return { kept, abandon: () => answer?.destroy() };
}

function requestLike({ url, headers, socket }: IncomingMessage): IncomingMessage {
  const from = new Socket();
  Object.defineProperty(from, "remoteAddress", { value: socket.remoteAddress });
  const request = new IncomingMessage(from);
  request.method = "GET";
  request.url = url;
  request.headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !LEFT_OUT.includes(name)));
  request.complete = true;
  request.push(null);
  return request;
}

class KeptAnswer extends ServerResponse {
  readonly #chunks: Uint8Array[] = [];
  readonly #done: (kept: Kept) => void;
  #isBegun = false;

  constructor(request: IncomingMessage, done: (kept: Kept) => void) {
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
    return this.destroy();
  }

  /** As Node does: `writeHead` may have been replaced, by one that adds headers. */
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
