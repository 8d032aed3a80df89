import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import { fc } from "#lib/testing/seed.ts";
import { splitGross } from "./fee.ts";
import { BOOKINGS } from "./ledger.ts";

const figures = (grossPence: number) => ({ grossPence, ...splitGross(grossPence) });
type Kind = keyof typeof BOOKINGS;

function balances(grossPence: number, kinds: Kind[], movedPence = 0): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const kind of kinds)
    for (const { account, amountPence } of BOOKINGS[kind](figures(grossPence), movedPence))
      sums[account] = (sums[account] ?? 0) + amountPence;
  return sums;
}

test("every booking has two sides or more and sums to zero, whatever the amount", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: MAX_PENCE }),
      fc.constantFrom(...(Object.keys(BOOKINGS) as Kind[])),
      fc.integer({ min: 1, max: MAX_PENCE }),
      (gross, kind, moved) => {
        const entries = BOOKINGS[kind](figures(gross), moved);
        assert.ok(entries.length >= 2);
        assert.equal(
          entries.reduce((sum, { amountPence }) => sum + amountPence, 0),
          0,
        );
      },
    ),
  );
});

test("after completion nothing is held, the fee is earned and the rest is paid to the provider", () => {
  assert.deepEqual(balances(1_001, ["funding", "approval", "transfer"]), {
    cash: 101,
    held: 0,
    provider_payable: 0,
    platform_fees: -101,
  });
});

test("a void settlement owes the requester everything that was taken", () => {
  assert.deepEqual(balances(1_001, ["funding", "void"]), { cash: 1_001, held: 0, refund_due: -1_001 });
});

test("money that was lost and came back leaves the balances unchanged", () => {
  const start: Kind[] = ["funding", "approval", "transfer"];
  const lost = balances(1_001, [...start, "refund", "refund_failed", "chargeback", "chargeback_won"], 300);
  assert.deepEqual(lost, { ...balances(1_001, start), refunds: 0, chargebacks: 0 });
  assert.deepEqual(balances(1_001, [...start, "reversal"], 900), {
    cash: 1_001,
    held: 0,
    provider_payable: -900,
    platform_fees: -101,
  });
});
