import assert from "node:assert/strict";
import { test } from "node:test";
import { kept } from "./kept.ts";

function reads() {
  const waiting: { resolve(value: number): void; reject(error: Error): void }[] = [];
  const read = () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }));
  return { waiting, read };
}

test("many who ask at once cause one read", async () => {
  const { waiting, read } = reads();
  const answers = [kept("a", 60_000, read), kept("a", 60_000, read), kept("a", 60_000, read)];
  assert.equal(waiting.length, 1);
  waiting[0]?.resolve(7);
  assert.deepEqual(await Promise.all(answers), [7, 7, 7]);
  assert.equal(await kept("a", 60_000, read), 7);
  assert.equal(waiting.length, 1);
});

test("what is too old is given while it is read anew, once", async () => {
  const { waiting, read } = reads();
  const first = kept("b", 0, read);
  waiting[0]?.resolve(1);
  await first;
  assert.deepEqual(await Promise.all([kept("b", 0, read), kept("b", 0, read)]), [1, 1]);
  assert.equal(waiting.length, 2);
  waiting[1]?.resolve(2);
  await new Promise(setImmediate);
  assert.equal(await kept("b", 60_000, read), 2);
});

test("a failure is not kept", async () => {
  const { waiting, read } = reads();
  const first = kept("c", 60_000, read);
  waiting[0]?.reject(new Error("no"));
  await assert.rejects(first);
  const second = kept("c", 0, read);
  waiting[1]?.resolve(3);
  assert.equal(await second, 3);
  assert.equal(await kept("c", 0, read), 3);
  waiting[2]?.reject(new Error("no"));
  await new Promise(setImmediate);
  assert.equal(await kept("c", 60_000, read), 3);
});
