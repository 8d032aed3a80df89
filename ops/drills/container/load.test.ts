import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startLoad } from "./load.ts";

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** A service of which some calls fail. @param answer the status of the n-th attempt at this path by anyone; 0 breaks the connection */
async function serve(answer: (path: string, attempt: number) => number): Promise<string> {
  const attempts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const attempt = (attempts.get(path) ?? 0) + 1;
    attempts.set(path, attempt);
    const status = answer(path, attempt);
    if (status === 0) return request.socket.destroy();
    return request
      .resume()
      .on("end", () => response.writeHead(status).end(JSON.stringify({ task: { task_id: `tsk_${attempt}` } })));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function loadOf(url: string, ms: number) {
  const load = startLoad(url, [{ publicId: "agt_1", token: "t" }]);
  await delay(ms);
  return load.stop();
}

test("a request that fails once is sent again and counted, whatever the failure", async () => {
  const url = await serve((path, attempt) =>
    attempt > 1 ? 200 : path === "/tasks" ? 503 : path.includes("create") ? 0 : 200,
  );
  const { retried, failed, requests, created } = await loadOf(url, 100);
  assert.deepEqual({ retried, failed }, { retried: { 503: 1, UND_ERR_SOCKET: 1 }, failed: [] });
  assert.ok(created.length > 0 && requests > created.length);
});

test("a request that fails twice is reported", async () => {
  const url = await serve((path) => (path.includes("list") ? 502 : 200));
  const { failed } = await loadOf(url, 10);
  assert.ok(failed.length > 0);
  assert.ok(failed.every((each) => each === "/api/v1/jobs/list.php: 502"));
});
