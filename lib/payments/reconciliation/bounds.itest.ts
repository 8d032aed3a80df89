import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { JOBS } from "#lib/boot/background.ts";
import { pool } from "#lib/db/client.ts";
import { crontab } from "#lib/jobs/job.ts";
import { startWorker } from "#lib/jobs/worker.ts";
import { enter } from "#stripe-stand-in/balance.ts";
import {
  catchUp,
  completedLive,
  type LiveWork,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
} from "#testing/live.ts";
import { DESTINATIONS } from "../platform/destinations.ts";
import { openDifferences } from "./differences.ts";
import { reconcile } from "./reconcile.ts";

const DAYS = 40;

const live = liveService({ settleSeconds: 0 }, async () => {
  // So that no loss keeps the platform from paying others.
  enter(live.stripe.world, { type: "topup", amountPence: 1_000_000, source: null });
});

/** Stripe's calls during a run. */
async function callsOfRun(): Promise<string[]> {
  const from = live.stripe.calls.length;
  const { differences } = await reconcile(workerContext());
  assert.deepEqual(differences, []);
  return live.stripe.calls.slice(from).map(({ method, path }) => `${method} ${path}`);
}

/** As if all this had happened so many days earlier. */
async function age({ contractId }: LiveWork, days: number): Promise<void> {
  const back = `- make_interval(days => ${days})`;
  await pool().query(
    `UPDATE settlements SET funded_at = funded_at ${back}, approved_at = approved_at ${back}, looked_at = looked_at ${back},
       transferred_at = transferred_at ${back}, paid_out_at = paid_out_at ${back} WHERE contract_id = $1`,
    [contractId],
  );
  await pool().query(
    `UPDATE payments SET created_at = created_at ${back}, settled_at = settled_at ${back} WHERE contract_id = $1`,
    [contractId],
  );
  await pool().query(
    `UPDATE transfer_intents i SET sent_at = sent_at ${back} FROM settlements s WHERE s.id = settlement_id AND contract_id = $1`,
    [contractId],
  );
}

test("reconciliation asks only for the types of events that it knows, of which Stripe takes twenty", async () => {
  const types: readonly string[] = DESTINATIONS.destination_platform.events;
  assert.ok(types.length <= 20);
  const work = await completedLive(live);
  await catchUp(live);
  await pool().query("DELETE FROM stripe_events");
  await reconcile(workerContext());
  const { rows } = await pool().query("SELECT DISTINCT type FROM stripe_events");
  assert.ok(rows.length > 0);
  for (const { type } of rows) assert.ok(types.includes(type), type);
  assert.equal((await settlementOf(work)).transfer, "sent");
  await age(work, DAYS);
});

test("forty days of payouts of one provider cost one list, and a finished settlement nothing", async (t) => {
  const work = await completedLive(live);
  await catchUp(live);
  // What other platforms send to the same account.
  for (let day = 0; day < DAYS; day += 1) {
    enter(live.stripe.world, { account: work.account, type: "payment", amountPence: 10, source: `py_${day}` });
    live.stripe.payoutPaid(live.stripe.payout(work.account));
  }
  await callsOfRun();
  assert.equal((await settlementOf(work)).payout, "paid");
  const second = await callsOfRun();
  t.diagnostic(`${second.length} calls: ${second.join(", ")}`);
  assert.equal(second.filter((call) => call === "GET /v1/payouts").length, 1);
  // The platform's own; those of the account's payouts are known.
  assert.equal(second.filter((call) => call === "GET /v1/balance_transactions").length, 1);
  await age(work, DAYS);
  await callsOfRun();
  const later = await callsOfRun();
  t.diagnostic(`${later.length} calls when everything is finished: ${later.join(", ")}`);
  assert.deepEqual(
    later.filter((call) => /payouts|refunds|disputes/.test(call)),
    [],
  );
});

test("a finished settlement with a later dispute is found by its event", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  await reconcile(workerContext());
  await age(work, DAYS);
  await reconcile(workerContext());
  live.stripe.openDispute(work.intent);
  const { waiting } = await reconcile(workerContext());
  assert.equal((await settlementOf(work)).disputed_pence, 2_001);
  await reconcile(workerContext());
  assert.deepEqual(
    waiting.map(({ kind }) => kind),
    ["chargeback"],
  );
});

test("what was reported is looked at until it is resolved, however old it is", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  const dispute = live.stripe.openDispute(work.intent);
  const { settlement_id: id } = await settlementOf(work);
  const open = async () => {
    await reconcile(workerContext());
    return (await openDifferences()).filter(({ settlementId }) => settlementId === id).length;
  };
  assert.equal(await open(), 1);
  await age(work, 300);
  assert.equal(await open(), 1);
  live.stripe.closeDispute(dispute.id, "won");
  // Its event comes too late for Stripe's list, which goes back 30 days.
  for (const event of live.stripe.events) if (event.object === "event") event.created = 1_000;
  assert.equal(await open(), 0);
});

test("a chargeback after the transfer waits for a person, with its deadline, until it is decided", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  const dispute = live.stripe.openDispute(work.intent);
  const { settlement_id: id } = await settlementOf(work);
  const waiting = async () =>
    (await reconcile(workerContext())).waiting.filter(({ settlementId }) => settlementId === id);
  const [found] = await waiting();
  assert.deepEqual(
    [found?.kind, found?.subjectId, found?.dueBy?.getTime()],
    ["chargeback", dispute.id, Number(dispute.evidence_details.due_by) * 1000],
  );
  const stored = (await openDifferences()).find(({ subjectId }) => subjectId === dispute.id);
  assert.deepEqual(stored?.dueBy, found?.dueBy);
  live.stripe.closeDispute(dispute.id, "lost");
  assert.deepEqual(
    (await waiting()).map(({ dueBy }) => dueBy),
    [null],
  );
  live.stripe.reverse(transfersOf(live, work)[0]?.id ?? "");
  assert.deepEqual(await waiting(), []);
});

test("reconciliation has a queue of its own, and a transfer does not wait for it", { timeout: 60_000 }, async () => {
  assert.match(crontab(JOBS), /reconcile-payments \?jobKey=reconcile-payments&max=3&priority=10&queue=reconciliation/);
  const work = await completedLive(live);
  const held = live.stripe.pause("GET /v1/events", "before");
  const add = "SELECT graphile_worker.add_job('reconcile-payments', queue_name => 'reconciliation', priority => 10)";
  await pool().query(
    `${add}, graphile_worker.add_job('reconcile-payments', queue_name => 'reconciliation', priority => 10)`,
  );
  const worker = await startWorker(JOBS);
  try {
    await held.reached;
    while ((await settlementOf(work)).transfer !== "sent") await delay(50);
  } finally {
    held.release();
    await worker.stop();
  }
});
