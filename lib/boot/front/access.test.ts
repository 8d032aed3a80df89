import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { noteOperation } from "#lib/kernel/operation.ts";
import { startTracing } from "../tracing.ts";
import { noteRequests } from "./access.ts";

type Line = Record<string, unknown>;
const lines: Line[] = [];
const closed = new Map<string, () => void>();

const answer: RequestListener = (request, response) => {
  if (request.url?.startsWith("/api/v1/jobs/list.php")) noteOperation(request, "jobsList");
  if (request.url === "/hangs") return;
  response.writeHead(request.url === "/missing" ? 404 : 200, { "X-Request-Id": "req_1" }).end("answer");
};

const server = createServer(noteRequests(answer));
let url: string;
before(async () => {
  const info = (line: Line) => {
    lines.push(line);
    closed.get(String(line.path))?.();
  };
  Object.assign(globalThis, { guildhallAccessLog: { info } });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
  Object.assign(globalThis, { guildhallAccessLog: undefined });
});

/** The line of a request, which is written once its connection has everything. */
async function lineOf(path: string, init: RequestInit = {}): Promise<Line> {
  const { promise, resolve } = Promise.withResolvers<void>();
  closed.set(path.split("?", 1)[0] ?? "", resolve);
  await fetch(`${url}${path}`, init).then(
    (response) => response.text(),
    () => undefined,
  );
  await promise;
  const { ms, ...line } = lines.at(-1) as Line;
  assert.equal(typeof ms, "number");
  return line;
}

test("each request has one line, without its query, headers and body", async () => {
  const secret = "ghm_secret-of-this-test";
  const line = await lineOf(`/api/v1/jobs/list.php?token=${secret}`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  assert.deepEqual(line, {
    request_id: "req_1",
    method: "GET",
    path: "/api/v1/jobs/list.php",
    operation: "jobsList",
    status: 200,
  });
  assert.doesNotMatch(JSON.stringify(lines), /secret-of-this-test/);
  assert.equal(lines.length, 1);
});

test("a request that no operation answered is named by its kind, whatever was asked for", async () => {
  const kinds = { "/missing": "page", "/api/v1/x.php": "unknown", "/healthz": "probe", "/_next/static/a.js": "file" };
  for (const [path, kind] of Object.entries({
    ...kinds,
    "/log": "page",
    "/log/checkpoint": "log",
    "/api/auth/x": "sign_in",
  }))
    assert.equal((await lineOf(path)).operation, kind, path);
});

test("a request that the client gave up has the status 499", async () => {
  const line = await lineOf("/hangs", { signal: AbortSignal.timeout(50) });
  assert.equal(line.status, 499);
});

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("the trace of a caller's traceparent is on the line; a malformed one is ignored", async () => {
  const traced = async (traceparent: string) => (await lineOf("/missing", { headers: { traceparent } })).trace_id;
  assert.equal(await traced(`00-${TRACE}-00f067aa0ba902b7-01`), TRACE);
  for (const bad of [`00-${"0".repeat(32)}-00f067aa0ba902b7-01`, `ff-${TRACE}-00f067aa0ba902b7-01`, "nonsense"])
    assert.equal(await traced(bad), undefined);
});

test("with an OTLP endpoint, each request is exported as a span below its caller's", async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (request.url === "/v1/traces") bodies.push(body);
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
  const tracing = await startTracing(endpoint);
  await lineOf("/api/v1/jobs/list.php", { headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` } });
  await tracing.stop();
  collector.closeAllConnections();
  collector.close();
  const [span] = bodies.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
  assert.deepEqual(
    [span.name, span.traceId, span.parentSpanId, span.kind],
    ["GET jobsList", TRACE, "00f067aa0ba902b7", 2],
  );
});
