import { connect } from "node:net";

export type Request = {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  /** A function makes another body each time. */
  body?: string | (() => string);
};

/** What came back: answers, their milliseconds, how many connections ended too early, and what ended the first of them. */
export type Answers = { count: number; failed: number; failure?: string; milliseconds: number[] };

/**
 * Sends requests without pause over some connections, until `end` is settled: each connection sends its own in turn.
 *
 * Only the head of an answer is looked at. A client that reads the body as well takes as long as the server does to send it, so on few
 * cores it measures itself.
 */
export async function load(
  url: string,
  options: { requests(connection: number): readonly Request[]; connections: number; end: Promise<unknown> },
): Promise<Answers> {
  const answers: Answers = { count: 0, failed: 0, milliseconds: [] };
  const { hostname, port, host } = new URL(url);
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  options.end.then(over, over);
  const open = (connection: number) =>
    new Promise<void>((done) => {
      const messages = options.requests(connection).map((request) => messageOf(request, host));
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let asked = 0;
      let began = 0;
      let head = Buffer.alloc(0);
      /** Bytes of the body that are to come; undefined while the head is not complete. */
      let left: number | undefined;
      const ask = () => {
        if (isOver) {
          socket.end();
          return;
        }
        began = performance.now();
        left = undefined;
        const message = messages[asked++ % messages.length] ?? "";
        socket.write(typeof message === "string" ? message : message());
      };
      socket.once("connect", ask);
      socket.on("data", (chunk) => {
        if (left !== undefined) left -= chunk.length;
        else {
          head = head.length > 0 ? Buffer.concat([head, chunk]) : chunk;
          const at = head.indexOf("\r\n\r\n");
          if (at < 0) return;
          const text = head.toString("latin1", 0, at);
          const length = /^content-length: (\d+)$/im.exec(text)?.[1];
          if (!text.startsWith("HTTP/1.1 2") || length === undefined) {
            socket.destroy(new Error(text));
            return;
          }
          left = Number(length) - (head.length - at - 4);
          head = Buffer.alloc(0);
        }
        if (left > 0) return;
        answers.count += 1;
        answers.milliseconds.push(performance.now() - began);
        ask();
      });
      socket.once("error", ({ message }) => {
        answers.failure ??= message;
      });
      socket.once("close", () => {
        // Nobody closes a connection that is at work without something being wrong.
        if (!isOver) answers.failed += 1;
        done();
      });
    });
  await Promise.all(Array.from({ length: options.connections }, (_, connection) => open(connection)));
  return answers;
}

function messageOf({ method = "GET", path, headers = {}, body }: Request, host: string): string | (() => string) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map((pair) => pair.join(": ")),
  ];
  const whole = (text: string) => [...head, `Content-Length: ${Buffer.byteLength(text)}`, "", text].join("\r\n");
  if (typeof body === "function") return () => whole(body());
  return body === undefined ? [...head, "", ""].join("\r\n") : whole(body);
}
