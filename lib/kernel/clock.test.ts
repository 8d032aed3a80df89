import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "#testing/seed.ts";
import { iso } from "./clock.ts";

test("a time in its wire form is what toISOString gives", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      assert.equal(iso(date), date.toISOString());
    }),
  );
  for (const ms of [0, -1, 1, 86_399_999, 86_400_000, -86_400_000, 8.64e15, -8.64e15])
    assert.equal(iso(new Date(ms)), new Date(ms).toISOString());
  assert.equal(iso(null), null);
});

test("an invalid time has no wire form", () => {
  assert.throws(() => iso(new Date(Number.NaN)), RangeError);
});
