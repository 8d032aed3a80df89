import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, type RequestListener, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, test } from "node:test";
import { ErrorBody } from "#lib/api/error-body.ts";
import { configure } from "#testing/configuration.ts";
import { listen } from "./address.ts";
import { closeHttp, createHttp } from "./http.ts";
import { isApi } from "./paths.ts";

process.env.LOG_LEVEL ??= "silent";

const say =
  (words: string): RequestListener =>
  (incoming, response) =>
    void response.end(`${words} ${incoming.url}`);

let server: Server;
let seen: IncomingMessage[];
beforeEach(async () => {
  seen = [];
  server = createHttp(say("api"), (incoming, response) => {
    seen.push(incoming);
    response.setHeader("X-Nextjs-Cache", "HIT");
    say("pages")(incoming, response);
  });
  await listen(server, { host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
  await closeHttp(server);
  await configure();
});

type Asked = { method?: string; headers?: Record<string, string>; from?: string; body?: string };

async function ask(path: string, { method = "GET", headers = {}, from = "127.0.0.1", body }: Asked = {}) {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: "127.0.0.1", port, path, method, headers, localAddress: from, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
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

test("a request reaches the API, also when it offers to upgrade the connection or expects something unknown", async () => {
  const upgrade = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" };
  for (const headers of [upgrade, { Expect: "the-unexpected" }])
    assert.equal((await ask("/api/v1/status.php", { headers })).text, "api /api/v1/status.php");
});

test("page answers have a request ID and nosniff, and do not name the framework", async () => {
  const { status, headers } = await ask("/icon.svg");
  assert.equal(status, 200);
  assert.match(String(headers["x-request-id"]), /^req_\w{22}$/);
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["x-nextjs-cache"], undefined);
});

test("a badly encoded path reaches the pages in a decodable form", async () => {
  for (const [path, passedOn] of [
    ["/agents/%E0%A4%A?q=%E0%A4%A", "/agents/%25E0%25A4%25A?q=%E0%A4%A"],
    ["/100%", "/100%25"],
    ["/caf%C3%A9?q=%", "/caf%C3%A9?q=%"],
  ] as const)
    assert.equal((await ask(path)).text, `pages ${passedOn}`);
});

test("a method that pages do not support is refused before it reaches them, and OPTIONS * is answered without one", async () => {
  for (const [method, path, expected] of [
    ["PUT", "/", 405],
    ["DELETE", "/", 405],
    ["PATCH", "/", 405],
    ["TRACE", "/", 405],
    ["OPTIONS", "*", 204],
  ] as const) {
    const { status, headers, text } = await ask(path, { method });
    assert.deepEqual([status, headers.allow, text], [expected, "GET, HEAD, POST, OPTIONS", ""], method);
    assert.match(String(headers["x-request-id"]), /^req_\w{22}$/);
  }
  assert.deepEqual(seen, []);
});

/** At this scale the limits are 12 requests and 3 pages. */
const TIGHT = { RATE_LIMIT_SCALE: "0.01" };

test("requests of every kind count together, and beyond the limit the API answers 429 in the usual form", async () => {
  await configure(TIGHT);
  const paths = [
    "/api/v1/status.php",
    "/api/nowhere",
    "/api/auth/csrf",
    "/_next/static/x.js",
    "/icon.svg?v",
    "/favicon.ico",
  ];
  for (let round = 0; round < 2; round += 1)
    for (const path of paths) assert.equal((await ask(path)).status, 200, path);
  for (const path of ["/api/v1/status.php", "/api/nowhere", "/api/auth/csrf"]) {
    const refused = await ask(path);
    const { error, request_id: id } = ErrorBody.parse(JSON.parse(refused.text));
    assert.deepEqual([refused.status, error.code, error.retryable], [429, "rate_limited", true], path);
    assert.equal(refused.headers["x-request-id"], id);
    assert.equal(refused.headers["ratelimit-policy"], '"request";q=12;w=60');
    assert.match(String(refused.headers.ratelimit), /^"request";r=0;t=\d+$/);
    const wait = Number(refused.headers["retry-after"]);
    assert.ok(wait >= 1 && wait <= 60);
  }
  assert.equal((await ask("/api/v1/status.php", { from: "127.0.0.2" })).status, 200, "another address");
});

test("pages, feeds, site maps and probes have a smaller limit, and exceeding it gives a small page that says so", async () => {
  await configure(TIGHT);
  for (const path of ["/", "/feeds/all.atom", "/sitemap.xml"]) assert.equal((await ask(path)).status, 200, path);
  for (const path of [
    "/tasks",
    "/robots.txt",
    "/sitemaps/pages.xml",
    "/network/map.json",
    "/icon.svgx",
    "/_next/static/../../tasks",
  ]) {
    const { status, headers, text } = await ask(path);
    assert.equal(status, 429, path);
    assert.match(String(headers["content-type"]), /^text\/html/);
    assert.ok(text.length < 2_000 && text.includes(String(headers["x-request-id"])));
    assert.match(text, /Too many requests/);
    assert.match(text, new RegExp(`Wait ${headers["retry-after"]} seconds`));
    assert.match(String(headers["content-security-policy"]), /^default-src 'none'; style-src 'sha256-/);
    assert.match(String(headers["content-security-policy"]), /frame-ancestors 'none'/);
    assert.doesNotMatch(text, /<script|<link|<img|style="/);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["cache-control"], "no-store");
    assert.match(String(headers["ratelimit-policy"]), /"page";q=3;w=60/);
  }
  assert.equal((await ask("/tasks", { method: "HEAD" })).text, "");
  assert.equal((await ask("/_next/static/x.js")).status, 200, "files of a page that has been served");
  assert.equal((await ask("/api/v1/status.php")).status, 200, "the interface");
});

test("a local probe is always answered; one through a proxy counts like a page", async () => {
  await configure({ ...TIGHT, TRUSTED_PROXIES: "127.0.0.1" });
  for (let n = 0; n < 20; n += 1)
    for (const path of ["/healthz", "/readyz?x"]) assert.equal((await ask(path)).status, 200);
  const passedOn = { headers: { "X-Forwarded-For": "198.51.100.7" } };
  for (let n = 0; n < 3; n += 1) assert.equal((await ask("/readyz", passedOn)).status, 200);
  const refused = await ask("/readyz", passedOn);
  assert.equal(refused.status, 429);
  assert.equal(ErrorBody.parse(JSON.parse(refused.text)).error.code, "rate_limited");
  assert.equal((await ask("/readyz", { headers: { "X-Forwarded-For": "198.51.100.8" } })).status, 200);
});

test("without limits, nothing is refused", async () => {
  await configure({ RATE_LIMIT_SCALE: "0" });
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await ask("/")).status));
  assert.deepEqual(new Set(statuses), new Set([200]));
});

test("a request for a whole URL is treated like its path, even if the path is missing", async () => {
  for (const [target, expected] of [
    ["http://x?a", "pages /?a"],
    ["http://x", "pages /"],
    ["HTTPS://x/about?b", "pages /about?b"],
    ["http://x/api/v1/status.php", "api /api/v1/status.php"],
    ["other://x/readyz", "api /readyz"],
  ])
    assert.equal((await ask(target as string)).text, expected);
});

test("internal headers are removed from requests", async () => {
  const own = ["content-security-policy", "x-request-id", "x-nonce", "x-middleware-subrequest", "x-nextjs-data"];
  await ask("/", { headers: { ...Object.fromEntries(own.map((name) => [name, "mine"])), "next-url": "/a", rsc: "1" } });
  const headers = seen[0]?.headers ?? {};
  for (const name of own) assert.equal(headers[name], undefined, name);
  assert.deepEqual([headers["next-url"], headers.rsc], ["/a", "1"]);
});

test("a request for a page with a long body is refused", async () => {
  const length = (bytes: number) =>
    ask("/", { method: "POST", headers: { "Content-Length": `${bytes}` }, body: " ".repeat(bytes) });
  assert.equal((await length(1_000)).status, 200);
  assert.equal((await length(300_000)).status, 413);
  const chunked = { method: "POST", headers: { "Transfer-Encoding": "chunked" }, body: "x" };
  assert.equal((await ask("/", chunked)).status, 413);
  assert.equal((await ask("/api/auth/callback", chunked)).status, 200);
});

test("Markdown that is written for each request takes its turn among the pages, and the reference does not", async () => {
  const held: (() => void)[] = [];
  await closeHttp(server);
  server = createHttp((incoming, response) => {
    if (incoming.url === "/tasks") held.push(() => response.end("markdown"));
    else say("api")(incoming, response);
  }, say("pages"));
  await listen(server, { host: "127.0.0.1", port: 0 });
  const headers = { Accept: "text/markdown" };
  const asked = [1, 2, 3].map(() => ask("/tasks", { headers }));
  const page = ask("/about");
  for (const path of ["/docs/tasks", "/api/v1/status.php"]) assert.match((await ask(path, { headers })).text, /^api/);
  assert.equal(held.length, 2);
  while (held.length > 0) {
    held.pop()?.();
    await new Promise((done) => setTimeout(done, 20));
  }
  for (const answer of asked) assert.equal((await answer).text, "markdown");
  assert.equal((await page).text, "pages /about");
});

test("pages get links for machines, in addition to their own, and say where Accept chooses between a page and Markdown", async () => {
  await closeHttp(server);
  server = createHttp(say("api"), (incoming, response) => {
    const type = incoming.url?.startsWith("/feeds") ? "application/atom+xml" : "text/html; charset=utf-8";
    response.setHeader("Content-Type", type);
    response.setHeader("Link", "</font.woff2>; rel=preload");
    response.setHeader("Vary", "rsc");
    response.end("page");
  });
  await listen(server, { host: "127.0.0.1", port: 0 });
  for (const path of ["/", "/about", "/tasks?state=open"]) {
    const { link, vary } = (await ask(path)).headers;
    assert.match(String(link), /^<\/font\.woff2>; rel=preload, <\/skill\.md>; rel="describedby"/, path);
    for (const rel of ["service-desc", "api-catalog", "ai-catalog", "ard"])
      assert.ok(String(link).includes(`rel="${rel}"`), `${path} ${rel}`);
    assert.equal(vary, `Cookie, Accept-Encoding, rsc${path === "/about" ? "" : ", Accept"}`, path);
  }
  const feed = (await ask("/feeds/all.atom")).headers;
  assert.deepEqual([feed.link, feed.vary], ["</font.woff2>; rel=preload", "Cookie, Accept-Encoding, rsc"]);
  assert.equal((await ask("/tasks", { headers: { accept: "text/markdown" } })).text, "api /tasks");
});
