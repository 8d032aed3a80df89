import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { compressStatic, serveStatic } from "./static-files.ts";

const SCRIPT = "export const words = 'again and again';\n".repeat(100);
const dir = mkdtempSync(join(tmpdir(), "guildhall-static-"));
const others: RequestListener = (_request, response) => void response.end("others");
let server: ReturnType<typeof createServer>;

before(async () => {
  mkdirSync(join(dir, ".next/static/chunks"), { recursive: true });
  writeFileSync(join(dir, ".next/static/chunks/[a].js"), SCRIPT);
  writeFileSync(join(dir, ".next/static/chunks/small.js"), "1");
  await compressStatic(dir);
  server = createServer(serveStatic(dir, others)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => {
  server.close();
  rmSync(dir, { recursive: true });
});

async function ask(path: string, encoding: string, options: { method?: string; range?: string } = {}) {
  const { port } = server.address() as AddressInfo;
  const headers = { "Accept-Encoding": encoding, ...(options.range ? { Range: options.range } : {}) };
  const request = get({ host: "127.0.0.1", port, path, method: options.method ?? "GET", headers });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}

test("a client that accepts Brotli gets a complete script that it may cache", async () => {
  for (const encoding of ["br", "gzip, deflate, br", "gzip;q=0.5, br;q=1.0"]) {
    const { headers, body } = await ask("/_next/static/chunks/%5Ba%5D.js?v=1", encoding);
    assert.equal(headers["content-encoding"], "br");
    assert.equal(headers["content-type"], "application/javascript; charset=UTF-8");
    assert.match(headers["cache-control"] ?? "", /immutable/);
    assert.equal(headers.vary, "Accept-Encoding");
    assert.equal(brotliDecompressSync(body).toString(), SCRIPT);
    assert.ok(body.length < SCRIPT.length / 10);
  }
  const head = await ask("/_next/static/chunks/%5Ba%5D.js", "br", { method: "HEAD" });
  assert.equal(head.headers["content-encoding"], "br");
  assert.equal(head.body.length, 0);
});

test("small or unknown files, other encodings, methods and ranges are passed on", async () => {
  for (const [path, encoding, options] of [
    ["/_next/static/chunks/%5Ba%5D.js", "gzip"],
    ["/_next/static/chunks/%5Ba%5D.js", "br;q=0"],
    ["/_next/static/chunks/%5Ba%5D.js", "gzip, brx"],
    ["/_next/static/chunks/%5Ba%5D.js", "br", { range: "bytes=0-1" }],
    ["/_next/static/chunks/%5Ba%5D.js", "br", { method: "POST" }],
    ["/_next/static/chunks/%5Ba%5D.js.br", "br"],
    ["/_next/static/chunks/small.js", "br"],
    ["/_next/static/../static/chunks/%5Ba%5D.js", "br"],
    ["/", "br"],
  ] as const) {
    assert.equal((await ask(path, encoding, options)).body.toString(), "others", `${path} ${encoding}`);
  }
});
