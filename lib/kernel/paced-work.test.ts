import assert from "node:assert/strict";
import { test } from "node:test";
import { pacedWork } from "./paced-work.ts";

test("work is done in order, a few pieces in each turn of the event loop", async () => {
  const done: number[] = [];
  const take = pacedWork(2);
  for (let n = 1; n <= 5; n += 1) take(() => void done.push(n));
  assert.deepEqual(done, []);
  const after: number[] = [];
  while (done.length < 5) {
    await new Promise(setImmediate);
    after.push(done.length);
  }
  assert.deepEqual(done, [1, 2, 3, 4, 5]);
  assert.ok(
    after.every((count, turn) => count - (after[turn - 1] ?? 0) <= 2),
    after.join(),
  );
});

test("work that adds more work does not starve other work", async () => {
  let count = 0;
  const take = pacedWork(1);
  const again = () => {
    count += 1;
    if (count < 100) take(again);
  };
  take(again);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  assert.ok(count < 100);
  while (count < 100) await new Promise(setImmediate);
});
