import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { fetchText, LogUnavailable } from "./fetch-log.ts";

test("an answer of a log that never ends is given up after a bounded number of bytes", async () => {
  let sent = 0;
  const server = createServer((_request, response) => {
    const piece = Buffer.alloc(16_384, "a");
    const more = () => {
      while (!response.destroyed && sent < 500_000_000) {
        sent += piece.length;
        if (!response.write(piece)) return response.once("drain", more);
      }
      return response.end();
    };
    more();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log/checkpoint`;
  try {
    await assert.rejects(
      fetchText(url),
      (error) => error instanceof LogUnavailable && /more than 65536/.test(error.message),
    );
    assert.ok(sent < 50_000_000, `${sent} bytes were taken`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
