import assert from "node:assert/strict";
import { test } from "node:test";
import { showProgress } from "./progress.ts";

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

function clock(...times: number[]): () => number {
  return () => times.shift() ?? 0;
}

test("without a terminal, each step is one line with its outcome and duration", async () => {
  const plain = screen(false);
  const { step, line } = showProgress(plain, clock(0, 1250, 2000, 2000));
  const work = (say: (outcome: string) => void) => {
    say("started");
    return 7;
  };
  assert.equal(await step("Database", work), 7);
  await step("Pages", () => undefined);
  line("Ready");
  assert.deepEqual(plain.written, ["✓ Database: started (1.3 s)\n", "✓ Pages: ready (0.0 s)\n", "Ready\n"]);
});

test("in a terminal, a step is announced and its line then rewritten", async () => {
  const terminal = screen(true);
  await showProgress(terminal, clock(0, 500)).step("Pages", () => undefined);
  assert.deepEqual(terminal.written, ["  Pages …", "\r\u001b[2K✓ Pages: ready (0.5 s)\n"]);
});

test("a step that is not finished says so and passes its error on", async () => {
  const plain = screen(false);
  const failing = showProgress(plain, clock(0, 0)).step("Pages", () => Promise.reject(new Error("no")));
  await assert.rejects(failing, /^Error: no$/);
  assert.deepEqual(plain.written, ["✗ Pages: not finished (0.0 s)\n"]);
});
