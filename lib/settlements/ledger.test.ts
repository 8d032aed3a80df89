import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import { fc } from "#testing/seed.ts";
import { FEE_BPS, splitGross } from "./fee.ts";
import { afterMove, type Balances, balancesOf, type Moved, NOTHING_MOVED } from "./ledger.ts";

type State = "recorded" | "approved" | "void";
const shown = (state: State, moved: Partial<Moved>): Partial<Balances> => {
  const all = Object.entries(balancesOf({ state, bps: FEE_BPS, awardedPence: null }, { ...NOTHING_MOVED, ...moved }));
  return Object.fromEntries(all.filter(([, pence]) => pence !== 0));
};

const pence = fc.integer({ min: 0, max: MAX_PENCE });
const state = fc.constantFrom<State>("recorded", "approved", "void");
const moved = fc.record({
  funded: pence,
  sent: pence,
  refunded: pence,
  pending: fc.constant(0),
  chargedBack: pence,
  stripeFees: pence,
  disputeFees: pence,
  netted: fc.integer({ min: -MAX_PENCE, max: MAX_PENCE }),
});

test("the accounts of a settlement sum to zero, whatever has moved", () => {
  fc.assert(
    fc.property(state, moved, pence, (state, moved, pending) => {
      const all = balancesOf(
        { state, bps: FEE_BPS, awardedPence: null },
        { ...moved, pending: Math.min(pending, moved.refunded) },
      );
      assert.equal(
        Object.values(all).reduce((sum, each) => sum + each, 0),
        0,
      );
    }),
  );
});

test("nothing is owed beyond what is left, and nothing is lost that was not transferred", () => {
  fc.assert(
    fc.property(
      state,
      fc.integer({ min: 1, max: MAX_PENCE }),
      fc.array(fc.nat(1_000), { maxLength: 4 }),
      (state, funded, parts) => {
        const [refunded = 0, chargedBack = 0] = parts.map((part) => Math.floor((funded * part) / 2_000));
        const all = balancesOf(
          { state, bps: FEE_BPS, awardedPence: null },
          { ...NOTHING_MOVED, funded, refunded, chargedBack },
        );
        assert.equal(all.held + all.provider_payable + all.platform_fees + all.refund_due, -all.cash);
        assert.deepEqual([all.refunds, all.chargebacks], [0, 0]);
      },
    ),
  );
});

test("money that was lost and came back leaves the balances unchanged", () => {
  const start = { ...NOTHING_MOVED, funded: 1_001, sent: 900 };
  let after = start;
  for (const kind of ["refund", "refund_failed", "chargeback", "chargeback_won", "reversal", "transfer"] as const)
    after = afterMove(after, kind, { pence: 300 });
  assert.deepEqual(after, start);
});

test("after completion nothing is held, the fee is earned and the rest is paid to the provider", () => {
  assert.deepEqual(shown("recorded", { funded: 1_001 }), { cash: 1_001, held: -1_001 });
  assert.deepEqual(shown("approved", { funded: 1_001 }), { cash: 1_001, provider_payable: -900, platform_fees: -101 });
  assert.deepEqual(shown("approved", { funded: 1_001, sent: 900 }), { cash: 101, platform_fees: -101 });
});

test("a void settlement owes the requester everything that was taken, and a refund clears that first", () => {
  assert.deepEqual(shown("void", { funded: 1_001 }), { cash: 1_001, refund_due: -1_001 });
  assert.deepEqual(shown("void", { funded: 1_001, refunded: 400 }), { cash: 601, refund_due: -601 });
  assert.deepEqual(shown("void", { funded: 1_001, refunded: 400, chargedBack: 601 }), {});
});

test("a refund that may still fail clears nothing yet", () => {
  assert.deepEqual(shown("void", { funded: 1_001, refunded: 1_001, pending: 1_001 }), {
    refund_due: -1_001,
    refunds_pending: 1_001,
  });
});

test("a refund before the transfer reduces the fee and the provider's share by the usual rule", () => {
  const { feePence, netPence } = splitGross(601);
  assert.deepEqual(shown("approved", { funded: 1_001, refunded: 400 }), {
    cash: 601,
    provider_payable: -netPence,
    platform_fees: -feePence,
  });
});

test("what was transferred beyond what is left is a loss until it is reversed", () => {
  const lost = { funded: 1_001, refunded: 1_001 };
  assert.deepEqual(shown("approved", { ...lost, sent: 900 }), { cash: -900, refunds: 900 });
  assert.deepEqual(shown("approved", { ...lost, sent: 500 }), { cash: -500, refunds: 500 });
  assert.deepEqual(shown("approved", lost), {});
  assert.deepEqual(shown("approved", { funded: 1_001, sent: 900, refunded: 500, chargedBack: 501 }), {
    cash: -900,
    refunds: 900 - splitGross(501).netPence,
    chargebacks: splitGross(501).netPence,
  });
});

test("Stripe's fees are the platform's", () => {
  assert.deepEqual(shown("approved", { funded: 1_001, sent: 900, stripeFees: 35, disputeFees: 2_000 }), {
    cash: 101 - 2_035,
    platform_fees: -101,
    stripe_fees: 35,
    dispute_fees: 2_000,
  });
});
