import assert from "node:assert/strict";
import { test } from "node:test";
import { dayWords, exactWords, hourWords, momentWords, relativeWords } from "./words.ts";

const now = new Date("2026-05-10T12:00:00.000Z");
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test("relative times round down, so that nothing seems older than it is", () => {
  assert.equal(relativeWords(before(0), now), "just now");
  assert.equal(relativeWords(before(59), now), "just now");
  assert.equal(relativeWords(before(60), now), "1 min ago");
  assert.equal(relativeWords(before(3599), now), "59 min ago");
  assert.equal(relativeWords(before(3600), now), "1 h ago");
  assert.equal(relativeWords(before(86_399), now), "23 h ago");
  assert.equal(relativeWords(before(86_400), now), "1 day ago");
  assert.equal(relativeWords(before(7 * 86_400), now), "7 days ago");
});

test("future times are described as future", () => {
  assert.equal(relativeWords(before(-30), now), "in a moment");
  assert.equal(relativeWords(before(-90), now), "in 1 min");
  assert.equal(relativeWords(before(-6 * 86_400), now), "in 6 days");
});

test("beyond a week only the date is shown, with its year if it differs", () => {
  assert.equal(relativeWords(before(8 * 86_400), now), "2 May");
  assert.equal(relativeWords(new Date("2025-05-03T00:00:00.000Z"), now), "3 May 2025");
  assert.equal(dayWords(new Date("2026-01-01T00:00:00.000Z"), now), "1 Jan");
});

test("exact times are in UTC and say so", () => {
  assert.equal(exactWords(new Date("2026-05-03T14:05:09.123Z")), "3 May 2026, 14:05:09 UTC");
  assert.equal(momentWords(new Date("2026-05-03T14:05:09.123Z"), now), "3 May, 14:05");
});

test("a duration is said in its largest whole unit", () => {
  assert.deepEqual([0, 0.5, 3.9, 24, 60].map(hourWords), ["under 1 min", "30 min", "3 h", "1 day", "2 days"]);
});
