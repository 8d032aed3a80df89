import assert from "node:assert/strict";
import { test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { enter } from "#stripe-stand-in/balance.ts";
import { Chance } from "#stripe-stand-in/random.ts";
import { agreedLive, liveService, workerContext } from "#testing/live.ts";
import { SEED } from "#testing/seed.ts";
import { copyAgreement } from "#testing/stories/plant.ts";
import { checkBalance } from "./solvency.ts";

// Asynchronous capture: a payment is known up to an hour before its charge is in Stripe's balance.

const PAYMENTS = 10_000;
const HOURS = 4;
const HOUR_MS = 3_600_000;
const STEP_MS = HOUR_MS / 3;

type Late = {
  paymentId: string;
  contractId: string;
  settlementId: string;
  pence: number;
  fee: number;
  paidMs: number;
  inBalanceMs: number;
};

const live = liveService({ settleSeconds: 0, platformPence: 0 });

/** Payments that come evenly over the hours, each with a delay of up to an hour. */
async function generate(startMs: number): Promise<Late[]> {
  const chance = new Chance(`late:${SEED}`);
  const amounts = Array.from({ length: PAYMENTS }, () => chance.between(999, 100_000));
  const model = await agreedLive(live);
  const late: Late[] = [];
  for (let at = 0; at < PAYMENTS; at += 1_000)
    for (const { contractId, settlementId, amountPence } of await copyAgreement(model, amounts.slice(at, at + 1_000))) {
      const paidMs = startMs + chance.between(0, HOURS * HOUR_MS);
      late.push({
        ...{ paymentId: newId("pay"), contractId, settlementId, pence: amountPence },
        fee: Math.round(amountPence * 0.015) + 20,
        ...{ paidMs, inBalanceMs: paidMs + chance.between(0, HOUR_MS) },
      });
    }
  return late;
}

/** Records payments that were made, as their events do: taken and held. */
async function recordPaid(paid: Late[], requesterId: string): Promise<void> {
  await pool().query(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($1) AS g ("paymentId" text, "contractId" text, "settlementId" text, pence int, "paidMs" float8)),
     paid AS (
       INSERT INTO payments (id, contract_id, requester_id, payment_mode, status, amount_pence, created_at, settled_at, stripe_charge_id)
       SELECT "paymentId", "contractId", $2, 'LIVE', 'succeeded', pence, to_timestamp("paidMs" / 1000), to_timestamp("paidMs" / 1000), 'ch_' || "paymentId"
       FROM given),
     funded AS (UPDATE settlements s SET funding = 'confirmed' FROM given WHERE s.id = "settlementId"),
     booked AS (
       INSERT INTO ledger_transactions (settlement_id, kind, payment_mode, at)
       SELECT "settlementId", 'funding', 'LIVE', to_timestamp("paidMs" / 1000) FROM given RETURNING id, settlement_id)
     INSERT INTO ledger_entries (transaction_id, account, amount_pence)
     SELECT b.id, account::ledger_account, sign * pence FROM booked b JOIN given ON "settlementId" = b.settlement_id,
       (VALUES ('cash', 1), ('held', -1)) entry (account, sign)`,
    [JSON.stringify(paid), requesterId],
  );
}

/** Charges reach Stripe's balance; for some of them the event that says so has been processed. */
async function reachBalance(charges: Late[]): Promise<void> {
  for (const { paymentId, pence, fee, inBalanceMs } of charges) {
    const line = enter(live.stripe.world, {
      type: "charge",
      amountPence: pence,
      feePence: fee,
      source: `ch_${paymentId}`,
    });
    line.created = Math.floor(inBalanceMs / 1000);
  }
  await pool().query(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($1) AS g ("paymentId" text, "settlementId" text, fee int, "inBalanceMs" float8)),
     known AS (UPDATE payments p SET stripe_fee_pence = fee FROM given WHERE p.id = "paymentId"),
     booked AS (
       INSERT INTO ledger_transactions (settlement_id, kind, reference, payment_mode, at)
       SELECT "settlementId", 'stripe_fee', 'ch_' || "paymentId", 'LIVE', to_timestamp("inBalanceMs" / 1000) FROM given
       RETURNING id, settlement_id)
     INSERT INTO ledger_entries (transaction_id, account, amount_pence)
     SELECT b.id, account::ledger_account, sign * fee FROM booked b JOIN given ON "settlementId" = b.settlement_id,
       (VALUES ('cash', -1), ('stripe_fees', 1)) entry (account, sign)`,
    [JSON.stringify(charges)],
  );
}

test("of 10,000 payments whose charges reach the balance up to an hour later, none makes anybody ask for money", async (t) => {
  const startMs = Date.now();
  const late = await generate(startMs);
  const { requesterId } = await prisma().settlement.findFirstOrThrow();
  const check = async (nowMs: number) => {
    const run = await prisma().reconciliation.create({ data: { startedAt: new Date(nowMs) } });
    return checkBalance(workerContext({ now: () => new Date(nowMs) }), run.id);
  };
  let [most, known, entered] = [0, 0, 0];
  for (let nowMs = startMs; nowMs <= startMs + (HOURS + 1) * HOUR_MS; nowMs += STEP_MS) {
    const between = (ms: number) => ms > nowMs - STEP_MS && ms <= nowMs;
    const [paid, charges] = [
      late.filter((each) => between(each.paidMs)),
      late.filter((each) => between(each.inBalanceMs)),
    ];
    await recordPaid(paid, requesterId);
    await reachBalance(charges);
    known += paid.length;
    entered += charges.length;
    most = Math.max(most, known - entered);
    assert.deepEqual(await check(nowMs), [], `after ${(nowMs - startMs) / 60_000} minutes`);
  }
  assert.deepEqual([known, entered], [PAYMENTS, PAYMENTS]);
  t.diagnostic(`up to ${most} payments at once were not in the balance`);
  // What is really missing is found.
  enter(live.stripe.world, { type: "payout", amountPence: -100_000_000, source: null }).created = 1_000;
  const endMs = startMs + (HOURS + 1) * HOUR_MS;
  assert.deepEqual(
    (await check(endMs)).map(({ kind }) => kind),
    ["shortfall", "balance"],
  );
});
