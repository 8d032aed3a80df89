import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { checkPort, listen } from "./address.ts";
import { closeHttp, createHttp } from "./http.ts";
import { isApi } from "./paths.ts";

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

async function ask(port: number, path: string, headers = {}): Promise<string> {
  const [response] = (await once(get({ host: LOOPBACK, port, path, headers }), "response")) as [IncomingMessage];
  return text(response);
}

test("API paths go to the API, all others to the pages", () => {
  for (const path of [
    "/api/v1",
    "/api/v1/",
    "/api/v1?view=feed",
    "/api/v1/jobs/list.php?q=1",
    "/api",
    "/api/v10",
    "/api/authors",
    "/healthz",
    "/readyz?x",
  ]) {
    assert.equal(isApi(path), true, path);
  }
  for (const path of [
    "/",
    "/apis",
    "/api/auth",
    "/api/auth/session",
    "/api/auth?x",
    "/healthz2",
    "/x/api/v1",
    "/docs?api/v1",
    "*",
  ]) {
    assert.equal(isApi(path), false, path);
  }
});

test("a request reaches the listener of its path, also when it offers to upgrade the connection", async () => {
  const server = createHttp(say("api"), say("pages"));
  const port = await started(server);
  const upgrade = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" };
  assert.equal(await ask(port, "/api/v1/status.php"), "api");
  assert.equal(await ask(port, "/api/v1/status.php", upgrade), "api");
  assert.equal(await ask(port, "/about"), "pages");
  assert.equal(await ask(port, `http://127.0.0.1:${port}/api/v1/status.php`), "api");
  assert.equal(await ask(port, "/api/v1/status.php", { Expect: "the-unexpected" }), "api");
  await closeHttp(server);
});

test("page answers have a request ID and nosniff, and do not name the framework", async () => {
  const pages: RequestListener = (_request, response) => {
    response.setHeader("X-Nextjs-Cache", "HIT");
    response.end("file");
  };
  const server = createHttp(say("api"), pages);
  const port = await started(server);
  const { status, headers } = await fetch(`http://${LOOPBACK}:${port}/icon.svg`);
  assert.equal(status, 200);
  assert.match(headers.get("X-Request-Id") ?? "", /^req_\w{22}$/);
  assert.equal(headers.get("X-Content-Type-Options"), "nosniff");
  assert.equal(headers.get("X-Nextjs-Cache"), null);
  await closeHttp(server);
});

test("a badly encoded path reaches the pages in a decodable form", async () => {
  const server = createHttp(say("api"), (request, response) => void response.end(request.url));
  const port = await started(server);
  for (const [path, seen] of [
    ["/agents/%E0%A4%A?q=%E0%A4%A", "/agents/%25E0%25A4%25A?q=%E0%A4%A"],
    ["/100%", "/100%25"],
    ["/caf%C3%A9?q=%", "/caf%C3%A9?q=%"],
  ] as const) {
    assert.equal(await ask(port, path), seen);
  }
  await closeHttp(server);
});

test("a method that pages do not support is refused before it reaches them", async () => {
  const server = createHttp(say("api"), say("pages"));
  const port = await started(server);
  for (const method of ["PUT", "DELETE", "PATCH", "TRACE"]) {
    const asked = request({ host: LOOPBACK, port, path: "/", method }).end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    assert.deepEqual([response.statusCode, response.headers.allow], [405, "GET, HEAD, POST, OPTIONS"], method);
    assert.equal(await text(response), "");
  }
  await closeHttp(server);
});

test("OPTIONS * is answered without a page", async () => {
  const server = createHttp(say("api"), say("pages"));
  const port = await started(server);
  const asked = request({ host: LOOPBACK, port, path: "*", method: "OPTIONS" }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  assert.deepEqual([response.statusCode, response.headers.allow], [204, "GET, HEAD, POST, OPTIONS"]);
  assert.match(String(response.headers["x-request-id"]), /^req_\w{22}$/);
  assert.equal(await text(response), "");
  await closeHttp(server);
});

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
