import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { cachedRead } from "./cached-read.ts";

function reads() {
  const waiting: { resolve(value: number): void; reject(error: Error): void }[] = [];
  const read = () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }));
  return { waiting, read };
}

/** Holds the clock that results are aged by. @returns what moves it to a number of milliseconds after the start */
function ageing(t: TestContext): (ms: number) => void {
  let ms = 0;
  t.mock.method(performance, "now", () => ms);
  return (to) => {
    ms = to;
  };
}

test("many callers at once cause one read", async () => {
  const { waiting, read } = reads();
  const answers = [cachedRead("a", 60_000, read), cachedRead("a", 60_000, read), cachedRead("a", 60_000, read)];
  assert.equal(waiting.length, 1);
  waiting[0]?.resolve(7);
  assert.deepEqual(await Promise.all(answers), [7, 7, 7]);
  assert.equal(await cachedRead("a", 60_000, read), 7);
  assert.equal(waiting.length, 1);
});

test("from half its age on, a result is served while one read replaces it", async (t) => {
  const { waiting, read } = reads();
  const ask = () => cachedRead("b", 60_000, read);
  const passed = ageing(t);
  const first = ask();
  waiting[0]?.resolve(1);
  await first;
  passed(29_000);
  assert.equal(await ask(), 1);
  assert.equal(waiting.length, 1);
  passed(31_000);
  assert.deepEqual(await Promise.all([ask(), ask()]), [1, 1]);
  assert.equal(waiting.length, 2);
  waiting[1]?.resolve(2);
  await new Promise(setImmediate);
  assert.equal(await ask(), 2);
});

test("no result is older than it may be, even if nobody asked for a long time or the read that replaces it is slow", async (t) => {
  const { waiting, read } = reads();
  const ask = () => cachedRead("d", 60_000, read);
  const passed = ageing(t);
  const first = ask();
  waiting[0]?.resolve(1);
  await first;
  passed(3_600_000);
  const late = [ask(), ask()];
  assert.equal(waiting.length, 2);
  waiting[1]?.resolve(2);
  assert.deepEqual(await Promise.all(late), [2, 2]);
  passed(3_600_000 + 31_000);
  assert.equal(await ask(), 2);
  passed(3_600_000 + 61_000);
  const later = ask();
  assert.equal(waiting.length, 3);
  waiting[2]?.resolve(3);
  assert.equal(await later, 3);
});

test("a failed read is not cached", async (t) => {
  const { waiting, read } = reads();
  const ask = () => cachedRead("c", 60_000, read);
  const passed = ageing(t);
  const first = ask();
  waiting[0]?.reject(new Error("no"));
  await assert.rejects(first);
  const second = ask();
  waiting[1]?.resolve(3);
  assert.equal(await second, 3);
  passed(40_000);
  assert.equal(await ask(), 3);
  waiting[2]?.reject(new Error("no"));
  await new Promise(setImmediate);
  assert.equal(await ask(), 3);
  assert.equal(waiting.length, 4);
  passed(61_000);
  const late = ask();
  waiting[3]?.reject(new Error("no"));
  await assert.rejects(late);
});
