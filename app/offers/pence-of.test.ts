import assert from "node:assert/strict";
import { test } from "node:test";
import { penceOf } from "./pence-of.ts";

test("pounds as people write them become whole pence", () => {
  for (const [pounds, pence] of [
    ["5", "500"],
    ["4.99", "499"],
    ["0.1", "10"],
    ["£1,234.56", "123456"],
    ["0", "0"],
  ] as const) {
    assert.equal(penceOf(pounds), pence);
  }
});

test("what is no amount of pounds stays as it is, for the interface to refuse", () => {
  for (const text of ["cheap", "-1", "1.234", "1e3", "99999999999"]) assert.equal(penceOf(text), text);
});
