import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { sendTransfer as sendAnyway } from "#lib/admin/money/move.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { admin, reason } from "#testing/administrator.ts";
import { type Decision, held, hostHeld, leaked, suspended } from "#testing/decisions.ts";
import {
  balancesOf,
  catchUp,
  completedLive,
  work as doWork,
  holdsOf,
  type LiveWork,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
} from "#testing/live.ts";
import { did } from "#testing/workflow.ts";
import { findAlerts } from "../alerts/find.ts";
import { ProcessorError } from "../gateway/port.ts";
import { readOpenTransfers } from "../read.ts";
import { sendTransfer } from "./send.ts";

const live = liveService();

/** Why the transfer waits, as the administrator and each of these parties read it. */
async function reasonsOf(work: LiveWork, readers = [work.requester, work.provider]): Promise<string[]> {
  const open = await readOpenTransfers();
  const shownReasons: string[][] = [];
  for (const reader of readers) {
    const { settlement_id: id, transfer_holds: holds = [] } = await settlementOf(work, reader);
    for (const { detail, remedy } of holds) assert.ok(detail && remedy);
    const shown = open.find(({ settlementId }) => settlementId === id)?.holds ?? [];
    shownReasons.push(
      holds.map(({ reason }) => reason),
      shown.map(({ reason }) => reason),
    );
  }
  for (const reasons of shownReasons) assert.deepEqual(reasons, shownReasons[0]);
  return shownReasons[0] ?? [];
}

type Funded = LiveWork & { intent: string };

const disputed = (work: Funded): Decision => ({
  put: () => did(work.requester, "dispute", work),
  async lift() {
    const { rows } = await pool().query("SELECT id FROM disputes WHERE task_id = $1 AND state = 'open'", [work.taskId]);
    return resolveDispute(admin, { disputeId: rows[0].id, resolution: "provider", reason });
  },
});
const chargedBack = ({ intent }: Funded): Decision => ({
  put: async () => live.stripe.openDispute(intent),
  async lift() {
    const dispute = [...live.stripe.world.disputes.values()].find((one) => one.payment_intent === intent);
    live.stripe.closeDispute(dispute?.id ?? "", "won");
  },
});

/** What holds a transfer, by which reason, and the party that can read it, where the other's credential is dead meanwhile. */
const CASES: [what: string, hold: string, make: (work: Funded) => Decision, reader?: "requester" | "provider"][] = [
  ["a hold on the task", "task_held", ({ taskId }) => held(taskId)],
  ["a hold on the provider", "provider_held", ({ provider }) => held(provider.publicId)],
  ["a hold on the requester", "requester_held", ({ requester }) => held(requester.publicId)],
  ["the provider's token reported as leaked", "provider_held", ({ provider }) => leaked(provider), "requester"],
  ["the requester's token reported as leaked", "requester_held", ({ requester }) => leaked(requester), "provider"],
  ["a hold on the provider's host", "provider_held", ({ provider }) => hostHeld(provider)],
  ["a hold on the requester's host", "requester_held", ({ requester }) => hostHeld(requester)],
  ["the provider's suspension", "provider_suspended", ({ provider }) => suspended(provider), "requester"],
  ["the requester's suspension", "requester_suspended", ({ requester }) => suspended(requester), "provider"],
  ["a dispute", "dispute", disputed],
  ["a chargeback", "chargeback", chargedBack],
];

for (const [what, name, make, reader] of CASES)
  test(`a transfer is held by ${what}, which ${reader ? `the ${reader}` : "both parties"} can read, and sent once when that is lifted`, async () => {
    const work = await completedLive(live, 1_999);
    const { put, lift } = make(work);
    await put();
    await catchUp(live);
    assert.deepEqual(await reasonsOf(work, reader && [work[reader]]), [name]);
    assert.equal((await settlementOf(work, work[reader ?? "requester"])).transfer, "queued");
    assert.deepEqual(transfersOf(live, work), []);
    await lift();
    await catchUp(live);
    assert.deepEqual(
      transfersOf(live, work).map(({ amount }) => amount),
      [1_799],
    );
    assert.equal((await settlementOf(work)).transfer, "sent");
    assert.deepEqual(await reasonsOf(work), []);
    assert.deepEqual(await balancesOf(work), { cash: 200, platform_fees: -200 });
  });

test("a transfer that Stripe refuses stays queued with the reason, and is sent when it is retried", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  const charge = [...live.stripe.world.charges.values()].find(({ payment_intent }) => payment_intent === work.intent);
  Object.assign(charge ?? {}, { amount: 1 });
  await assert.rejects(sendTransfer(workerContext(), id));
  assert.deepEqual(await reasonsOf(work), ["refused"]);
  Object.assign(charge ?? {}, { amount: 2_001 });
  await sendTransfer(workerContext(), id);
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("a refund before the transfer holds it; after it, the platform bears the refund until a reversal", async () => {
  const waiting = await completedLive(live);
  live.stripe.refund(waiting.intent, 500);
  await catchUp(live);
  assert.deepEqual(await reasonsOf(waiting), ["refund"]);
  assert.deepEqual(await balancesOf(waiting), {
    cash: 1_501,
    provider_payable: -1_350,
    platform_fees: -151,
  });

  const work = await completedLive(live);
  await catchUp(live);
  live.stripe.refund(work.intent);
  const [sent] = transfersOf(live, work);
  live.stripe.reverse(sent?.id ?? "", 800);
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "sent");
  assert.deepEqual(await balancesOf(work), {
    cash: -1_000,
    refunds: 1_000,
  });
  live.stripe.reverse(sent?.id ?? "");
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "reversed");
  assert.deepEqual(await balancesOf(work), {});
});

