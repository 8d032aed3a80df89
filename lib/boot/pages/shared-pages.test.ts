import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { sharePages } from "./shared-pages.ts";

type Render = (request: IncomingMessage, response: ServerResponse) => void;

const HTML = "<script>one</script><script>two</script>";
const POLICY = "script-src 'sha256-AA'";

/** What the client is, for a test that needs several. */
let client = "one";
let renders: IncomingMessage[];
let render: Render;
let server: Server;
let writes: Map<string, number>;
/** In milliseconds. It stands still unless a test moves it. */
let now: number;

const FRESH_MS = 1000;

beforeEach(start);
afterEach(stop);

async function start() {
  client = "one";
  now = 1_000_000;
  renders = [];
  render = (_request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cache-Control", "no-store");
    response.end(HTML);
  };
  writes = new Map();
  const shared = sharePages(
    (request, response) => {
      renders.push(request);
      render(request, response);
    },
    () => client,
    { lastWrite: (address) => writes.get(address) ?? 0, now: () => now },
  );
  server = createServer(shared).listen(0, "127.0.0.1");
  await once(server, "listening");
}

function stop() {
  server.closeAllConnections();
  server.close();
}

async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ port, host: "127.0.0.1", path, headers, method }), "response")) as [
    IncomingMessage,
  ];
  const body = await buffer(answer);
  return { status: answer.statusCode, headers: answer.headers, body };
}

test("visitors who ask at the same time get one render, each with a request ID of its own", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask("/tasks", { "Accept-Encoding": "gzip" })));
  assert.equal(renders.length, 1);
  for (const { headers, body } of answers) {
    assert.equal(headers["content-security-policy"], POLICY);
    assert.equal(gunzipSync(body).toString(), HTML);
  }
  assert.equal(new Set(answers.map(({ headers }) => headers["x-request-id"])).size, 10);
});

test("each client gets the best form that it accepts, of the same render, and HEAD its headers", async () => {
  const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
  for (const [accepted, expected] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1, br;q=0.5", "br"],
    ["gzip, br;q=0", "gzip"],
    ["br;q=0.0,gzip;q=0", "identity"],
    ["brotli, x-gzip", "identity"],
  ] as const) {
    const { headers, body } = await ask("/tasks", { "Accept-Encoding": accepted });
    assert.equal(headers["content-encoding"] ?? "identity", expected, accepted);
    assert.equal(headers["content-length"], String(body.length));
    assert.equal(decode[expected](body).toString(), HTML);
  }
  const head = await ask("/tasks", {}, "HEAD");
  assert.deepEqual([head.status, head.headers["content-length"], head.body.length], [200, String(HTML.length), 0]);
  assert.equal(renders.length, 1);
});

test("an unchanged page is 304 and keeps the policy that the browser has", async () => {
  const { headers } = await ask("/tasks");
  assert.deepEqual([headers["cache-control"], headers.vary], ["private, no-cache", "Cookie, Accept-Encoding"]);
  const again = await ask("/tasks", { "If-None-Match": `"other", ${headers.etag}` });
  assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, headers.etag]);
  assert.equal(again.headers["content-security-policy"], undefined);
  assert.equal((await ask("/tasks", { "If-None-Match": '"other"' })).status, 200);
});

test("what belongs to one visitor, or is asked for in another way, is rendered for each request", async () => {
  for (const [path, headers, method] of [
    ["/workspace", {}],
    ["/sign-in", {}],
    ["/claim/secret", {}],
    ["/admin", {}],
    ["/tasks", { cookie: "guildhall-session=x" }],
    ["/tasks", { cookie: "theme=dark; guildhall-session=x" }],
    ["/tasks", { authorization: "Bearer x" }],
    ["/tasks", { range: "bytes=0-1" }],
    ["/tasks", {}, "POST"],
    [`/tasks?q=${"x".repeat(5_000)}`, {}],
  ] as [string, Record<string, string>, string?][]) {
    renders = [];
    for (let n = 0; n < 2; n += 1) {
      const { headers: answered } = await ask(path, headers, method);
      assert.deepEqual([answered["cache-control"], answered.etag], ["no-store", undefined], path);
    }
    assert.equal(renders.length, 2, path);
  }
});

test("pages differ by address, query, theme, host and what the router asks for", async () => {
  const asked: [string, Record<string, string>?][] = [
    ["/tasks"],
    ["/tasks?state=open"],
    ["/tasks", { cookie: "theme=dark" }],
    ["/tasks", { host: "other.example" }],
    ["/tasks", { rsc: "1" }],
    ["/tasks", { rsc: "1", "next-router-prefetch": "1" }],
  ];
  for (const [path, headers] of [...asked, ...asked]) await ask(path, headers);
  assert.equal(renders.length, asked.length);
});

