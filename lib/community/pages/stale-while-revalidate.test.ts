import assert from "node:assert/strict";
import { test } from "node:test";
import { staleWhileRevalidate } from "./stale-while-revalidate.ts";

function reads() {
  const waiting: { resolve(value: number): void; reject(error: Error): void }[] = [];
  const read = () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }));
  return { waiting, read };
}

test("many callers at once cause one read", async () => {
  const { waiting, read } = reads();
  const answers = [
    staleWhileRevalidate("a", 60_000, read),
    staleWhileRevalidate("a", 60_000, read),
    staleWhileRevalidate("a", 60_000, read),
  ];
  assert.equal(waiting.length, 1);
  waiting[0]?.resolve(7);
  assert.deepEqual(await Promise.all(answers), [7, 7, 7]);
  assert.equal(await staleWhileRevalidate("a", 60_000, read), 7);
  assert.equal(waiting.length, 1);
});

test("an old result is served while one read replaces it", async () => {
  const { waiting, read } = reads();
  const first = staleWhileRevalidate("b", 0, read);
  waiting[0]?.resolve(1);
  await first;
  assert.deepEqual(await Promise.all([staleWhileRevalidate("b", 0, read), staleWhileRevalidate("b", 0, read)]), [1, 1]);
  assert.equal(waiting.length, 2);
  waiting[1]?.resolve(2);
  await new Promise(setImmediate);
  assert.equal(await staleWhileRevalidate("b", 60_000, read), 2);
});

test("a failed read is not cached", async () => {
  const { waiting, read } = reads();
  const first = staleWhileRevalidate("c", 60_000, read);
  waiting[0]?.reject(new Error("no"));
  await assert.rejects(first);
  const second = staleWhileRevalidate("c", 0, read);
  waiting[1]?.resolve(3);
  assert.equal(await second, 3);
  assert.equal(await staleWhileRevalidate("c", 0, read), 3);
  waiting[2]?.reject(new Error("no"));
  await new Promise(setImmediate);
  assert.equal(await staleWhileRevalidate("c", 60_000, read), 3);
});