/** The events of a settlement's transfers, with the reasons of holds. */
async function eventsOf(work: LiveWork): Promise<unknown[]> {
  const { settlement_id: id } = await settlementOf(work);
  const { rows } = await pool().query(
    `SELECT type, event_data -> 'reasons' AS reasons, recipients FROM audit_events
     WHERE subject_id = $1 AND type LIKE 'transfer.%' ORDER BY seq`,
    [id],
  );
  for (const { recipients } of rows)
    assert.deepEqual(recipients.sort(), [work.requester.publicId, work.provider.publicId].sort());
  return rows.map(({ type, reasons }) => (reasons ? [type, ...reasons] : type));
}

test("both parties hear of a transfer, and of each hold once", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  await hold(admin, { subjectId: work.taskId, reason });
  for (let look = 0; look < 3; look += 1) assert.equal(await sendTransfer(workerContext(), id), "held");
  await suspendIdentity(admin, { publicId: work.requester.publicId, reason });
  assert.equal(await sendTransfer(workerContext(), id), "held");
  await restoreIdentity(admin, { publicId: work.requester.publicId, reason });
  await unhold(admin, { subjectId: work.taskId, reason });
  await catchUp(live);
  live.stripe.reverse(transfersOf(live, work)[0]?.id ?? "");
  await catchUp(live);
  assert.deepEqual(await eventsOf(work), [
    "transfer.queued",
    ["transfer.held", "task_held"],
    ["transfer.held", "task_held", "requester_suspended"],
    "transfer.sent",
    "transfer.reversed",
  ]);
});

test("an early fraud warning holds the transfer until an administrator has it sent", async () => {
  const work = await completedLive(live);
  live.stripe.warnOfFraud(work.intent);
  await catchUp(live);
  assert.deepEqual([await holdsOf(work), transfersOf(live, work).length], [["fraud_warning"], 0]);
  const { settlement_id: settlementId } = await settlementOf(work);
  const { preview } = await sendAnyway(admin, { settlementId, reason, preview: true });
  assert.ok(
    preview?.some((line) => /^This no longer holds it: .* fraudulent\.$/.test(line)),
    preview?.join("\n"),
  );
  await sendAnyway(admin, { settlementId, reason });
  await doWork();
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("another warning after an administrator's decision holds the transfer again", async () => {
  const work = await completedLive(live);
  live.stripe.restrict(work.account);
  live.stripe.warnOfFraud(work.intent);
  await catchUp(live);
  await sendAnyway(admin, { settlementId: (await settlementOf(work)).settlement_id, reason });
  assert.ok(!(await holdsOf(work)).includes("fraud_warning"));
  live.stripe.warnOfFraud(work.intent);
  await catchUp(live);
  assert.ok((await holdsOf(work)).includes("fraud_warning"));
});

test("a review holds the transfer until it is closed at Stripe", async () => {
  const work = await completedLive(live);
  const review = live.stripe.openReview(work.intent);
  await catchUp(live);
  assert.deepEqual([await holdsOf(work), transfersOf(live, work).length], [["review"], 0]);
  live.stripe.closeReview(review.id);
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("a warning whose event is late is found before the transfer is sent", async () => {
  const work = await completedLive(live);
  live.stripe.warnOfFraud(work.intent);
  await doWork();
  assert.deepEqual([await holdsOf(work), transfersOf(live, work).length], [["fraud_warning"], 0]);
});

test("a key that may not read warnings keeps transfers from being sent, and payments are still recorded", async () => {
  live.stripe.rights.limit("Early fraud warnings", "none");
  const work = await completedLive(live);
  assert.equal((await settlementOf(work)).funding, "confirmed");
  const { settlement_id: id } = await settlementOf(work);
  await assert.rejects(sendTransfer(workerContext(), id), (error) => {
    return error instanceof ProcessorError && error.kind === "misconfigured";
  });
  assert.equal(transfersOf(live, work).length, 0);
  live.stripe.rights.restore();
  assert.equal(await sendTransfer(workerContext(), id), "sent");
});

test("each warning is reported to the operator once", async () => {
  Object.assign(env(), { alertWebhookUrl: "http://127.0.0.1:1/" });
  await findAlerts(workerContext());
  const work = await completedLive(live);
  live.stripe.warnOfFraud(work.intent);
  live.stripe.openReview(work.intent);
  await catchUp(live);
  assert.deepEqual([await findAlerts(workerContext()), await findAlerts(workerContext())], [2, 0]);
});
