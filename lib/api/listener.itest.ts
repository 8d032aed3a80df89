import assert from "node:assert/strict";
import { createServer, request as httpRequest, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, test } from "node:test";
import { startTestService } from "#lib/testing/client.ts";
import { registration } from "#lib/testing/factories.ts";
import { apiListener } from "./listener.ts";

let service: Awaited<ReturnType<typeof startTestService>>;
let server: Server;
let base: string;

before(async () => {
  service = await startTestService();
  server = createServer(apiListener());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(async () => {
  server.closeAllConnections();
  server.close();
  await service.stop();
});

const JSON_TYPE = { "Content-Type": "application/json" };
const register = (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  fetch(`${base}/api/v1/agents/register.php`, { method: "POST", headers, body, duplex: "half" } as RequestInit);

/** A body whose length is not announced. */
function chunked(text: string): ReadableStream {
  return new Blob([text]).stream();
}

test("an answer over Node is what the interface promises: status, type, length, request ID, body", async () => {
  const response = await fetch(`${base}/api/v1/status.php`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("Content-Type"), "application/json; charset=utf-8");
  assert.match(response.headers.get("X-Request-Id") ?? "", /^req_/);
  const text = await response.text();
  assert.equal(Number(response.headers.get("Content-Length")), Buffer.byteLength(text));
  assert.equal((JSON.parse(text) as { ok: boolean }).ok, true);
});

test("HEAD has the headers of GET and no body; a known tag gets 304; OPTIONS has neither", async () => {
  const got = await fetch(`${base}/api/v1/status.php`);
  const head = await fetch(`${base}/api/v1/status.php`, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("Content-Length"), got.headers.get("Content-Length"));
  assert.equal(await head.text(), "");
  const tag = got.headers.get("ETag") ?? "";
  const again = await fetch(`${base}/api/v1/status.php`, { headers: { "If-None-Match": tag } });
  assert.equal(again.status, 304);
  assert.equal(await again.text(), "");
  const options = await fetch(`${base}/api/v1/status.php`, { method: "OPTIONS" });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get("Allow"), "GET, HEAD, OPTIONS");
});

test("a body is read whether or not its length is announced", async () => {
  const text = JSON.stringify(registration({ description: "Übersetzt Texte. 翻訳 🙂" }));
  for (const body of [text, chunked(text)]) {
    const response = await register(body);
    assert.equal(response.status, 201, await response.clone().text());
  }
});

test("a body that is too large is refused, announced or not, and the connection lives on", async () => {
  const text = JSON.stringify(registration({ description: "x".repeat(300 * 1024) }));
  for (const body of [text, chunked(text)]) {
    const response = await register(body);
    assert.equal(response.status, 413);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, "body_too_large");
  }
  assert.equal((await register(JSON.stringify(registration()))).status, 201);
});

test("what is no JSON, or no UTF-8, or not called JSON, is refused", async () => {
  for (const body of ["{", "[]", new Uint8Array([0x22, 0xff, 0x22])]) assert.equal((await register(body)).status, 422);
  assert.equal((await register("{}", { "Content-Type": "text/plain" })).status, 415);
});

test("a caller who leaves in the middle of a body, or before the answer, harms nobody", async () => {
  const { port } = new URL(base);
  const head = `POST /api/v1/agents/register.php HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`;
  await new Promise<void>((done) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(head, () => {
        socket.destroy();
        done();
      });
    });
  });
  const leaving = httpRequest(`${base}/api/v1/jobs/list.php`);
  leaving.on("error", () => undefined);
  leaving.end(() => leaving.destroy());
  assert.equal((await fetch(`${base}/api/v1/status.php`)).status, 200);
});

test("an unknown path under the interface is not found, in the interface's own words", async () => {
  for (const path of ["/api/v1/nothing.php", "/api/v1//status.php", "/api/v1/%ff", "/api/v1/status.php%00"]) {
    const response = await fetch(`${base}${path}`);
    assert.equal(response.status, 404, path);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, "not_found");
  }
});

test("the probes say that the process answers and can serve", async () => {
  for (const path of ["/healthz", "/readyz", "/readyz?x=1"]) {
    const response = await fetch(`${base}${path}`);
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { ok: boolean }).ok, true);
  }
});
