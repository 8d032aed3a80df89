import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export type Request = {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  /** A function makes another body each time. */
  body?: string | (() => string);
};

export function get(path: string, token?: string): Request {
  return { path, ...(token && { headers: { Authorization: `Bearer ${token}` } }) };
}

export function post(path: string, body: object | (() => object), token?: string): Request {
  const { headers } = get(path, token);
  const text = typeof body === "function" ? () => JSON.stringify(body()) : JSON.stringify(body);
  return { method: "POST", path, headers: { "Content-Type": "application/json", ...headers }, body: text };
}

/** An answer, with its milliseconds from the moment at which the request was due. Status 0 stands for a failed connection. */
export type Answer = {
  status: number;
  milliseconds: number;
  body: Buffer;
  /** Bytes that the connection has sent and received so far. */
  sent: number;
  received: number;
};

export type Caller = {
  /** Never rejects. `due` is a time of `performance.now()`. */
  send(request: Request, due?: number): Promise<Answer>;
  close(): void;
};

/** Sends requests over at most `connections` connections, which stay open; with addresses of this machine, from each of them in turn. */
export function openCaller(url: string, connections: number, addresses: readonly string[] = []): Caller {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" });
  let turn = 0;
  return {
    send({ method = "GET", path, headers = {}, body }, due = performance.now()) {
      const text = typeof body === "function" ? body() : body;
      const length = text === undefined ? {} : { "Content-Length": Buffer.byteLength(text) };
      const options = { hostname, port, method, path, headers: { ...headers, ...length }, agent };
      const localAddress = addresses[turn++ % addresses.length];
      return new Promise((done) => {
        const parts: Buffer[] = [];
        const finish = (status: number, sent = 0, received = 0) =>
          done({ status, sent, received, body: Buffer.concat(parts), milliseconds: performance.now() - due });
        const outgoing = httpRequest({ ...options, ...(localAddress && { localAddress }) }, (response) => {
          const { socket } = response;
          response.on("data", (part) => parts.push(part));
          response.once("end", () => finish(response.statusCode ?? 0, socket.bytesWritten, socket.bytesRead));
          response.once("error", () => finish(0));
        });
        outgoing.once("error", () => finish(0));
        outgoing.end(text);
      });
    },
    close: () => agent.destroy(),
  };
}

export type Schedule<Call> = Iterable<Call & { at: number; request: Request }>;

/**
 * Sends requests when they are due, whether or not earlier ones have been answered, and waits for all answers. The schedule has them in
 * order, with seconds from the start.
 */
export async function openLoop<Call>(
  caller: Caller,
  schedule: Schedule<Call>,
  each: (answer: Answer, call: Call) => void,
): Promise<void> {
  const began = performance.now() + 100;
  const open = new Set<Promise<void>>();
  for (const call of schedule) {
    const due = began + call.at * 1000;
    const early = due - performance.now();
    if (early > 1) await delay(early);
    const answered = caller.send(call.request, due).then((answer) => {
      each(answer, call);
      open.delete(answered);
    });
    open.add(answered);
  }
  await Promise.all(open);
}

type LoadOptions = {
  connections: number;
  /** What a connection sends, one after the other. */
  requests(connection: number): readonly Request[];
  /** Until this is settled, each connection repeats its requests. Without it, they are sent once. */
  end?: Promise<unknown>;
};

/**
 * Sends requests without pause.
 * @returns how many were answered
 * @throws if a connection ends early, or an answer is no success
 *
 * Only the head of an answer is read. A client that reads bodies takes as long as the server does to send them, so on few cores it would
 * measure itself.
 */
export async function load(url: string, { connections, requests, end }: LoadOptions): Promise<number> {
  const { hostname, port, host } = new URL(url);
  let answers = 0;
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  end?.then(over, over);
  const open = (connection: number) =>
    new Promise<void>((done, fail) => {
      const messages = requests(connection).map((request) => messageOf(request, host));
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let asked = 0;
      let head = Buffer.alloc(0);
      /** Bytes of the body that have not arrived; undefined until the head is complete. */
      let left: number | undefined;
      const ask = () => {
        if (isOver || (!end && asked === messages.length)) {
          socket.end();
          done();
          return;
        }
        left = undefined;
        socket.write(messages[asked++ % messages.length]?.() ?? "");
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
            socket.destroy(new Error(`${url} answered ${head}`));
            return;
          }
          left = Number(length) - (head.length - at - 4);
          head = Buffer.alloc(0);
        }
        if (left > 0) return;
        answers += 1;
        ask();
      });
      socket.once("error", fail);
      socket.once("close", () => fail(new Error(`${url} closed a connection during the load.`)));
    });
  await Promise.all(Array.from({ length: connections }, (_, connection) => open(connection)));
  return answers;
}

function messageOf({ method = "GET", path, headers = {}, body }: Request, host: string): () => string {
  const fields = Object.entries({ Host: host, ...headers }).map((pair) => pair.join(": "));
  const head = [`${method} ${path} HTTP/1.1`, ...fields];
  const whole = (text: string) => [...head, `Content-Length: ${Buffer.byteLength(text)}`, "", text].join("\r\n");
  if (typeof body === "function") return () => whole(body());
  const message = body === undefined ? [...head, "", ""].join("\r\n") : whole(body);
  return () => message;
}
