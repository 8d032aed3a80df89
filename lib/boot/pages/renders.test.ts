import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, test } from "node:test";
import { limitRenders } from "./renders.ts";

let server = createServer();
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Pages that are made when the test says so. */
async function start(limits: Parameters<typeof limitRenders>[1]) {
  const begun: ServerResponse[] = [];
  const addresses: (string | undefined)[] = [];
  const changes = new EventTarget();
  const changed = () => changes.dispatchEvent(new Event("change"));
  const render = limitRenders((request, response) => {
    begun.push(response);
    addresses.push(request.socket.remoteAddress);
    changed();
  }, limits);
  let arrived = 0;
  server = createServer((request, response) => {
    render(request, response);
    arrived += 1;
    changed();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((done) => changes.addEventListener("change", done, { once: true }));
  };
  /** Ends these renders in turn, each as soon as it has begun. */
  const end = async (count: number) => {
    for (let n = 1; n <= count; n += 1) {
      await until(() => begun.length === n);
      begun[n - 1]?.end("page");
    }
  };
  return { begun, addresses, until, end, arrived: () => arrived };
}

async function ask(from = "127.0.0.1") {
  const { port } = server.address() as AddressInfo;
  const sent = get({ host: "127.0.0.1", port, path: "/", agent: new Agent(), localAddress: from });
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

const LIMITS = { atOnce: 1, waiting: 2, waitingPerAddress: 1, waitSeconds: 600, renderSeconds: 600 } as never;

test("only a few pages are rendered at a time", async () => {
  const { begun, until, end, arrived } = await start(LIMITS);
  const [one, other] = [ask(), ask("127.0.0.2")];
  await until(() => arrived() === 2);
  assert.equal(begun.length, 1);
  await end(2);
  for (const answer of [await one, await other]) assert.deepEqual([answer.status, answer.text], [200, "page"]);
});

test("if the queue is full, a request gets 503 and a page that says when to retry", async () => {
  const { until, end, arrived } = await start(LIMITS);
  const served = [ask(), ask("127.0.0.2"), ask("127.0.0.3")];
  await until(() => arrived() === 3);
  for (const from of ["127.0.0.4", "127.0.0.2"]) {
    const { status, headers, text } = await ask(from);
    assert.deepEqual([status, headers["retry-after"]], [503, "5"]);
    assert.match(text, /Service busy.*Wait 5 seconds/s);
    assert.match(String(headers["x-request-id"]), /^req_/);
  }
  await end(3);
  for (const answer of await Promise.all(served)) assert.equal(answer.status, 200);
});

test("one address cannot fill the queue", async () => {
  const { until, end, arrived } = await start(LIMITS);
  const served = [ask(), ask()];
  await until(() => arrived() === 2);
  assert.equal((await ask()).status, 503);
  served.push(ask("127.0.0.2"));
  await until(() => arrived() === 4);
  await end(3);
  for (const answer of await Promise.all(served)) assert.equal(answer.status, 200);
});

test("addresses take turns, however many pages one of them waits for", async () => {
  const { addresses, until, end, arrived } = await start({
    ...(LIMITS as object),
    waiting: 9,
    waitingPerAddress: 9,
  } as never);
  const served = [];
  for (const place of [2, 2, 2, 2, 3, 4, 3]) {
    served.push(ask(`127.0.0.${place}`));
    await until(() => arrived() === served.length);
  }
  await end(served.length);
  for (const answer of await Promise.all(served)) assert.equal(answer.status, 200);
  assert.deepEqual(
    addresses.map((address) => Number(address?.at(-1))),
    [2, 2, 3, 4, 2, 3, 2],
  );
});

test("clients that disconnect or do not read do not delay others", async () => {
  const { begun, until, arrived } = await start(LIMITS);
  const { port } = server.address() as AddressInfo;
  const silent = get({ host: "127.0.0.1", port, path: "/", agent: new Agent() }, (answer) => void answer.pause());
  silent.on("error", () => undefined);
  await until(() => begun.length === 1);
  const gone = get({ host: "127.0.0.1", port, path: "/", agent: new Agent(), localAddress: "127.0.0.2" });
  gone.on("error", () => undefined);
  await until(() => arrived() === 2);
  gone.destroy();
  const next = ask("127.0.0.3");
  await until(() => arrived() === 3);
  begun[0]?.end(Buffer.alloc(50_000_000));
  await until(() => begun.length >= 2);
  begun.at(-1)?.end("page");
  if (begun.length === 2) assert.equal((await next).text, "page");
  silent.destroy();
});
