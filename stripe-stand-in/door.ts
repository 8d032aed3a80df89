import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Exchange, Outcome } from "./exchange.ts";
import type { Holds } from "./faults.ts";
import { answerPage } from "./pages.ts";
import type { World } from "./world.ts";

/** One call that has come in. */
export type SeenCall = { method: string; path: string; key: string | undefined; status: number };

/** The HTTP server of the stand-in on 127.0.0.1: API calls, and pages for people. */
export class Door {
  readonly calls: SeenCall[] = [];
  connections = 0;
  readonly #world: World;
  readonly #exchange: Exchange;
  readonly #holds: Holds;
  readonly #server: Server;

  constructor(world: World, exchange: Exchange, holds: Holds) {
    this.#world = world;
    this.#exchange = exchange;
    this.#holds = holds;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on("connection", () => {
      this.connections += 1;
    });
  }

  open(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Stops immediately, without answering pending requests. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const method = request.method ?? "GET";
    let body = "";
    try {
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
    } catch {
      // The client has gone.
      return;
    }
    if (url.pathname.startsWith("/c/")) {
      sendPage(response, answerPage(this.#world, method, url, new URLSearchParams(body)));
      return;
    }
    await this.#holds.wait("before", method, url.pathname);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
    );
    const outcome = this.#exchange.answer({ method, url, headers, body });
    const { status } = outcome.answer;
    this.calls.push({ method, path: url.pathname, key: headers["idempotency-key"], status });
    await this.#holds.wait("after", method, url.pathname);
    send(response, outcome);
  }
}

function sendPage(response: ServerResponse, answer: ReturnType<typeof answerPage>): void {
  if (!answer) response.writeHead(404).end();
  else if ("to" in answer) response.writeHead(303, { Location: answer.to }).end();
  else response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(answer.html);
}

function send(response: ServerResponse, { answer, headers, broken }: Outcome): void {
  if (broken === "timeout") return;
  if (broken === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const body = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  if (broken === "truncated") {
    response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
    return;
  }
  response.end(body);
}
