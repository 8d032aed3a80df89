import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { test } from "node:test";
import { servedService } from "#testing/served.ts";
import { TOOLS } from "./tools.ts";

const http = servedService();

/** One request with headers that fetch would not send. */
function send(
  headers: Record<string, string>,
  method = "POST",
  path = "/mcp",
  body?: string,
): Promise<{ status: number; text: string }> {
  const message = body ?? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const all = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers };
  return new Promise((done, fail) => {
    const sent = httpRequest(new URL(path, http.url), { method, headers: all }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => done({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", fail).end(method === "POST" ? message : undefined);
  });
}

test("other sites' pages get nothing, by Host or by Origin; names of this machine pass", async () => {
  const { port } = new URL(http.url);
  assert.equal((await send({})).status, 200);
  assert.equal((await send({ Host: `127.0.0.1:${port}`, Origin: http.url })).status, 200);
  assert.equal((await send({ Host: "rebound.example" })).status, 403);
  assert.equal((await send({ Origin: "https://other.example" })).status, 403);
  assert.equal((await send({ Origin: "null" })).status, 403);
});

test("what is not a message of the protocol is refused in its form", async () => {
  const status = async (body: string, headers = {}) => (await send(headers, "POST", "/mcp", body)).status;
  assert.equal(await status("{"), 400);
  assert.equal(await status("[]".repeat(150_000)), 413);
  assert.equal(await status("{}", { "Content-Type": "text/plain" }), 415);
  const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
  assert.equal(await status(JSON.stringify(Array.from({ length: 11 }, (_, id) => ping(id)))), 400);
  for (const method of ["GET", "DELETE", "PUT"]) assert.equal((await send({}, method)).status, 405, method);
});

test("clients of 2025 get JSON, even if they accept nothing else", async () => {
  const post = (accept: string | undefined, body: object) =>
    fetch(`${http.url}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(accept ? { Accept: accept } : {}) },
      body: JSON.stringify(body),
    });
  const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };
  for (const accept of ["application/json, text/event-stream", "application/json", "*/*", undefined]) {
    const answer = await post(accept, list);
    assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "application/json"], accept);
    const { id, result } = (await answer.json()) as { id: number; result: { tools: unknown[] } };
    assert.deepEqual([id, result.tools.length], [7, TOOLS.size]);
  }
  const several = await post("application/json", [list, { ...list, id: 8 }]);
  assert.deepEqual(((await several.json()) as { id: number }[]).map(({ id }) => id).sort(), [7, 8]);
  assert.equal((await post(undefined, { jsonrpc: "2.0", method: "notifications/initialized" })).status, 202);
});
