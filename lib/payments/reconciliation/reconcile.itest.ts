import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { registerAgent } from "#testing/factories.ts";
import {
  agreedLive,
  completedLive,
  fund,
  fundedLive,
  liveService,
  onboarded,
  sessionOf,
  sessionsOf,
  settlementOf,
  transfersOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { runProgram } from "#testing/run-program.ts";
import { did } from "#testing/workflow.ts";
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
  const { payment } = (await fund(work)).body;
  const session = await sessionOf(payment.payment_id);
  live.stripe.pay(session);
  assert.deepEqual((await reconcile(workerContext())).differences, []);
  assert.equal((await settlementOf(work)).funding, "confirmed");
  await did(work.provider, "start", work);
  await did(work.provider, "submit", work);
  await did(work.requester, "complete", work);
  await workOff();
  const payout = live.stripe.payout(work.account);
  await reconcile(workerContext());
  assert.equal((await settlementOf(work)).payout, "pending");
  live.stripe.payoutPaid(payout);
  await reconcile(workerContext());
  assert.equal((await settlementOf(work)).payout, "paid");
  live.stripe.failPayout(payout);
  await reconcile(workerContext());
  assert.equal((await settlementOf(work)).payout, "failed");
  const again = live.stripe.payout(work.account);
  live.stripe.payoutPaid(again);
  await reconcile(workerContext());
  assert.equal((await settlementOf(work)).payout, "paid");
  live.stripe.refund(String(live.stripe.world.sessions.get(session)?.payment_intent));
  const { differences } = await reconcile(workerContext());
  assert.deepEqual(differences, []);
  const { rows } = await pool().query("SELECT refunded_pence FROM payments WHERE id = $1", [payment.payment_id]);
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
  assert.deepEqual((await reconcile(workerContext())).differences, []);
  const client = live.stripe.client();
  const charge = String(live.stripe.world.intents.get(work.intent)?.latest_charge);
  const foreign = await client.transfers.create({
    amount: 100,
    currency: "gbp",
    destination: await onboarded(live, work.provider),
    source_transaction: charge,
    transfer_group: id,
  });
  const { differences } = await reconcile(workerContext());
  assert.deepEqual(differences.map(({ kind }) => kind).sort(), ["cash", "unknown_transfer"]);
  assert.deepEqual((await kinds()).sort(), ["cash", "unknown_transfer"]);
  await reconcile(workerContext());
  assert.equal((await kinds()).length, 2);
  live.stripe.reverse(foreign.id);
  assert.deepEqual((await reconcile(workerContext())).differences, []);
  assert.deepEqual(await kinds(), []);
  const [last] = await readReconciliations(1);
  assert.ok(last?.finishedAt && last.checked > 0 && last.differences === 0);
});

test("a refusal by Stripe about one settlement or account is reported, and the others are still read", async () => {
  const [shut, open] = [await agreedLive(live), await agreedLive(live)];
  for (const work of [shut, open]) live.stripe.pay(await sessionOf((await fund(work)).body.payment.payment_id));
  const session = sessionsOf(live, shut)[0]?.id;
  live.stripe.fail({ kind: "403", when: "before", call: `GET /v1/checkout/sessions/${session}`, times: 9 });
  live.stripe.fail({ kind: "403", when: "before", call: `GET /v2/core/accounts/${shut.account}`, times: 9 });
  const { differences } = await reconcile(workerContext());
  const { settlement_id: id } = await settlementOf(shut);
  const unread = [`unreadable ${id}`, `unreadable ${shut.provider.publicId}`];
  assert.deepEqual(differences.map(({ kind, subjectId }) => `${kind} ${subjectId}`).sort(), unread.sort());
  assert.deepEqual((await kinds()).sort(), ["unreadable", "unreadable"]);
  assert.equal((await settlementOf(open)).funding, "confirmed");
  assert.equal((await settlementOf(shut)).funding, "pending");
  live.stripe.heal();
  assert.deepEqual((await reconcile(workerContext())).differences, []);
  assert.deepEqual(await kinds(), []);
  assert.equal((await settlementOf(shut)).funding, "confirmed");
});

test("repeated refusals do not keep the others from being read, however few are read in one run", async () => {
  const works = [await agreedLive(live), await agreedLive(live)];
  for (const work of works) live.stripe.pay(await sessionOf((await fund(work)).body.payment.payment_id));
  for (const what of ["v1/checkout/sessions", "v2/core/accounts"])
    live.stripe.fail({ kind: "403", when: "before", call: `GET /${what}/*`, times: 99 });
  const refused = new Set<string>();
  for (const _ of works)
    for (const { subjectId } of (await reconcile(workerContext(), 1)).differences) refused.add(subjectId);
  live.stripe.heal();
  const settlements = await Promise.all(works.map((work) => settlementOf(work)));
  const all = [...works.map(({ provider }) => provider.publicId), ...settlements.map((each) => each.settlement_id)];
  assert.deepEqual([...refused].sort(), all.sort());
  assert.deepEqual((await reconcile(workerContext())).differences, []);
});

test("an account that has left the platform holds its transfers, and is not a difference", async () => {
  const paid = await completedLive(live);
  await workOff();
  assert.equal((await settlementOf(paid)).transfer, "sent");
  const late = await completedLive(live);
  for (const { account } of [paid, late]) live.stripe.world.accounts.delete(account);
  assert.deepEqual((await reconcile(workerContext())).differences, []);
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
  const charge = live.stripe.world.charges.get(String(live.stripe.world.intents.get(work.intent)?.latest_charge));
  Object.assign(charge ?? {}, { amount_captured: 1_000 });
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