test("a shared page is rendered without headers that could change it and are not part of its name", async () => {
  const known = {
    host: "guild.example",
    rsc: "1",
    "next-url": "/tasks",
    "x-forwarded-proto": "https",
    cookie: "theme=dark",
  };
  await ask("/tasks", {
    ...known,
    "user-agent": "Mozilla",
    accept: "text/x-component",
    "accept-language": "de",
    "x-forwarded-port": "1",
    "x-prerender-revalidate": "1",
    "x-http-method-override": "POST",
    "x-anything": "1",
    "if-none-match": "*",
  });
  assert.deepEqual({ ...renders[0]?.headers }, { ...known, "user-agent": "any" });
});

test("a client sees what it has just written; others may get the page as it was", async () => {
  await ask("/tasks");
  now += 1;
  writes.set("one", now);
  client = "two";
  await ask("/tasks");
  assert.equal(renders.length, 1);
  client = "one";
  now += 1;
  await ask("/tasks");
  assert.equal(renders.length, 2);
  await ask("/tasks");
  assert.equal(renders.length, 2);
});

test("a page that is too old is rendered again", async () => {
  for (let n = 0; n < 3; n += 1) {
    assert.equal((await ask("/tasks")).status, 200);
    now += FRESH_MS;
  }
  assert.equal(renders.length, 3);
});

test("a page that will soon be too old is rendered again once, while visitors get what is there", async () => {
  render = (_request, response) => void response.end("first");
  await ask("/tasks");
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  render = (_request, response) => void allowed.then(() => response.end("second"));
  now += FRESH_MS * 0.9;
  for (let n = 0; n < 3; n += 1) assert.equal((await ask("/tasks")).body.toString(), "first");
  assert.equal(renders.length, 2);
  // The first is too old now, so everybody waits for the second.
  now += FRESH_MS * 0.2;
  const waiting = Promise.all([ask("/tasks"), ask("/tasks")]);
  allow();
  for (const { body } of await waiting) assert.equal(body.toString(), "second");
  assert.equal((await ask("/tasks")).body.toString(), "second");
  assert.equal(renders.filter(({ url }) => url === "/tasks").length, 2);
});

test("if the render of a page that will soon be too old fails, it is tried again", async () => {
  render = (_request, response) => void response.end("first");
  await ask("/tasks");
  now += FRESH_MS * 0.9;
  render = (_request, response) => void response.destroy();
  assert.equal((await ask("/tasks")).body.toString(), "first");
  render = (_request, response) => void response.end("second");
  assert.equal((await ask("/tasks")).body.toString(), "first");
  now += FRESH_MS * 0.2;
  assert.equal((await ask("/tasks")).body.toString(), "second");
  assert.equal(renders.length, 3);
});

test("a failure does not replace a page that is still good", async () => {
  render = (_request, response) => void response.end("good");
  await ask("/tasks");
  now += FRESH_MS * 0.9;
  render = (_request, response) => void response.writeHead(503).end("busy");
  for (let n = 0; n < 3; n += 1) assert.equal((await ask("/tasks")).body.toString(), "good");
  assert.ok(renders.length > 1);
});

test("failures and large pages are not kept", async () => {
  render = (_request, response) => void response.writeHead(503).end("busy");
  assert.equal((await ask("/tasks")).status, 503);
  render = (_request, response) => void response.end("x".repeat(3_000_000));
  for (let n = 0; n < 2; n += 1) assert.equal((await ask("/tasks")).body.length, 3_000_000);
  assert.equal(renders.length, 3);
});

test("visitors who wait for a render that breaks off are asked to come again", async () => {
  render = (_request, response) => {
    response.write("half");
    response.destroy();
  };
  const { status, headers } = await ask("/tasks");
  assert.deepEqual([status, headers["retry-after"]], [503, "5"]);
  render = (_request, response) => void response.end("whole");
  assert.equal((await ask("/tasks")).body.toString(), "whole");
});

test("documents keep their own tag and time", async () => {
  render = (_request, response) =>
    void response.writeHead(200, { ETag: '"abc"', "Cache-Control": "public, max-age=60" }).end("<feed/>");
  const { headers } = await ask("/feeds/all.atom");
  assert.deepEqual([headers.etag, headers["cache-control"]], ['"abc"', "public, max-age=60"]);
  assert.equal((await ask("/feeds/all.atom", { "If-None-Match": 'W/"abc"' })).status, 304);
});
