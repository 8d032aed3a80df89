import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import { sendTransfer } from "#lib/payments/transfers/send.ts";
import { admin, reason } from "#testing/administrator.ts";
import {
  balancesOf,
  catchUp,
  completedLive,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
} from "#testing/live.ts";
import { did, perform } from "#testing/workflow.ts";

const live = liveService();

test("a requester who wins a dispute about a completed task is owed the money, and nothing is transferred", async () => {
  const work = await completedLive(live);
  const { dispute } = await did(work.requester, "dispute", work);
  await resolveDispute(admin, { disputeId: dispute?.dispute_id ?? "", resolution: "requester", reason });
  await catchUp(live);
  const settlement = await settlementOf(work);
  assert.deepEqual([settlement.state, settlement.transfer, settlement.funding], ["void", "none", "confirmed"]);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, refund_due: -2_001 });
  assert.deepEqual(transfersOf(live, work), []);
  const sent = await completedLive(live);
  await catchUp(live);
  assert.equal((await perform(sent.requester, "dispute", sent)).error?.code, "state_conflict");
});

test("a transfer attempt that had no effect does not keep its settlement from being voided", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  live.stripe.fail({ kind: "reset", when: "before", call: "POST /v1/transfers", times: 2 });
  await assert.rejects(sendTransfer(workerContext(), id));
  live.stripe.heal();
  const { dispute } = await did(work.requester, "dispute", work);
  const resolve = () =>
    resolveDispute(admin, { disputeId: dispute?.dispute_id ?? "", resolution: "requester", reason });
  assert.equal(await sendTransfer(workerContext(), id), "held");
  await assert.rejects(resolve(), { code: "state_conflict" });
  const later = { now: () => secondsAfter(new Date(), 301) };
  assert.equal(await sendTransfer(workerContext(later), id), "held");
  await resolve();
  assert.equal((await settlementOf(work)).state, "void");
  assert.equal(await sendTransfer(workerContext(), id), "done");
  assert.deepEqual(transfersOf(live, work), []);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, refund_due: -2_001 });
});
