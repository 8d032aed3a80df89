import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import {
  agreedLive,
  balancesOf,
  catchUp,
  completedLive,
  type Live,
  type LiveWork,
  settlementOf,
  startLive,
  transfersOf,
  workerContext,
  work as workOff,
} from "#lib/testing/live.ts";
import { did, perform } from "#lib/testing/workflow.ts";
import { readOpenTransfers } from "./read.ts";
import { sendTransfer } from "./transfer.ts";

let live: Live;
before(async () => {
  live = await startLive();
});
after(() => live.stop());

const admin = commandLineContext("test");
const reason = "test";

/** Why the transfer waits, as the administrator and each of these parties read it. */
async function reasonsOf(work: LiveWork, readers = [work.requester, work.provider]): Promise<string[]> {
  const open = await readOpenTransfers();
  const told: string[][] = [];
  for (const reader of readers) {
    const { settlement_id: id, transfer_holds: holds = [] } = await settlementOf(work, reader);
    for (const { detail, remedy } of holds) assert.ok(detail && remedy);
    const shown = open.find(({ settlementId }) => settlementId === id)?.holds ?? [];
    told.push(
      holds.map(({ reason }) => reason),
      shown.map(({ reason }) => reason),
    );
  }
  for (const reasons of told) assert.deepEqual(reasons, told[0]);
  return told[0] ?? [];
}

type Case = {
  reason: string;
  /** The party that can read it; the other's credential is dead meanwhile. */
  reader?: "requester" | "provider";
  put(work: LiveWork & { intent: string }): Promise<unknown>;
  lift(work: LiveWork & { intent: string }): Promise<unknown>;
};

const CASES: Case[] = [
  {
    reason: "task_held",
    put: ({ taskId }) => hold(admin, { subjectId: taskId, reason }),
    lift: ({ taskId }) => unhold(admin, { subjectId: taskId, reason }),
  },
  {
    reason: "provider_held",
    put: ({ provider }) => hold(admin, { subjectId: provider.publicId, reason }),
    lift: ({ provider }) => unhold(admin, { subjectId: provider.publicId, reason }),
  },
  {
    reason: "requester_held",
    put: ({ requester }) => hold(admin, { subjectId: requester.publicId, reason }),
    lift: ({ requester }) => unhold(admin, { subjectId: requester.publicId, reason }),
  },
  {
    reason: "provider_suspended",
    reader: "requester",
    put: ({ provider }) => suspendIdentity(admin, { publicId: provider.publicId, reason }),
    lift: ({ provider }) => restoreIdentity(admin, { publicId: provider.publicId, reason }),
  },
  {
    reason: "requester_suspended",
    reader: "provider",
    put: ({ requester }) => suspendIdentity(admin, { publicId: requester.publicId, reason }),
    lift: ({ requester }) => restoreIdentity(admin, { publicId: requester.publicId, reason }),
  },
  {
    reason: "dispute",
    put: (work) => did(work.requester, "dispute", work),
    lift: async ({ taskId }) => {
      const { rows } = await pool().query("SELECT id FROM disputes WHERE task_id = $1 AND state = 'open'", [taskId]);
      return resolveDispute(admin, { disputeId: rows[0].id, resolution: "provider", reason });
    },
  },
  {
    reason: "chargeback",
    put: async ({ intent }) => live.stripe.openDispute(intent),
    lift: async ({ intent }) => {
      const dispute = [...live.stripe.world.disputes.values()].find((one) => one.payment_intent === intent);
      live.stripe.closeDispute(dispute?.id ?? "", "won");
    },
  },
];

for (const { reason: name, reader, put, lift } of CASES)
  test(`a transfer is held by ${name}, which ${reader ? `the ${reader}` : "both parties"} can read, and sent once when that is lifted`, async () => {
    const work = await completedLive(live, 1_999);
    await put(work);
    await catchUp(live);
    assert.deepEqual(await reasonsOf(work, reader && [work[reader]]), [name]);
    assert.equal((await settlementOf(work, work[reader ?? "requester"])).transfer, "queued");
    assert.deepEqual(transfersOf(live, work), []);
    await lift(work);
    await catchUp(live);
    assert.deepEqual(
      transfersOf(live, work).map(({ amount }) => amount),
      [1_799],
    );
    assert.equal((await settlementOf(work)).transfer, "sent");
    assert.deepEqual(await reasonsOf(work), []);
    assert.deepEqual(await balancesOf(work), { cash: 200, platform_fees: -200 });
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
    assert.deepEqual(await reasonsOf(next, [other]), [`${party}_suspended`]);
  });

test("an attempt that came to nothing keeps nobody waiting: held for long enough, its settlement can be void", async () => {
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

test("a transfer that Stripe refuses stays queued with that as its reason, and is sent when it is tried again", async () => {
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

test("a refund before the transfer holds it, one after it is borne by the platform, and a reversal gives it back", async () => {
  const held = await completedLive(live);
  live.stripe.refund(held.intent, 500);
  await catchUp(live);
  assert.deepEqual(await reasonsOf(held), ["refund"]);
  assert.deepEqual(await balancesOf(held), {
    cash: 1_501,
    provider_payable: -1_800,
    platform_fees: -201,
    refunds: 500,
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
    provider_payable: -800,
    platform_fees: -201,
    refunds: 2_001,
  });
  live.stripe.reverse(sent?.id ?? "");
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "reversed");
  assert.deepEqual(await balancesOf(work), { provider_payable: -1_800, platform_fees: -201, refunds: 2_001 });
});

test("a dispute about a completed task that the requester wins leaves nothing to transfer, and the money owed to them", async () => {
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
