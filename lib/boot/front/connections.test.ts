import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, test } from "node:test";
import { markStream } from "#lib/api/listener.ts";
import { configure } from "#testing/configuration.ts";
import { listen } from "./address.ts";
import { CONNECTIONS, closeUnread } from "./connections.ts";
import { closeHttp, createHttp } from "./http.ts";

process.env.LOG_LEVEL ??= "silent";

let server: Server;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await closeHttp(server, 0);
  await configure();
});

async function start(api: RequestListener): Promise<void> {
  server = createHttp(api, (_request, response) => void response.end("page"));
  await listen(server, { host: "127.0.0.1", port: 0 });
}

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

const GET = (n: number) => `GET /api/v1/${n} HTTP/1.1\r\nHost: x\r\n\r\n`;

test("pipelined requests are answered one after the other, in order", async () => {
  const begun: [url: string, ServerResponse][] = [];
  let wake = () => {};
  await start((request, response) => {
    begun.push([request.url ?? "", response]);
    wake();
  });
  const socket = await open();
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.write([1, 2, 3].map(GET).join(""));
  for (let n = 1; n <= 3; n += 1) {
    if (begun.length < n) await new Promise<void>((done) => (wake = done));
    await new Promise(setImmediate);
    assert.deepEqual(
      begun.map(([url]) => url),
      [1, 2, 3].slice(0, n).map((each) => `/api/v1/${each}`),
    );
    begun[n - 1]?.[1].end(`answer ${n};`);
  }
  while (!answer.includes("answer 3;")) await once(socket, "data");
  assert.match(answer, /answer 1;.*answer 2;.*answer 3;/s);
});

test("a client that pipelines too many requests is disconnected", async () => {
  let begun = 0;
  await start(() => {
    begun += 1;
  });
  const socket = await open();
  socket.resume();
  socket.write(GET(1).repeat(CONNECTIONS.pipelined + 2));
  await once(socket, "close");
  assert.equal(begun, 1);
});

test("connections per address are limited, with an answer that says so, unless limits are off", async () => {
  await configure({ RATE_LIMIT_SCALE: "1" });
  await start((_request, response) => void response.end("api"));
  for (let n = 0; n < CONNECTIONS.perAddress; n += 1) await open();
  const refused = await open();
  let output = "";
  refused.on("data", (chunk) => {
    output += chunk;
  });
  await once(refused, "close");
  assert.match(output, /^HTTP\/1\.1 429 [\s\S]*Retry-After: 1\r\n[\s\S]*"code":"rate_limited"/);

  sockets.pop();
  sockets.pop()?.destroy();
  let served = "";
  while (!served.includes("api")) {
    const next = await open();
    next.write(GET(1));
    [served] = (await Promise.race([once(next, "data"), once(next, "close")])).map(String) as [string];
  }

  await configure({ RATE_LIMIT_SCALE: "0" });
  const more = await open();
  more.write(GET(1));
  assert.match(String(await once(more, "data")), /api/);
});

test("a trusted proxy holds as many connections as it needs", async () => {
  await configure({ RATE_LIMIT_SCALE: "1", TRUSTED_PROXIES: "127.0.0.0/8" });
  await start((_request, response) => void response.end("api"));
  for (let n = 0; n <= CONNECTIONS.perAddress; n += 1) await open();
  const one = await open();
  one.write(GET(1));
  assert.match(String(await once(one, "data")), /api/);
});

type Unread = Parameters<typeof closeUnread>[0];

/** A connection with so many bytes that its client has not taken. */
function unread(bytes: number) {
  const socket = {
    writableLength: bytes,
    destroyed: false,
    destroy() {
      socket.destroyed = true;
    },
  };
  const connection = {
    address: "",
    isProxy: false,
    answering: true,
    waiting: [],
    unreadSince: undefined,
  };
  return { socket, entry: [socket, connection] as unknown as [Socket, never] };
}

test("a client that reads nothing of its answer for 30 seconds is disconnected; one that reads all of it in time is not", () => {
  const [silent, reader] = [unread(1_000), unread(1_000)];
  const all: Unread = new Map([silent, reader].map(({ entry }) => entry));
  closeUnread(all, 0);
  reader.socket.writableLength = 0;
  closeUnread(all, 20_000);
  reader.socket.writableLength = 1_000;
  closeUnread(all, 29_999);
  assert.equal(silent.socket.destroyed, false);
  closeUnread(all, 30_000);
  assert.deepEqual(
    [silent, reader].map(({ socket }) => socket.destroyed),
    [true, false],
  );
});

test("a stream whose client reads on stays open, however much is unread; one whose client stops reading does not", () => {
  const { socket, entry } = unread(1_000);
  const response = {} as ServerResponse;
  markStream(response);
  Object.assign(entry[1], { response });
  const stream = Object.assign(socket, { bytesWritten: 2_000 });
  const all: Unread = new Map([entry]);
  for (const now of [0, 20_000, 40_000]) {
    closeUnread(all, now);
    stream.bytesWritten += 500;
  }
  closeUnread(all, 60_000);
  closeUnread(all, 89_999);
  assert.equal(socket.destroyed, false);
  closeUnread(all, 90_000);
  assert.equal(socket.destroyed, true);
});

test("a request that waits for 30 seconds behind others of its connection ends that connection", () => {
  const { socket, entry } = unread(0);
  (entry[1] as { waiting: unknown[] }).waiting.push({ at: 1_000 });
  closeUnread(new Map([entry]), 30_999);
  assert.equal(socket.destroyed, false);
  closeUnread(new Map([entry]), 31_000);
  assert.equal(socket.destroyed, true);
});

test("if too much is unread in total, the clients that stopped reading first are disconnected", () => {
  const third = CONNECTIONS.unreadBytes / 3;
  const [first, second, third_] = [unread(third), unread(third), unread(third)];
  const all: Unread = new Map([first.entry]);
  closeUnread(all, 0);
  for (const { entry } of [second, third_]) all.set(...entry);
  closeUnread(all, 1_000);
  assert.equal(first.socket.destroyed, false);
  second.socket.writableLength += 1;
  closeUnread(all, 2_000);
  assert.deepEqual(
    [first, second, third_].map(({ socket }) => socket.destroyed),
    [true, false, false],
  );
});

test("a client that leaves more unread than all clients may is disconnected in the middle of its answer", async () => {
  let answer: ServerResponse | undefined;
  await start((_request, response) => {
    answer = response;
    response.end(Buffer.alloc(2 * CONNECTIONS.unreadBytes));
  });
  const accepted = once(server, "connection");
  const socket = await open();
  socket.pause();
  socket.write(GET(1));
  const [own] = (await accepted) as [Socket];
  await once(own, "close");
  assert.equal(answer?.writableFinished, false);
});
