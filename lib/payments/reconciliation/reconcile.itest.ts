import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { registerAgent } from "#testing/factories.ts";
import {
  agreedLive,
  assertAgreed,
  chargeOf,
  completedLive,
  differences,
  differing,
  finish,
  fundedLive,
  liveService,
  onboarded,
  paid,
  sessionsOf,
  settlementOf,
  transfersOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { runProgram } from "#testing/run-program.ts";
import { readReconciliations } from "../read.ts";
import { openDifferences } from "./differences.ts";
import { reconcile } from "./reconcile.ts";

const live = liveService({ settleSeconds: 0 });

const kinds = async () => (await openDifferences()).map(({ kind }) => kind);

test("Stripe is not called where nothing was started in LIVE", async () => {
  await registerAgent();
  assert.deepEqual(await reconcile(workerContext()), { checked: 0, differences: [], waiting: [] });
  assert.equal(live.stripe.connections, 0);
});

test("reconciliation records everything even if all events were lost", async () => {
  const work = await agreedLive(live);
  const intent = await paid(live, work);
  await assertAgreed();
  assert.equal((await settlementOf(work)).funding, "confirmed");
  await finish(work);
  await workOff();
  const payoutAfter = async (happens: () => void) => {
    happens();
    await assertAgreed();
    return (await settlementOf(work)).payout;
  };
  let payout = "";
  const paysOut = () => {
    payout = live.stripe.payout(work.account);
  };
  assert.equal(await payoutAfter(paysOut), "pending");
  assert.equal(await payoutAfter(() => live.stripe.payoutPaid(payout)), "paid");
  assert.equal(await payoutAfter(() => live.stripe.failPayout(payout)), "failed");
  assert.equal(await payoutAfter(paysOut), "pending");
  assert.equal(await payoutAfter(() => live.stripe.payoutPaid(payout)), "paid");
  live.stripe.refund(intent);
  await assertAgreed();
  const { rows } = await pool().query("SELECT refunded_pence FROM payments WHERE id = $1", [work.paymentId]);
  assert.equal(rows[0].refunded_pence, 2_001);
});

test("an account that became ready without an event is found, and its transfer is sent", async () => {
  const work = await completedLive(live);
  live.stripe.restrict(work.account);
  await workOff();
  assert.equal((await settlementOf(work)).transfer, "queued");
  live.stripe.activate(work.account);
  await reconcile(workerContext());
  await workOff();
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("unknown transfers and missing money are reported until they are corrected", async () => {
  const work = await fundedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  await assertAgreed();
  const client = live.stripe.client();
  const { id: charge } = chargeOf(live, work.intent);
  const foreign = await client.transfers.create({
    amount: 100,
    currency: "gbp",
    destination: await onboarded(live, work.provider),
    source_transaction: charge,
    transfer_group: id,
  });
  assert.deepEqual(await differing(), ["cash", "unknown_transfer"]);
  assert.deepEqual((await kinds()).sort(), ["cash", "unknown_transfer"]);
  await reconcile(workerContext());
  assert.equal((await kinds()).length, 2);
  live.stripe.reverse(foreign.id);
  await assertAgreed();
  assert.deepEqual(await kinds(), []);
  const [last] = await readReconciliations(1);
  assert.ok(last?.finishedAt && last.checked > 0 && last.differences === 0);
});

test("a refusal by Stripe about one settlement or account is reported, and the others are still read", async () => {
  const [shut, open] = [await agreedLive(live), await agreedLive(live)];
  for (const work of [shut, open]) await paid(live, work);
  const session = sessionsOf(live, shut)[0]?.id;
  live.stripe.fail({ kind: "403", when: "before", call: `GET /v1/checkout/sessions/${session}`, times: 9 });
  live.stripe.fail({ kind: "403", when: "before", call: `GET /v2/core/accounts/${shut.account}`, times: 9 });
  const found = await differences();
  const { settlement_id: id } = await settlementOf(shut);
  const unread = [`unreadable ${id}`, `unreadable ${shut.provider.publicId}`];
  assert.deepEqual(found.map(({ kind, subjectId }) => `${kind} ${subjectId}`).sort(), unread.sort());
  assert.deepEqual((await kinds()).sort(), ["unreadable", "unreadable"]);
  assert.equal((await settlementOf(open)).funding, "confirmed");
  assert.equal((await settlementOf(shut)).funding, "pending");
  live.stripe.heal();
  await assertAgreed();
  assert.deepEqual(await kinds(), []);
  assert.equal((await settlementOf(shut)).funding, "confirmed");
});

test("repeated refusals do not keep the others from being read, however few are read in one run", async () => {
  const works = [await agreedLive(live), await agreedLive(live)];
  for (const work of works) await paid(live, work);
  for (const what of ["v1/checkout/sessions", "v2/core/accounts"])
    live.stripe.fail({ kind: "403", when: "before", call: `GET /${what}/*`, times: 99 });
  const refused = new Set<string>();
  for (const _ of works)
    for (const { subjectId } of (await reconcile(workerContext(), 1)).differences) refused.add(subjectId);
  live.stripe.heal();
  const settlements = await Promise.all(works.map((work) => settlementOf(work)));
  const all = [...works.map(({ provider }) => provider.publicId), ...settlements.map((each) => each.settlement_id)];
  assert.deepEqual([...refused].sort(), all.sort());
  await assertAgreed();
});

test("an account that has left the platform holds its transfers, and is not a difference", async () => {
  const paid = await completedLive(live);
  await workOff();
  assert.equal((await settlementOf(paid)).transfer, "sent");
  const late = await completedLive(live);
  for (const { account } of [paid, late]) live.stripe.world.accounts.delete(account);
  await assertAgreed();
  await workOff();
  const { transfer, transfer_holds: holds } = await settlementOf(late);
  assert.equal(transfer, "queued");
  assert.ok(holds?.some(({ reason, detail }) => reason === "transfers_active" && /no payment account/.test(detail)));
  const again = await onboarded(live, late.provider);
  assert.notEqual(again, late.account);
  live.stripe.activate(again);
  await reconcile(workerContext());
  await workOff();
  assert.deepEqual(
    transfersOf(live, late).map(({ destination }) => destination),
    [again],
  );
});

test("the command prints the result as JSON, and its exit code reports differences", { timeout: 60_000 }, async () => {
  const { code, output } = await command();
  assert.deepEqual([code, output.ok, output.differences], [0, true, []]);
  const work = await fundedLive(live);
  chargeOf(live, work.intent).amount_captured = 1_000;
  const { settlement_id: id } = await settlementOf(work);
  const found = await command();
  assert.deepEqual([found.code, found.output.ok], [1, false]);
  assert.deepEqual(
    found.output.differences.map(({ kind, subject_id }) => [kind, subject_id]),
    [["cash", id]],
  );
});

type Output = { ok: boolean; differences: { kind: string; subject_id: string }[] };

async function command(): Promise<{ code: number | null; output: Output }> {
  const env = { ...process.env, LOG_LEVEL: "silent" };
  const { code, out } = await runProgram(process.execPath, ["reconcile.ts"], { env });
  return { code, output: JSON.parse(out) as Output };
}
