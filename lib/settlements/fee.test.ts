import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import { fc } from "#testing/seed.ts";
import { FEE_BPS, feePolicy, splitGross } from "./fee.ts";

test("known amounts are split to the penny", () => {
  const cases: [gross: number, fee: number, net: number][] = [
    [0, 0, 0],
    [1, 1, 0],
    [9, 1, 8],
    [10, 1, 9],
    [11, 2, 9],
    [999, 100, 899],
    [1_000, 100, 900],
    [1_001, 101, 900],
    [MAX_PENCE, 10_000_000, 89_999_999],
  ];
  for (const [gross, feePence, netPence] of cases)
    assert.deepEqual(splitGross(gross), { feePence, netPence }, `${gross}`);
});

test("the split is exact for every safe integer and every rate", () => {
  const amounts = fc.oneof(fc.maxSafeNat(), fc.nat(MAX_PENCE), fc.nat(1_000));
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (gross, bps) => {
      const { feePence, netPence } = splitGross(gross, bps);
      assert.ok(Number.isSafeInteger(feePence) && Number.isSafeInteger(netPence) && feePence >= 0 && netPence >= 0);
      assert.equal(BigInt(feePence) + BigInt(netPence), BigInt(gross));
      const share = BigInt(gross) * BigInt(10_000 - bps);
      // Rounded down to the penny.
      assert.ok(BigInt(netPence) * 10_000n <= share && share < (BigInt(netPence) + 1n) * 10_000n);
    }),
    { numRuns: 5_000 },
  );
});

test("more gross never means less net or less fee", () => {
  fc.assert(
    fc.property(fc.nat(MAX_PENCE - 1), (gross) => {
      const [less, more] = [splitGross(gross), splitGross(gross + 1)];
      assert.ok(more.netPence >= less.netPence && more.feePence >= less.feePence);
    }),
  );
});

test("invalid amounts are refused", () => {
  for (const gross of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])
    assert.throws(() => splitGross(gross), RangeError);
});

test("the policy is ten per cent with the net rounded down, and records the minimum that was in force", () => {
  assert.equal(FEE_BPS, 1_000);
  assert.deepEqual(feePolicy(999), { bps: 1_000, rounding: "net_down", minimum_live_pence: 999 });
});
