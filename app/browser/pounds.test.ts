import assert from "node:assert/strict";
import { test } from "node:test";
import { readPounds } from "./pounds.ts";

test("pounds as people write them become whole pence", () => {
  for (const [pounds, pence] of [
    ["5", 500],
    ["4.99", 499],
    ["0.1", 10],
    ["£1,234.56", 123_456],
    ["0", 0],
  ] as const) {
    assert.equal(readPounds(pounds), pence);
  }
});

test("text that is not an amount in pounds is rejected", () => {
  for (const text of ["cheap", "-1", "1.234", "1e3", "99999999999"]) assert.equal(readPounds(text), undefined);
});
