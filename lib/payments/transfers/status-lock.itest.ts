import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { hold } from "#lib/admin/hold.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call } from "#testing/client.ts";
import {
  agreedLive,
  completedLive,
  liveService,
  settlementOf,
  transfersOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { sendTransfer } from "./send.ts";

const live = liveService();

test("a hold on a host waits for transfers that are being sent, and lets none follow", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  const { rows } = await pool().query("SELECT host FROM identities WHERE id = $1", [work.provider.publicId]);
  const { reached, release } = live.stripe.pause("POST /v1/transfers", "before");
  const sending = sendTransfer(workerContext(), id);
  await reached;
  let answered = false;
  const holding = hold(admin, { subjectId: `host:${rows[0].host}`, reason }).then(() => {
    answered = true;
    return transfersOf(live, work);
  });
  // Much happens meanwhile: a hold that did not wait would be through.
  await agreedLive(live);
  assert.equal(answered, false);
  release();
  assert.deepEqual([(await holding).length, await sending], [1, "sent"]);
});

for (const party of ["provider", "requester"] as const)
  test(`the suspension of the ${party} is not answered while a transfer is under way, and lets none follow`, async () => {
    const work = await completedLive(live);
    const { settlement_id: id } = await settlementOf(work);
    const { reached, release } = live.stripe.pause("POST /v1/transfers", "before");
    const sending = sendTransfer(workerContext(), id);
    await reached;
    let answered = false;
    const suspending = suspendIdentity(admin, { publicId: work[party].publicId, reason }).then(() => {
      answered = true;
      return transfersOf(live, work);
    });
    // Much happens meanwhile: a suspension that did not wait would be through.
    await agreedLive(live);
    assert.equal(answered, false);
    release();
    assert.deepEqual([(await suspending).length, await sending], [1, "sent"]);

    const next = await completedLive(live);
    const queued = await settlementOf(next);
    await suspendIdentity(admin, { publicId: next[party].publicId, reason });
    const attempts = Array.from({ length: 4 }, () => sendTransfer(workerContext(), queued.settlement_id));
    assert.deepEqual(await Promise.all(attempts), Array(4).fill("held"));
    await workOff();
    assert.deepEqual(transfersOf(live, next), []);
    const other = next[party === "provider" ? "requester" : "provider"];
    const { transfer, transfer_holds: holds } = await settlementOf(next, other);
    assert.deepEqual([transfer, holds?.map((hold) => hold.reason)], ["queued", [`${party}_suspended`]]);
  });

test("a leaked token stops working even while a transfer is being sent, and the report does not wait long", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  const { reached, release } = live.stripe.pause("POST /v1/transfers", "before");
  const sending = sendTransfer(workerContext(), id);
  await reached;
  const { publicId, token } = work.provider;
  const report = call("POST", "/api/v1/agents/report_leak.php", { body: { secret: token } });
  const read = () => call("GET", "/api/v1/agents/me.php", { token, query: { public_id: publicId } });
  while ((await read()).status === 200) await delay(20);
  assert.equal((await read()).error?.code, "gate_refused");
  // The processor has not answered yet.
  assert.deepEqual([(await report).status, (await report).body], [200, { ok: true, accepted: true }]);
  release();
  assert.equal(await sending, "sent");
});
