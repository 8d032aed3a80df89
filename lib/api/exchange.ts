import { Readable } from "node:stream";

/** The parts of a request that the API reads. Both a web `Request` and `NodeRequest` (listener.ts) have them. */
export type ApiRequest = Pick<Request, "method" | "url" | "arrayBuffer"> & {
  headers: Pick<Headers, "get" | "has">;
  body: AsyncIterable<Uint8Array> | null;
};

type Body = string | null | Uint8Array<ArrayBuffer> | AsyncIterable<string>;

/** An answer in plain form. A web `Response` is made only where one is needed, because it costs more than many answers. */
export class Answer {
  readonly status: number;
  /** `Set-Cookie` may have several values. */
  readonly headers: Record<string, string | string[]>;
  /** Null where HTTP allows no body (204, 304); an iterable where it is too long to hold in memory. */
  readonly body: Body;
  constructor(status: number, headers: Record<string, string | string[]>, body: Body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
  toResponse(): Response {
    const headers = Object.entries(this.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    const { body } = this;
    const whole =
      body === null || typeof body === "string" || body instanceof Uint8Array
        ? body
        : (Readable.toWeb(Readable.from(body, { objectMode: false })) as ReadableStream<Uint8Array>);
    return new Response(whole, { status: this.status, headers });
  }
}
