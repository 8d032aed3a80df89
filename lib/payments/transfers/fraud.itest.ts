import assert from "node:assert/strict";
import { test } from "node:test";
import { sendTransfer } from "#lib/admin/money/move.ts";
import { env } from "#lib/kernel/env.ts";
import { admin, reason } from "#testing/administrator.ts";
import {
  catchUp,
  completedLive,
  type LiveWork,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { findAlerts } from "../alerts/find.ts";
import { ProcessorError } from "../gateway/port.ts";
import { sendTransfer as send } from "./send.ts";

const live = liveService({ settleSeconds: 0 });

async function reasonsOf(work: LiveWork): Promise<string[]> {
  return ((await settlementOf(work)).transfer_holds ?? []).map(({ reason }) => reason);
}

test("an early fraud warning holds the transfer until an administrator has it sent", async () => {
  const work = await completedLive(live);
  live.stripe.warnOfFraud(work.intent);
  await catchUp(live);
  assert.deepEqual([await reasonsOf(work), transfersOf(live, work).length], [["fraud_warning"], 0]);
  const { settlement_id: settlementId } = await settlementOf(work);
  const { preview } = await sendTransfer(admin, { settlementId, reason, preview: true });
  assert.ok(
    preview?.some((line) => /^This no longer holds it: .* fraudulent\.$/.test(line)),
    preview?.join("\n"),
  );
  await sendTransfer(admin, { settlementId, reason });
  await workOff();
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("another warning after an administrator's decision holds the transfer again", async () => {
  const work = await completedLive(live);
  live.stripe.restrict(work.account);
  live.stripe.warnOfFraud(work.intent);
  await catchUp(live);
  await sendTransfer(admin, { settlementId: (await settlementOf(work)).settlement_id, reason });
  assert.ok(!(await reasonsOf(work)).includes("fraud_warning"));
  live.stripe.warnOfFraud(work.intent);
  await catchUp(live);
  assert.ok((await reasonsOf(work)).includes("fraud_warning"));
});

test("a review holds the transfer until it is closed at Stripe", async () => {
  const work = await completedLive(live);
  const review = live.stripe.openReview(work.intent);
  await catchUp(live);
  assert.deepEqual([await reasonsOf(work), transfersOf(live, work).length], [["review"], 0]);
  live.stripe.closeReview(review.id);
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("a warning whose event is late is found before the transfer is sent", async () => {
  const work = await completedLive(live);
  live.stripe.warnOfFraud(work.intent);
  await workOff();
  assert.deepEqual([await reasonsOf(work), transfersOf(live, work).length], [["fraud_warning"], 0]);
});

test("a key that may not read warnings keeps transfers from being sent, and payments are still recorded", async () => {
  live.stripe.rights.limit("Early fraud warnings", "none");
  const work = await completedLive(live);
  assert.equal((await settlementOf(work)).funding, "confirmed");
  const { settlement_id: id } = await settlementOf(work);
  await assert.rejects(send(workerContext(), id), (error) => {
    return error instanceof ProcessorError && error.kind === "misconfigured";
  });
  assert.equal(transfersOf(live, work).length, 0);
  live.stripe.rights.restore();
  assert.equal(await send(workerContext(), id), "sent");
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
