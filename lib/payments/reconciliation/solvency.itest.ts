import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import {
  assertAgreed,
  catchUp,
  completedLive,
  differences,
  fundedLive,
  holdsOf,
  type LiveWork,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { readLatestSolvency } from "../read.ts";
import { sendTransfer } from "../transfers/send.ts";
import { openDifferences } from "./differences.ts";
import { sweepPayments } from "./sweep.ts";

const live = liveService({ settleSeconds: 0, platformPence: 0 });

const sent = () => live.stripe.calls.filter(({ method, path }) => method === "POST" && path === "/v1/transfers").length;
/** Stripe's fee for a piece of work, as it is booked. */
const feeOf = async ({ contractId }: LiveWork) =>
  (await pool().query("SELECT stripe_fee_pence AS fee FROM payments WHERE contract_id = $1", [contractId])).rows[0].fee;

test("after a settled charge was paid out to the platform's bank, its transfer is held and sent when the balance suffices", async () => {
  const work = await completedLive(live);
  assert.equal(live.stripe.payPlatformOut(), 1_951);
  const before = sent();
  await workOff();
  const { settlement_id: id, transfer } = await settlementOf(work);
  assert.equal(transfer, "queued");
  assert.deepEqual(await holdsOf(work), ["platform_balance"]);
  for (const _ of ["again", "and again"]) assert.equal(await sendTransfer(workerContext(), id), "held");
  assert.equal(sent(), before + 1, "Stripe is not asked in vain");
  live.stripe.topUp(1_800);
  await pool().query("UPDATE transfer_intents SET checked_at = now() - interval '11 minutes'");
  await pool().query("SELECT graphile_worker.remove_job('transfer:' || $1)", [id]);
  await sweepPayments(0);
  await workOff();
  assert.equal((await settlementOf(work)).transfer, "sent");
  assert.equal(transfersOf(live, work).length, 1);
  const { rows } = await pool().query("SELECT attempt, problem FROM transfer_intents WHERE settlement_id = $1", [id]);
  assert.deepEqual(rows, [{ attempt: 2, problem: null }]);
});

test("before its charge has settled, a transfer needs no balance", async () => {
  const { options } = live.stripe.world;
  options.settleSeconds = 3 * 86_400;
  const work = await completedLive(live);
  options.settleSeconds = 0;
  live.stripe.payPlatformOut();
  await workOff();
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("a balance that does not cover what is owed is reported until it does", async () => {
  await assertAgreed();
  await fundedLive(live, 10_000);
  assert.deepEqual(await differences(), [], "Stripe's own fee is no finding");
  const gone = live.stripe.payPlatformOut();
  const [shortfall, ...others] = await differences();
  assert.deepEqual([shortfall?.kind, shortfall?.subjectId, others.length], ["shortfall", "platform", 0]);
  assert.match(String(shortfall?.stripe), /^£0\.00 available and £1\.51 pending$/);
  assert.match(String(shortfall?.books), /^£100\.00 owed$/);
  assert.deepEqual(
    (await openDifferences()).map(({ kind }) => kind),
    ["shortfall"],
  );
  const { rows } = await pool().query(
    "SELECT available_pence, pending_pence, owed_pence FROM reconciliations ORDER BY id DESC LIMIT 1",
  );
  assert.deepEqual(rows, [{ available_pence: "0", pending_pence: "151", owed_pence: "10000" }]);
  assert.equal((await readLatestSolvency())?.shortfallPence, 9_849);
  live.stripe.topUp(gone);
  await assertAgreed();
  assert.deepEqual(await openDifferences(), []);
});

test("a charge that is not in Stripe's balance yet is left out, and reported after an hour", async () => {
  const { world } = live.stripe;
  const owed = async () => {
    const { rows } = await pool().query("SELECT owed_pence FROM reconciliations ORDER BY id DESC LIMIT 1");
    return rows[0].owed_pence;
  };
  const before = await owed();
  world.balanceDelaySeconds = 7_200;
  const work = await fundedLive(live, 20_000);
  await assertAgreed();
  assert.equal(await owed(), before);
  await pool().query("UPDATE payments SET settled_at = settled_at - interval '61 minutes' WHERE contract_id = $1", [
    work.contractId,
  ]);
  assert.deepEqual(
    (await differences()).map(({ kind, subjectId }) => [kind, subjectId]),
    [["charge_pending", work.paymentId]],
  );
  world.balanceDelaySeconds = 0;
  live.stripe.advance(7_200);
  await assertAgreed();
  assert.deepEqual(await openDifferences(), []);
  assert.equal(await feeOf(work), 320);
});

test("the event that a charge has reached the balance books Stripe's fee", async () => {
  const { world } = live.stripe;
  world.balanceDelaySeconds = 600;
  const work = await fundedLive(live, 10_000);
  world.balanceDelaySeconds = 0;
  live.stripe.advance(600);
  await catchUp(live);
  assert.equal(await feeOf(work), 170);
});

test("a key that may not read the balance is reported, and everything else is compared", async () => {
  live.stripe.fail({ kind: "403", when: "before", call: "GET /v1/balance", times: 9 });
  assert.deepEqual(
    (await differences()).map(({ kind, subjectId }) => [kind, subjectId]),
    [["unreadable", "platform"]],
  );
  live.stripe.heal();
  await assertAgreed();
});

test("payouts that would take what is owed are reported until they are manual or leave a minimum", async () => {
  const { platform } = live.stripe.world;
  platform.schedule = "daily";
  const [problem, ...others] = await differences();
  assert.deepEqual([problem?.kind, others.length], ["payout_schedule", 0]);
  platform.minimumPence = 100_000;
  await assertAgreed();
  Object.assign(platform, { schedule: "manual", minimumPence: null });
  assert.deepEqual(await openDifferences(), []);
});
