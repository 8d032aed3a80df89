import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { agreedLive, catchUp, fund, liveService, sessionOf, settlementOf } from "#testing/live.ts";
import { fc } from "#testing/seed.ts";
import { did, perform, taskAt, type Work } from "#testing/workflow.ts";
import { liveGateway } from "./live.ts";
import type { CheckoutOrder, TransferOrder } from "./port.ts";

// What holds for money in both modes: each of the first tests runs in TEST and in LIVE.

const live = liveService();

type Side = {
  mode: "TEST" | "LIVE";
  agree(amountPence?: number): Promise<Work>;
  /** The payer pays, or does not. */
  play(work: Work, paymentId: string, outcome: "succeed" | "decline"): Promise<unknown>;
  transferred: string;
};

const SIDES: Side[] = [
  {
    mode: "TEST",
    agree: async (amountPence = 2_001) =>
      taskAt(
        "accepted",
        { requester: await registerAgent(), provider: await verifiedAgent() },
        { amountPence, task: { budget_pence: amountPence } },
      ),
    play: (work, paymentId, outcome) => perform(work.requester, "confirm", work, { payment_id: paymentId, outcome }),
    transferred: "simulated",
  },
  {
    mode: "LIVE",
    agree: (amountPence) => agreedLive(live, amountPence),
    play: async (_, paymentId, outcome) => {
      const session = await sessionOf(paymentId);
      if (outcome === "succeed") live.stripe.pay(session);
      else live.stripe.expire(session);
      await catchUp(live);
    },
    transferred: "sent",
  },
];

const anOrder = (): CheckoutOrder => ({
  paymentId: newId("pay"),
  attempt: 1,
  contractId: newId("con"),
  taskId: newId("tsk"),
  settlementId: newId("stl"),
  providerId: newId("agt"),
  amountPence: 2_001,
  termsHash: `sha256:${"0".repeat(64)}`,
  title: "Count words",
  expiresAt: new Date(Math.floor(Date.now() / 1000 + 3_600) * 1000),
});

/** The sum of all entries, and the cash before Stripe's fees, which TEST does not have. */
async function books(work: Work): Promise<{ total: number; cash: number; modes: string[] }> {
  const { rows } = await pool().query(
    `SELECT coalesce(sum(amount_pence), 0)::int AS total, coalesce(sum(amount_pence) FILTER (WHERE account IN ('cash', 'stripe_fees')), 0)::int AS cash,
       array_agg(DISTINCT t.payment_mode::text) AS modes
     FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     JOIN settlements s ON s.id = t.settlement_id WHERE s.contract_id = $1`,
    [work.contractId],
  );
  return rows[0];
}

for (const side of SIDES) {
  const { mode } = side;

  test(`${mode}: an agreement is funded when the payment has succeeded, not before, and once`, async () => {
    const work = await side.agree();
    const { payment } = (await fund(work)).body;
    assert.deepEqual([payment.payment_mode, payment.simulated, payment.status], [mode, mode === "TEST", "pending"]);
    assert.equal((await perform(work.provider, "start", work)).error?.code, "funding_required");
    await side.play(work, payment.payment_id, "decline");
    assert.equal((await settlementOf(work)).funding, "required");
    const next = (await fund(work)).body.payment;
    await side.play(work, next.payment_id, "succeed");
    await side.play(work, next.payment_id, "succeed").catch(() => undefined);
    const settlement = await settlementOf(work);
    assert.deepEqual([settlement.funding, settlement.is_charge], ["confirmed", mode === "LIVE"]);
    assert.deepEqual(await books(work), { total: 0, cash: 2_001, modes: [mode] });
    assert.equal((await fund(work)).error?.code, "state_conflict");
  });

  test(`${mode}: nine tenths, to the penny, reach the provider, and the rest is the fee`, async () => {
    for (const amountPence of fc.sample(fc.integer({ min: 999, max: mode === "LIVE" ? 100_000 : 99_999_999 }), 5)) {
      const work = await side.agree(amountPence);
      await side.play(work, (await fund(work)).body.payment.payment_id, "succeed");
      await did(work.provider, "start", work);
      await did(work.provider, "submit", work);
      await did(work.requester, "complete", work);
      if (mode === "LIVE") await catchUp(live);
      const { gross_pence: gross, fee_pence: fee, net_pence: net, transfer, payout } = await settlementOf(work);
      assert.deepEqual([gross, net, gross - net], [amountPence, Math.floor(amountPence * 0.9 + 1e-7), fee]);
      assert.deepEqual([transfer, payout], [side.transferred, "unknown"]);
      assert.deepEqual(await books(work), { total: 0, cash: fee, modes: [mode] });
    }
  });

  test(`${mode}: a cancelled task can no longer be funded`, async () => {
    const work = await side.agree();
    const { payment } = (await fund(work)).body;
    await did(work.requester, "cancel", work);
    await side.play(work, payment.payment_id, "succeed").catch(() => undefined);
    assert.equal((await settlementOf(work)).state, "void");
    assert.equal((await perform(work.provider, "start", work)).status, 409);
  });
}

test("the same order is the same open checkout for its own amount", async () => {
  const gateway = await liveGateway();
  const order = anOrder();
  const [first, again] = [await gateway.openCheckout(order), await gateway.openCheckout(order)];
  assert.deepEqual(first, again);
  assert.deepEqual(
    [first.status, first.amountPence, first.currency, first.cardOnly, first.paymentId],
    ["open", order.amountPence, "gbp", true, order.paymentId],
  );
});

test("the same transfer is sent once", async () => {
  const gateway = await liveGateway();
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  live.stripe.pay(await sessionOf(payment.payment_id));
  await catchUp(live);
  const { rows } = await pool().query("SELECT stripe_charge_id AS charge FROM payments WHERE id = $1", [
    payment.payment_id,
  ]);
  const transfer: TransferOrder = {
    transferId: newId("trf"),
    attempt: 1,
    settlementId: newId("stl"),
    contractId: work.contractId,
    providerId: work.provider.publicId,
    amountPence: 1_800,
    accountId: work.account,
    chargeId: rows[0].charge,
  };
  const [first, again] = [await gateway.sendTransfer(transfer), await gateway.sendTransfer(transfer)];
  assert.deepEqual(first, again);
  assert.deepEqual([first.amountPence, first.transferId], [1_800, transfer.transferId]);
  await catchUp(live);
});

test("a TEST agreement never calls Stripe, even where LIVE is configured", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  const [connections, calls] = [live.stripe.connections, live.stripe.calls.length];
  const works = await Promise.all(Array.from({ length: 20 }, () => taskAt("completed", { requester, provider })));
  for (const state of ["cancelled", "accepted"] as const) await taskAt(state, { requester, provider });
  await catchUp(live);
  assert.deepEqual([live.stripe.connections, live.stripe.calls.length], [connections, calls]);
  const [settlement] = await Promise.all(works.map((work) => settlementOf(work)));
  assert.equal(settlement?.simulated, true);
  assert.ok(!("transfer_holds" in (settlement ?? {})));
});
