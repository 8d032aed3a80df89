import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import {
  balancesOf,
  catchUp,
  completedLive,
  fundedLive,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { perform } from "#testing/workflow.ts";
import { sweepPayments } from "../reconciliation/sweep.ts";
import { sendTransfer } from "./send.ts";

const live = liveService();

test("whatever happens to Stripe's answer, one transfer is made and recorded", async () => {
  for (const kind of ["500", "reset", "truncated", "409", "429"] as const)
    for (const when of ["before", "after"] as const) {
      const work = await completedLive(live);
      const { settlement_id: id } = await settlementOf(work);
      live.stripe.fail({ kind, when, call: "POST /v1/transfers", times: 2 });
      await assert.rejects(sendTransfer(workerContext(), id), `${kind} ${when}`);
      live.stripe.heal();
      if (kind === "500" && when === "before") await outwait(id);
      await sendTransfer(workerContext(), id);
      assert.equal((await settlementOf(work)).transfer, "sent", `${kind} ${when}`);
      assert.equal(transfersOf(live, work).length, 1, `${kind} ${when}`);
      assert.equal(await sendTransfer(workerContext(), id), "done");
    }
});

/** Stripe repeats its failure under the same key until the outcome is known; then a new key may follow. */
async function outwait(settlementId: string): Promise<void> {
  await assert.rejects(sendTransfer(workerContext(), settlementId));
  const { rows } = await pool().query(
    "UPDATE transfer_intents SET asked_at = asked_at - interval '5 minutes' WHERE settlement_id = $1 RETURNING attempt",
    [settlementId],
  );
  assert.deepEqual(rows, [{ attempt: 1 }]);
  await assert.rejects(sendTransfer(workerContext(), settlementId));
}

test("many workers with the same transfer send it once", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  await Promise.allSettled(Array.from({ length: 8 }, () => sendTransfer(workerContext(), id)));
  await sendTransfer(workerContext(), id);
  assert.equal(transfersOf(live, work).length, 1);
  assert.deepEqual(await balancesOf(work), { cash: 201, platform_fees: -201 });
});

test("work that a dead worker left behind is finished by the next one", async () => {
  const work = await completedLive(live);
  await pool().query("DELETE FROM graphile_worker._private_jobs");
  await sweepPayments(0);
  await workOff();
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("work cannot start if the payment was refunded or disputed", async () => {
  const work = await fundedLive(live);
  live.stripe.refund(work.intent, 1);
  await catchUp(live);
  assert.equal((await perform(work.provider, "start", work)).error?.code, "funding_required");
});

test("an attempt older than Stripe's idempotency keys is looked up, and repeated only if it had no effect", async () => {
  const works = [];
  for (const when of ["before", "after"] as const) {
    const work = await completedLive(live);
    works.push(work);
    const { settlement_id: id } = await settlementOf(work);
    await pool().query("SELECT graphile_worker.remove_job('transfer:' || $1)", [id]);
    live.stripe.fail({ kind: "truncated", when, call: "POST /v1/transfers", times: 20 });
    await assert.rejects(sendTransfer(workerContext(), id));
    live.stripe.heal();
    await pool().query(
      "UPDATE transfer_intents SET asked_at = asked_at - interval '25 hours' WHERE settlement_id = $1",
      [id],
    );
  }
  live.stripe.advance(25 * 3600);
  for (const work of works) {
    await sendTransfer(workerContext(), (await settlementOf(work)).settlement_id);
    assert.equal(transfersOf(live, work).length, 1);
    assert.equal((await settlementOf(work)).transfer, "sent");
  }
});
