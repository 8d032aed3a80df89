import assert from "node:assert/strict";
import { test } from "node:test";
import { WindowCounts } from "./window-counts.ts";

test("a limit remembers only a bounded number of keys, the latest ones", () => {
  const counts = new WindowCounts({ points: 5, duration: 60, keyPrefix: "x" });
  for (let n = 0; n < 200_000; n += 1) counts.count(`key ${n}`, 1);
  assert.ok(counts.size <= 50_000, `${counts.size}`);
  assert.equal(counts.count("key 199999", 1).consumedPoints, 2);
  assert.equal(counts.count("key 0", 1).consumedPoints, 1);
});

test("a window that is over makes room before any other does", (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const counts = new WindowCounts({ points: 1, duration: 60, keyPrefix: "x" });
  for (let n = 0; n < 1_000; n += 1) counts.count(`key ${n}`, 1);
  t.mock.timers.tick(60_000);
  for (let n = 0; n < 400; n += 1) counts.count(`later ${n}`, 1);
  assert.equal(counts.size, 400);
});

test("a call beyond the points is rejected with the time that is left, and one that is taken back makes room", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const counts = new WindowCounts({ points: 2, duration: 60, keyPrefix: "x" });
  assert.equal((await counts.consume("me")).remainingPoints, 1);
  t.mock.timers.tick(10_000);
  await counts.consume("me");
  await assert.rejects(counts.consume("me"), { consumedPoints: 3, msBeforeNext: 50_000 });
  await counts.reward("me", 2);
  await counts.consume("me");
  t.mock.timers.tick(50_000);
  assert.equal((await counts.consume("me")).consumedPoints, 1);
});
