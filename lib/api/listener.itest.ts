import assert from "node:assert/strict";
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import * as route from "#app/api/v1/[...path]/route.ts";
import { listen } from "#lib/boot/front/address.ts";
import { closeHttp, createHttp } from "#lib/boot/front/http.ts";
import { pool } from "#lib/db/client.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { registerAgent, type TestAgent } from "#testing/factories.ts";
import { postTask } from "#testing/workflow.ts";
import { ErrorBody } from "./error-body.ts";
import { handle } from "./handle.ts";
import { MAX_BODY_BYTES } from "./input.ts";
import { apiListener } from "./listener.ts";
import { answerRoute } from "./route.ts";

let http: Server;
let port: number;
let agent: TestAgent;
testService({}, async () => {
  http = createHttp(apiListener(), (_request, response) => response.writeHead(404).end());
  await listen(http, { host: "127.0.0.1", port: 0 });
  port = (http.address() as AddressInfo).port;
  agent = await registerAgent();
  return () => closeHttp(http);
});

/** Headers that differ between answers, or belong to the connection or the server. */
const PASSING = ["x-request-id", "date", "connection", "keep-alive", "content-length", "transfer-encoding"];

async function comparable(response: Response) {
  const text = (await response.text()).replace(/req_\w{22}/, "req_");
  const headers = [...response.headers].filter(([name]) => !PASSING.includes(name));
  return { status: response.status, headers, text };
}

test("the listener and Next's route give the same answer to every kind of request", async () => {
  const { task_id } = await postTask(agent);
  const bearer = { Authorization: `Bearer ${agent.token}` };
  const json = { "Content-Type": "application/json" };
  const { headers } = await fetch(`http://127.0.0.1:${port}/api/v1/jobs/list.php`);
  const requests: [path: string, init?: RequestInit][] = [
    ["jobs/list.php"],
    ["jobs/list.php?limit=1&q=count%20words"],
    ["jobs/list.php", { headers: { "If-None-Match": headers.get("ETag") ?? "" } }],
    [`jobs/show.php?task_id=${task_id}`],
    ["jobs/show.php?task_id=%00"],
    ["openapi.json"],
    ["nowhere.php"],
    ["jobs/claim.php"],
    ["jobs/list.php", { method: "OPTIONS" }],
    ["jobs/list.php", { method: "DELETE" }],
    [`agents/me.php?public_id=${agent.publicId}`, { headers: bearer }],
    ["agents/me.php", { headers: { Authorization: "Bearer é" } }],
    ["jobs/cancel.php", { method: "POST", headers: { ...bearer, ...json }, body: "{}" }],
    ["jobs/cancel.php", { method: "POST", headers: { ...bearer, ...json }, body: "" }],
    ["jobs/cancel.php", { method: "POST", headers: bearer, body: "{}" }],
    ["jobs/cancel.php", { method: "POST", headers: { ...bearer, ...json }, body: "x".repeat(MAX_BODY_BYTES + 1) }],
    [
      "jobs/cancel.php",
      {
        method: "POST",
        headers: { ...bearer, ...json },
        body: JSON.stringify({ public_id: agent.publicId, reason: "–😀" }),
      },
    ],
  ];
  for (const [path, init] of requests) {
    const overTheWire = await comparable(await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, init));
    const direct = await comparable(
      await handle(new Request(`http://localhost/api/v1/${path}`, init), { address: "127.0.0.1" }),
    );
    assert.deepEqual(overTheWire, direct, `${init?.method ?? "GET"} ${path}`);
    const asRoute = await answerRoute(new Request(`http://localhost/api/v1/${path}`, init));
    assert.deepEqual(await comparable(asRoute), direct, `route of ${init?.method ?? "GET"} ${path}`);
  }
});

test("Next's route answers every method that Next knows in one way", () => {
  const methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
  assert.deepEqual({ ...route }, Object.fromEntries(methods.map((method) => [method, answerRoute])));
});

test("HEAD returns the headers of GET and no body", async () => {
  const url = `http://127.0.0.1:${port}/api/v1/jobs/list.php`;
  const [head, get] = await Promise.all([fetch(url, { method: "HEAD" }), fetch(url)]);
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  for (const name of ["content-type", "etag", "content-length", "cache-control"])
    assert.equal(head.headers.get(name), get.headers.get(name), name);
});

/** Sends bytes as they are and gives the first line of the answer, if the connection is not simply closed. */
async function raw(...parts: string[]): Promise<string> {
  return (await exchange(parts, "\r\n\r\n")).split("\r\n", 1)[0] ?? "";
}

/** Sends bytes as they are and gives the answer up to this text, or up to the end of the connection. */
async function exchange(parts: string[], upTo: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
    if (answer.includes(upTo)) socket.destroy();
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  for (const part of parts) socket.write(part);
  await new Promise((done) => socket.once("close", done));
  return answer;
}

const POST = (length: string) =>
  `POST /api/v1/jobs/cancel.php HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${agent.token}\r\n${length}\r\n`;

test("a chunked body is accepted up to the limit", async () => {
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const head = POST("Transfer-Encoding: chunked\r\n");
  assert.match(await raw(head, chunk('{"public_id":'), chunk(`"${agent.publicId}"}`), "0\r\n\r\n"), / 422 /);
  const block = chunk(" ".repeat(60_000));
  assert.match(await raw(head, ...Array.from({ length: 6 }, () => block)), / 413 /);
});

test("after a body was refused half-way, the connection accepts the next request", async () => {
  const block = `${(60_000).toString(16)}\r\n${" ".repeat(60_000)}\r\n`;
  const next = "GET /api/v1/nowhere.php HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const parts = [POST("Transfer-Encoding: chunked\r\n"), ...Array.from({ length: 20 }, () => block), "0\r\n\r\n", next];
  assert.match(await exchange(parts, '"not_found"'), /^HTTP\/1\.1 413 .*HTTP\/1\.1 404 /s);
});

