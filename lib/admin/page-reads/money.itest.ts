import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { reconcile } from "#lib/payments/reconciliation/reconcile.ts";
import { configure } from "#testing/configuration.ts";
import { catchUp, completedLive, fundedLive, liveService, settlementOf, workerContext } from "#testing/live.ts";
import { did } from "#testing/workflow.ts";
import { readMoney } from "./money.ts";
import { readFileName, writeMonth } from "./money-csv.ts";

const live = liveService({ settleSeconds: 0 });

const now = () => new Date();
const month = () => now().toISOString().slice(0, 7);

async function csv(name: string): Promise<string[][]> {
  const wanted = readFileName(name);
  assert.ok(wanted);
  let text = "";
  for await (const piece of writeMonth(wanted)) text += piece;
  return text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
}

test("before anything was paid there are no figures, and a platform without LIVE says that there is nothing to see", async () => {
  const { solvency, held, charges, months } = await readMoney(now());
  assert.deepEqual([solvency, held, charges], [null, [], []]);
  assert.deepEqual([months.length, months[0]?.month, months[0]?.profitPence], [12, month(), 0]);
  const configured = env();
  await configure({ PAYMENT_MODE: "TEST" });
  assert.equal((await readMoney(now())).live, false);
  Object.assign(globalThis, { guildhallEnv: configured });
});

test("the figures show what Stripe has, what waits for the operator, and the month's profit", async () => {
  const paid = await completedLive(live);
  const held = await completedLive(live);
  await did(held.requester, "dispute", held);
  await catchUp(live);
  live.stripe.payoutPaid(live.stripe.payout(paid.account));
  const disputed = await fundedLive(live);
  const dispute = live.stripe.openDispute(disputed.intent);
  const failing = await completedLive(live);
  await catchUp(live);
  const payout = live.stripe.payout(failing.account);
  live.stripe.failPayout(payout);
  await catchUp(live);
  await reconcile(workerContext());
  await pool().query(
    "UPDATE transfer_intents SET created_at = created_at - interval '4 days' WHERE settlement_id = $1",
    [(await settlementOf(held)).settlement_id],
  );
  const money = await readMoney(now());
  assert.equal(money.balance?.ledgerPence, money.balance?.stripePence);
  assert.equal(money.solvency?.shortfallPence, 0);
  assert.deepEqual(
    money.held.map(({ reason, count, pence, oldestDays, old }) => [reason, count, pence, oldestDays, old]),
    [["dispute", 1, 1_800, 4, 1]],
  );
  assert.deepEqual(
    money.chargebacks.map(({ id, pence, transfer }) => [id, pence, transfer]),
    [[dispute.id, 2_001, "none"]],
  );
  assert.equal(money.chargebacks[0]?.dueBy?.getTime(), Number(dispute.evidence_details.due_by) * 1000);
  assert.deepEqual(
    money.failedPayouts.map(({ providerId, pence }) => [providerId, pence]),
    [[failing.provider.publicId, 1_800]],
  );
  assert.equal(money.charges.length, 4);
  const fee = money.charges[0]?.fee ?? 0;
  assert.ok(fee > 0);
  const [current] = money.months;
  assert.equal(current?.stripeFeesPence, fee * 4);
  assert.equal(current?.feesPence, 3 * 201);
  assert.equal(
    current?.profitPence,
    3 * 201 - fee * 4 - (current?.disputeFeesPence ?? 0) - (current?.lossesPence ?? 0),
  );
});

test("a cancelled task that was paid appears as a refund that is due", async () => {
  const work = await fundedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  await did(work.provider, "dispute", work);
  const { rows } = await pool().query("SELECT id FROM disputes WHERE task_id = $1", [work.taskId]);
  const { resolveDispute } = await import("../disputes.ts");
  const { admin, reason } = await import("#testing/administrator.ts");
  await resolveDispute(admin, { disputeId: rows[0].id, resolution: "requester", reason });
  const due = async () => (await readMoney(now())).refundsDue.map(({ settlementId, pence }) => [settlementId, pence]);
  assert.deepEqual(await due(), [[id, 2_001]]);
  live.stripe.refund(work.intent);
  await catchUp(live);
  assert.deepEqual(await due(), []);
});

test("the month's files hold every entry of the ledger and every movement at Stripe", async () => {
  await reconcile(workerContext());
  const [head, ...entries] = await csv(`ledger-${month()}.csv`);
  assert.deepEqual(head?.slice(0, 4), ["entry_id", "transaction_id", "at", "kind"]);
  const { rows } = await pool().query(
    "SELECT count(*)::int AS count FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id WHERE payment_mode = 'LIVE'",
  );
  assert.equal(entries.length, rows[0].count);
  assert.equal(
    entries.reduce((sum, line) => sum + Number(line.at(-1)), 0),
    0,
  );
  const [, ...lines] = await csv(`balance-${month()}.csv`);
  assert.equal(lines.length, [...live.stripe.world.lines.values()].filter(({ account }) => !account).length);
  assert.deepEqual(
    lines.filter(([, , , type]) => type === "topup").map((line) => line.at(-1)),
    ["false"],
  );
  assert.ok(lines.filter(([, , , type]) => type === "charge").every((line) => line.at(-1) === "true"));
  assert.deepEqual(await csv("ledger-2020-01.csv"), [head]);
});

test("only names of a month's file lead to one", () => {
  for (const name of ["ledger-2026-13.csv", "ledger-2026-1.csv", "other-2026-01.csv", "ledger-2026-01.csv.txt", ""])
    assert.equal(readFileName(name), undefined);
});
