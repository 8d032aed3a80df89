import { connect } from "node:net";

/** What visitors got: answers, their milliseconds, and how many were none or not 200. */
export type Visits = { answers: number; failed: number; milliseconds: number[] };

/**
 * Visitors who load pages without pause, over a connection each, until `end` is settled; each asks for the `paths` in turn.
 *
 * They look at an answer's head alone. autocannon makes text of every body, which for compressed bytes takes it ten times as long as it
 * takes the service to send them: it would measure itself.
 */
export async function visit(
  url: string,
  { paths, connections, end }: { paths: readonly string[]; connections: number; end: Promise<unknown> },
): Promise<Visits> {
  const visits: Visits = { answers: 0, failed: 0, milliseconds: [] };
  const { hostname, port, host } = new URL(url);
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: gzip\r\n\r\n`);
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  end.then(over, over);
  const visitor = () =>
    new Promise<void>((done) => {
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
        socket.write(requests[asked++ % requests.length] ?? "");
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
          if (!text.startsWith("HTTP/1.1 200 ") || length === undefined) {
            socket.destroy(new Error(text));
            return;
          }
          left = Number(length) - (head.length - at - 4);
          head = Buffer.alloc(0);
        }
        if (left > 0) return;
        visits.answers += 1;
        visits.milliseconds.push(performance.now() - began);
        ask();
      });
      socket.once("error", () => {
        visits.failed += 1;
      });
      socket.once("close", () => done());
    });
  await Promise.all(Array.from({ length: connections }, visitor));
  return visits;
}