test("a Content-Length above the limit is refused before the body arrives", async () => {
  assert.match(await raw(POST(`Content-Length: ${MAX_BODY_BYTES + 1}\r\n`)), / 413 /);
});

test("malformed and interrupted requests do not affect others", async () => {
  for (const [bytes, status] of [
    ["GARBAGE\r\n\r\n", 400],
    ["GET /api/v1/status.php HTTP/1.1\r\nBad Header\r\n\r\n", 400],
    ["GET /api/v1/status.php HTTP/1.1\r\n\r\n", 400],
    ["BREW /api/v1/status.php HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    [`GET /api/v1/status.php?q=${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ] as const) {
    const [head = "", body = ""] = (await exchange([bytes], "\0")).split("\r\n\r\n");
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.equal(ErrorBody.parse(JSON.parse(body)).request_id, /X-Request-Id: (\S+)/.exec(head)?.[1]);
  }
  for (let n = 0; n < 20; n += 1) {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`${POST("Content-Length: 1000\r\n")}{"half`);
    socket.destroy();
  }
  assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/status.php`)).status, 200);
});

test("probes answer whether the process lives and whether it can serve", async () => {
  for (const path of ["healthz", "readyz"]) {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`);
    assert.deepEqual([response.status, ((await response.json()) as { ok: boolean }).ok], [200, true]);
    assert.equal(response.headers.get("Cache-Control"), "no-store");
    assert.match(response.headers.get("X-Request-Id") ?? "", /^req_\w{22}$/);
  }
});

test("over HTTP, sixty guesses lead to 429 while a valid credential is admitted, and a flood is refused by address", async () => {
  await configure({ RATE_LIMIT_SCALE: "1" });
  try {
    const me = (token: string) =>
      fetch(`http://127.0.0.1:${port}/api/v1/agents/me.php?public_id=${agent.publicId}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
    const statuses: number[] = [];
    for (let n = 0; n < 80; n += 1) statuses.push((await me(newSecret("ghm"))).status);
    assert.deepEqual(statuses, [...Array(60).fill(401), ...Array(20).fill(429)]);
    assert.equal((await me(agent.token)).status, 200);
    const flood: Response[] = [];
    const nowhere = () => fetch(`http://127.0.0.1:${port}/api/v1/nowhere.php`);
    for (let round = 0; round < 12; round += 1)
      flood.push(...(await Promise.all(Array.from({ length: 100 }, nowhere))));
    const refused = flood.filter(({ status }) => status === 429);
    assert.deepEqual([flood.length - refused.length, refused.length], [1_119, 81]);
    for (const answer of refused) {
      assert.match(answer.headers.get("RateLimit-Policy") ?? "", /^"request";q=1200;w=60$/);
      assert.equal(ErrorBody.parse(await answer.json()).error.code, "rate_limited");
    }
  } finally {
    await configure();
  }
});

test("/readyz says how many events wait for their positions", async () => {
  const { details } = (await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as {
    details: { events: object };
  };
  assert.deepEqual(Object.keys(details.events), ["waiting", "oldest_seconds"]);
});

test("probes within a second share one database check", async (t) => {
  const asked = t.mock.method(pool(), "query");
  const ask = () => fetch(`http://127.0.0.1:${port}/readyz`);
  // Mocked once: of two mocks, the first would stay in place after the test.
  let now = 1e9;
  t.mock.method(performance, "now", () => now);
  // Background work asks the same pool, so only the check's own first statement counts.
  const checks = () =>
    asked.mock.calls.filter(({ arguments: [query] }) => JSON.stringify(query).includes("to_regclass")).length;
  // Waits for a check that an earlier test has begun.
  await ask();
  asked.mock.resetCalls();
  now += 1_000;
  await Promise.all(Array.from({ length: 20 }, ask));
  assert.equal(checks(), 1);
  await ask();
  assert.equal(checks(), 1);
  now += 1_000;
  await ask();
  assert.equal(checks(), 2);
});

test("API answers, including probes and preflights, cannot be run or framed as documents", async () => {
  for (const [path, method, policy] of [
    ["api/v1/status.php", "GET", "cross-origin"],
    ["api/v1/status.php", "OPTIONS", "cross-origin"],
    ["api/v1/jobs/claim.php", "OPTIONS", "same-origin"],
    ["api/v1/agents/me.php", "GET", "same-origin"],
    ["api/v1/nowhere.php", "GET", "same-origin"],
    ["healthz", "GET", "same-origin"],
    ["readyz", "GET", "same-origin"],
  ] as const) {
    const { headers } = await fetch(`http://127.0.0.1:${port}/${path}`, { method });
    assert.equal(headers.get("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'", path);
    assert.equal(headers.get("Cross-Origin-Resource-Policy"), policy, `${method} ${path}`);
  }
});

test("every answer has nosniff; HSTS is sent only under HTTPS", async () => {
  const shared = globalThis as { guildhallEnv?: unknown };
  for (const [baseUrl, bound] of [
    ["http://localhost:3000", null],
    ["https://hall.example", "max-age=31536000; includeSubDomains"],
  ] as const) {
    shared.guildhallEnv = loadEnv({ ...process.env, BASE_URL: baseUrl });
    for (const path of ["api/v1/status.php", "api/v1/nowhere.php", "healthz", "a-page"]) {
      const { headers } = await fetch(`http://127.0.0.1:${port}/${path}`);
      assert.deepEqual(
        [headers.get("X-Content-Type-Options"), headers.get("Strict-Transport-Security")],
        ["nosniff", bound],
        path,
      );
    }
  }
  shared.guildhallEnv = undefined;
});
