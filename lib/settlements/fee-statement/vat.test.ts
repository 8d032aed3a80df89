import assert from "node:assert/strict";
import { test } from "node:test";
import { splitGross } from "../fee.ts";
import { splitVat } from "./vat.ts";

test("a statement adds up to the penny for every price from 1p to £20 and every VAT rate from 0 to 25 %", () => {
  for (let hundredths = 0; hundredths <= 2_500; hundredths += 25)
    for (let gross = 1; gross <= 2_000; gross += 1) {
      const { feePence, netPence } = splitGross(gross);
      const { vatPence, exVatPence } = splitVat(feePence, hundredths);
      const about = `${gross}p at ${hundredths / 100} %`;
      assert.equal(exVatPence + vatPence + netPence, gross, about);
      assert.ok(Number.isInteger(vatPence) && vatPence >= 0 && exVatPence >= 0, about);
      // Within half a penny of the exact tax, so no other whole number of pence is nearer.
      const exact = (feePence * hundredths) / (10_000 + hundredths);
      assert.ok(Math.abs(vatPence - exact) <= 0.5 + 1e-9, about);
    }
});

test("20 % of a fee of £1.20 is 20p, and without VAT nothing is taken out", () => {
  assert.deepEqual(splitVat(120, 2_000), { vatPence: 20, exVatPence: 100 });
  assert.deepEqual(splitVat(100, 0), { vatPence: 0, exVatPence: 100 });
});
