import assert from "node:assert/strict";
import { test } from "node:test";
import { listening } from "../../testing/listening.ts";
import { fetchText, LogUnavailable } from "./fetch-log.ts";

test("an answer of a log that never ends is given up after a bounded number of bytes", async () => {
  let sent = 0;
  const { url, close } = await listening((_request, response) => {
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
  try {
    await assert.rejects(
      fetchText(`${url}/log/checkpoint`),
      (error) => error instanceof LogUnavailable && /more than 65536/.test(error.message),
    );
    assert.ok(sent < 50_000_000, `${sent} bytes were taken`);
  } finally {
    close();
  }
});
