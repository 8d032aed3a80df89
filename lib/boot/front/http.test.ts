import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { checkPort, listen } from "./address.ts";
import { closeHttp, createHttp } from "./http.ts";

process.env.LOG_LEVEL ??= "silent";

const LOOPBACK = "127.0.0.1";
const say =
  (words: string): RequestListener =>
  (_request, response) =>
    void response.end(words);

async function started(server: Server): Promise<number> {
  await listen(server, { host: LOOPBACK, port: 0 });
  return (server.address() as AddressInfo).port;
}

async function ask(port: number, path: string): Promise<string> {
  const [response] = (await once(get({ host: LOOPBACK, port, path }), "response")) as [IncomingMessage];
  return text(response);
}

test("a port in use is refused with another to try, both when checked and when opened", async () => {
  const other = createServer();
  const port = await started(other);
  const remedy = /^Error: Port \d+ is in use by another program\. .*\(PORT=\d+\)\.$/;
  await assert.rejects(checkPort({ host: LOOPBACK, port }), remedy);
  await assert.rejects(listen(createHttp(say(""), say("")), { host: LOOPBACK, port }), remedy);
  await closeHttp(other);
  await checkPort({ host: LOOPBACK, port });
});

test("an address of another machine is refused with the remedy", async () => {
  await assert.rejects(
    checkPort({ host: "192.0.2.1", port: 0 }),
    /HOST=192\.0\.2\.1 is not an address of this machine/,
  );
});

test("stopping lets the request in flight finish, and refuses new ones", async () => {
  let finish = () => {};
  const api: RequestListener = (_request, response) => {
    finish = () => void response.end("done");
  };
  const server = createHttp(api, say("pages"));
  const port = await started(server);
  const answer = ask(port, "/api/v1/slow");
  await once(server, "request");
  const closing = closeHttp(server);
  await assert.rejects(ask(port, "/about"), { code: "ECONNREFUSED" });
  finish();
  assert.equal(await answer, "done");
  await closing;
});

test("stopping closes idle connections at once, and unfinished requests after the grace period", async () => {
  const server = createHttp(() => undefined, say("pages"));
  const port = await started(server);
  const idle = connect(port, LOOPBACK);
  const endless = assert.rejects(ask(port, "/api/v1/endless"), { code: "ECONNRESET" });
  await once(server, "request");
  await closeHttp(server, 0.1);
  await endless;
  idle.destroy();
});
