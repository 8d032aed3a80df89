import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, test } from "node:test";
import { pass } from "./page-process.ts";
import { limitRenders } from "./renders.ts";
import { sharePages } from "./shared-pages.ts";

/*
 * The way of a page, from the visitor's connection to the process that renders it, which is played by a server here: it answers at once,
 * never, or only half.
 */

const folder = mkdtempSync(join(tmpdir(), "guildhall-path-"));
const socketPath = join(folder, "pages.sock");
const agent = new Agent({ keepAlive: true });
const LIMITS = { atOnce: 2, waiting: 64, waitingPerAddress: 64, waitSeconds: 600, renderSeconds: 600 };

let asked: { method: string | undefined; url: string; answer: ServerResponse }[] = [];
const changes = new EventTarget();
const program = createServer((request, answer) => {
  const { method, url = "" } = request;
  asked.push({ method, url, answer });
  changes.dispatchEvent(new Event("change"));
  answer.on("close", () => changes.dispatchEvent(new Event("change")));
  if (url.startsWith("/tasks")) answer.end("page");
  else if (url.startsWith("/threads")) answer.end(Buffer.alloc(32 * 2 ** 20));
  else if (url.startsWith("/search")) answer.write("half", () => answer.destroy());
});
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((done) => changes.addEventListener("change", done, { once: true }));
};

let service = createServer();
let requests: IncomingMessage[] = [];
async function serve(limits = LIMITS) {
  service.closeAllConnections();
  service.close();
  const render = limitRenders((request, response) => pass(request, response, { socketPath, agent }), limits as never);
  const listener = sharePages(render, () => "one");
  service = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
    changes.dispatchEvent(new Event("change"));
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
}

const port = () => (service.address() as AddressInfo).port;

async function ask(path: string, method = "GET") {
  const sent = get({ host: "127.0.0.1", port: port(), path, method, agent: false });
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return [answer.statusCode, (await text(answer)).replace(/<.*/s, "…")];
}

/** Sends a head and no body. */
async function half(path: string) {
  const socket = connect(port(), "127.0.0.1");
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nContent-Length: 10\r\n\r\n`);
  return socket;
}

before(async () => {
  program.listen(socketPath);
  await once(program, "listening");
});
beforeEach(() => {
  asked = [];
  requests = [];
  return serve();
});
after(() => {
  for (const server of [service, program]) {
    server.closeAllConnections();
    server.close();
  }
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("a visitor who announces a body and never sends it holds no place", async () => {
  const sockets = [await half("/tasks?1"), await half("/tasks?2"), await half("/tasks?3")];
  await until(() => asked.length === 3);
  assert.deepEqual(await ask("/tasks?4"), [200, "page"]);
  for (const socket of sockets) socket.destroy();
  assert.deepEqual(await ask("/tasks?5"), [200, "page"]);
});

test("visitors who leave while their pages are rendered or wait make room for others", async () => {
  const sockets = await Promise.all(Array.from({ length: 12 }, (_, n) => half(`/about?${n}`)));
  await until(() => asked.length === 2 && requests.length === 12);
  for (const socket of sockets) socket.destroy();
  assert.deepEqual(await ask("/tasks"), [200, "page"]);
  await until(() => asked.every(({ url, answer }) => !url.startsWith("/about") || answer.destroyed));
  assert.ok(asked.length < 12, "pages that nobody waits for are not rendered");
});

test("a page that several wait for is rendered although the first of them leaves", async () => {
  const first = await half("/about");
  await until(() => asked.length === 1);
  const second = ask("/about");
  await until(() => requests.length === 2);
  const gone = new Promise((done) => requests[0]?.socket.once("close", done));
  first.destroy();
  await gone;
  asked[0]?.answer.end("page");
  assert.deepEqual(await second, [200, "page"]);
  assert.equal(asked.length, 1);
});

test("a render that takes too long, or breaks off, gives its place back, and its visitors are asked to come again", async () => {
  await serve({ ...LIMITS, atOnce: 1, renderSeconds: 0.1 });
  for (const path of ["/about", "/search"]) {
    assert.deepEqual(await ask(path), [503, "…"]);
    assert.deepEqual(await ask(`/tasks?after${path}`), [200, "page"]);
  }
});

test("the process that renders is rid of an answer at once, although its visitor reads nothing", {
  timeout: 30_000,
}, async () => {
  const sent = get({ host: "127.0.0.1", port: port(), path: "/threads", headers: { cookie: "x=1" }, agent: false });
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.pause();
  await until(() => asked[0]?.answer.closed === true);
  assert.equal(asked[0]?.answer.writableFinished, true);
  answer.resume();
  let bytes = 0;
  for await (const chunk of answer) bytes += chunk.length;
  assert.equal(bytes, 32 * 2 ** 20);
});

test("a request stays what it was, although its page is asked for with GET", async () => {
  assert.deepEqual(await ask("/tasks", "HEAD"), [200, ""]);
  assert.deepEqual([requests[0]?.method, asked[0]?.method], ["HEAD", "GET"]);
});
