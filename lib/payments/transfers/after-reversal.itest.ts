import assert from "node:assert/strict";
import { test } from "node:test";
import { reverseTransfer, sendTransfer } from "#lib/admin/money/move.ts";
import { admin, reason } from "#testing/administrator.ts";
import {
  assertAgreed,
  catchUp,
  completedLive,
  type LiveWork,
  liveService,
  settlementOf,
  transfersOf,
  work as workOff,
} from "#testing/live.ts";

const live = liveService({ settleSeconds: 3 * 86_400 });

/** A deal whose transfer was reversed, and is then sent again. @returns what each transfer drew on */
async function sentAgain(settled: boolean): Promise<{ work: LiveWork; sources: unknown[] }> {
  const { options } = live.stripe.world;
  options.settleSeconds = settled ? 0 : 3 * 86_400;
  const work = await completedLive(live);
  await catchUp(live);
  const { settlement_id: settlementId } = await settlementOf(work);
  await reverseTransfer(admin, { settlementId, reason });
  await sendTransfer(admin, { settlementId, reason });
  await workOff();
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
