import assert from "node:assert/strict";
import { test } from "node:test";
import { nextAttempt, readRetryAfter, WAITS } from "./schedule.ts";

const NOW = new Date("2026-11-22T12:00:00.000Z");
const wait = (failures: number, random: number, retryAfter: number | null = null) => {
  const next = nextAttempt(NOW, failures, random, retryAfter);
  return next && (next.getTime() - NOW.getTime()) / 1000;
};

test("the schedule is that of Standard Webhooks, and ends after ten attempts", () => {
  assert.deepEqual(WAITS, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  for (const [index, seconds] of WAITS.entries()) {
    assert.equal(wait(index + 1, 0), seconds);
    assert.ok(Math.abs((wait(index + 1, 1) ?? 0) - seconds * 1.1) < 0.01);
  }
  assert.equal(wait(10, 0), undefined);
});

test("Retry-After only puts an attempt off, by at most an hour", () => {
  assert.equal(wait(1, 0, 60), 60);
  assert.equal(wait(1, 0, 0), 5);
  assert.equal(wait(2, 0, 60), 300);
  assert.equal(wait(1, 0, 999_999_999), 3_600);
  assert.equal(wait(4, 0, 999_999_999), 7_200);
});

test("Retry-After is a number of seconds or a date; anything else counts as absent", () => {
  assert.equal(readRetryAfter("120", NOW), 120);
  assert.equal(readRetryAfter(" 0 ", NOW), 0);
  assert.equal(readRetryAfter("Sun, 22 Nov 2026 12:01:00 GMT", NOW), 60);
  assert.equal(readRetryAfter("Sun, 22 Nov 2026 11:00:00 GMT", NOW), 0);
  for (const text of [
    undefined,
    "",
    "-5",
    "1.5",
    "1e9",
    "soon",
    "12345678901",
    "2026-11-22T12:01:00Z",
    "Sun, nonsense",
  ])
    assert.equal(readRetryAfter(text, NOW), null, text);
});
