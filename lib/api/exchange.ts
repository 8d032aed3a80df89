import { Readable } from "node:stream";
import type { EventStream } from "#lib/kernel/endpoint.ts";

/** The parts of a request that the API reads. Both a web `Request` and `NodeRequest` (listener.ts) have them. */
export type ApiRequest = Pick<Request, "method" | "url" | "arrayBuffer"> & {
  headers: Pick<Headers, "get" | "has">;
  body: AsyncIterable<Uint8Array> | null;
  /** Takes the name of the operation that answers, for the access log and metrics. */
  noteOperation?(name: string): void;
  /** Lets its body take so long to arrive, instead of what is usual. */
  allowSeconds?(seconds: number): void;
};

type Body = string | null | Uint8Array<ArrayBuffer> | AsyncIterable<string> | Readable | EventStream;

/** An answer in plain form. A web `Response` is made only where one is needed, because it costs more than many answers. */
export class Answer {
  readonly status: number;
  /** `Set-Cookie` may have several values. */
  readonly headers: Record<string, string | string[]>;
  /** Null where HTTP allows no body (204, 304); an iterable where it is too long to hold in memory; or a stream of events. */
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
        : typeof body === "function"
          ? webStream(body)
          : (Readable.toWeb(Readable.from(body, { objectMode: false })) as ReadableStream<Uint8Array>);
    return new Response(whole, { status: this.status, headers });
  }
}

/** A stream of events for a server that answers with web-standard objects. */
function webStream(stream: EventStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let close: () => void = () => undefined;
  let drain: () => void = () => undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream({
          write: (text) => controller.enqueue(encoder.encode(text)),
          end() {
            controller.close();
            close();
          },
          get unread() {
            return Math.max(0, -(controller.desiredSize ?? 0));
          },
          drained: () =>
            new Promise((done) => {
              drain = done;
            }),
          onClose(listener) {
            close = listener;
          },
        });
      },
      pull: () => drain(),
      cancel() {
        close();
        drain();
      },
    },
    { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
