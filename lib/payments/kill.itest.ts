import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { fundedLive, liveService, movedAtStripe, settlementOf } from "#testing/live.ts";
import { type ApiProcess, request, startApiProcess } from "#testing/processes/processes.ts";
import { did } from "#testing/workflow.ts";

// A real process that is killed during its work, with a job that it has taken up. Every other step: crash.itest.ts.

const started: ApiProcess[] = [];
const live = liveService({}, async () => async () => {
  await Promise.all(started.map((process) => process.kill()));
});

/** A process of the service with its background work, on the database and the stand-in of this test. */
async function start(): Promise<ApiProcess> {
  const process = await startApiProcess({}, { worker: true });
  started.push(process);
  return process;
}

for (const when of ["before", "after"] as const)
  test(`killed ${when} Stripe has sent a transfer, the service has sent it once and knows it`, async () => {
    const work = await fundedLive(live);
    await did(work.provider, "start", work);
    await did(work.provider, "submit", work);
    const killed = await start();
    const { reached, release } = live.stripe.pause("POST /v1/transfers", when);
    const completion = request(killed.url, "POST", "jobs/complete.php", {
      token: work.requester.token,
      fields: { public_id: work.requester.publicId, task_id: work.taskId },
      headers: { "Idempotency-Key": newId("req") },
    }).catch(() => undefined);
    await reached;
    await killed.kill();
    await completion;
    release();
    const next = await start();
    const { settlement_id: id } = await settlementOf(work);
    while ((await settlementOf(work)).transfer !== "sent") await delay(50);
    assert.equal(movedAtStripe(live, id).transfers.length, 1);
    const { rows } = await pool().query(
      "SELECT count(*)::int AS count FROM ledger_transactions WHERE settlement_id = $1 AND kind = 'transfer'",
      [id],
    );
    assert.deepEqual(rows, [{ count: 1 }]);
    await next.stop();
  });
