import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { hold } from "#lib/admin/hold.ts";
import { reverseTransfer, sendTransfer as sendAgain } from "#lib/admin/money/move.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call } from "#testing/client.ts";
import {
  agreedLive,
  assertAgreed,
  balancesOf,
  catchUp,
  completedLive,
  work as doWork,
  fundedLive,
  type LiveWork,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
} from "#testing/live.ts";
import { perform } from "#testing/workflow.ts";
import { sendTransfer } from "./send.ts";

const live = liveService();

test("many workers with the same transfer send it once", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  await Promise.allSettled(Array.from({ length: 8 }, () => sendTransfer(workerContext(), id)));
  await sendTransfer(workerContext(), id);
  assert.equal(transfersOf(live, work).length, 1);
  assert.deepEqual(await balancesOf(work), { cash: 201, platform_fees: -201 });
});

test("work cannot start if the payment was refunded or disputed", async () => {
  const work = await fundedLive(live);
  live.stripe.refund(work.intent, 1);
  await catchUp(live);
  assert.equal((await perform(work.provider, "start", work)).error?.code, "funding_required");
});

/** A deal whose transfer was reversed, and is then sent again. @returns what each transfer drew on */
async function sentAgain(settled: boolean): Promise<{ work: LiveWork; sources: unknown[] }> {
  const { options } = live.stripe.world;
  options.settleSeconds = settled ? 0 : 3 * 86_400;
  const work = await completedLive(live);
  await catchUp(live);
  const { settlement_id: settlementId } = await settlementOf(work);
  await reverseTransfer(admin, { settlementId, reason });
  await sendAgain(admin, { settlementId, reason });
  await doWork();
  return { work, sources: transfersOf(live, work).map(({ source_transaction: source }) => source) };
}

for (const frees of [true, false])
  test(`a transfer that is sent again after a reversal succeeds where a reversal ${frees ? "frees" : "does not free"} the charge`, async () => {
    live.stripe.world.reversalFreesCharge = frees;
    const { work, sources } = await sentAgain(true);
    assert.equal((await settlementOf(work)).transfer, "sent");
    assert.deepEqual(
      sources.map((source) => typeof source),
      ["string", "object"],
      "once the charge has settled, the balance pays",
    );
    await assertAgreed();
  });

test("while the charge has not settled, it pays for the second transfer too", async () => {
  live.stripe.world.reversalFreesCharge = true;
  const { work, sources } = await sentAgain(false);
  assert.equal((await settlementOf(work)).transfer, "sent");
  assert.equal(typeof sources[1], "string");
  assert.equal(sources[0], sources[1]);
});

/** A transfer that is being sent: Stripe has the call and does not answer before `release`. */
async function sending(work: LiveWork) {
  const { settlement_id: id } = await settlementOf(work);
  const { reached, release } = live.stripe.pause("POST /v1/transfers", "before");
  const sent = sendTransfer(workerContext(), id);
  await reached;
  return { release, sent };
}

/** Checks that an act waits for a transfer that is being sent, and that it finds it sent. */
async function assertWaits(work: LiveWork, act: () => Promise<unknown>): Promise<void> {
  const { release, sent } = await sending(work);
  let answered = false;
  const acting = act().then(() => {
    answered = true;
    return transfersOf(live, work);
  });
  // Much happens meanwhile: an act that did not wait would be through.
  await agreedLive(live);
  assert.equal(answered, false);
  release();
  assert.deepEqual([(await acting).length, await sent], [1, "sent"]);
}

test("a hold on a host waits for transfers that are being sent", async () => {
  const work = await completedLive(live);
  const { rows } = await pool().query("SELECT host FROM identities WHERE id = $1", [work.provider.publicId]);
  await assertWaits(work, () => hold(admin, { subjectId: `host:${rows[0].host}`, reason }));
});

for (const party of ["provider", "requester"] as const)
  test(`the suspension of the ${party} is not answered while a transfer is under way, and lets none follow`, async () => {
    const work = await completedLive(live);
    await assertWaits(work, () => suspendIdentity(admin, { publicId: work[party].publicId, reason }));

    const next = await completedLive(live);
    const queued = await settlementOf(next);
    await suspendIdentity(admin, { publicId: next[party].publicId, reason });
    const attempts = Array.from({ length: 4 }, () => sendTransfer(workerContext(), queued.settlement_id));
    assert.deepEqual(await Promise.all(attempts), Array(4).fill("held"));
    await doWork();
    assert.deepEqual(transfersOf(live, next), []);
    const other = next[party === "provider" ? "requester" : "provider"];
    const { transfer, transfer_holds: holds } = await settlementOf(next, other);
    assert.deepEqual([transfer, holds?.map((hold) => hold.reason)], ["queued", [`${party}_suspended`]]);
  });

test("a leaked token stops working even while a transfer is being sent, and the report does not wait long", async () => {
  const work = await completedLive(live);
  const { release, sent } = await sending(work);
  const { publicId, token } = work.provider;
  const report = call("POST", "/api/v1/agents/report_leak.php", { body: { secret: token } });
  const read = () => call("GET", "/api/v1/agents/me.php", { token, query: { public_id: publicId } });
  while ((await read()).status === 200) await delay(20);
  assert.equal((await read()).error?.code, "gate_refused");
  // The processor has not answered yet.
  assert.deepEqual([(await report).status, (await report).body], [200, { ok: true, accepted: true }]);
  release();
  assert.equal(await sent, "sent");
});

// Last, because it moves Stripe's clock.
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
