import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import {
  catchUp,
  completedLive,
  fundedLive,
  type Live,
  type LiveWork,
  settlementOf,
  startLive,
  workerContext,
  work as workOff,
} from "#lib/testing/live.ts";
import { did, perform } from "#lib/testing/workflow.ts";
import { readMoneyPath, readOpenTransfers } from "./read.ts";
import { sweepPayments } from "./sweep.ts";
import { sendTransfer } from "./transfer.ts";

let live: Live;
before(async () => {
  live = await startLive();
});
after(() => live.stop());

const admin = commandLineContext("test");
const reason = "test";

async function transfersOf(work: LiveWork) {
  const { settlement_id: id } = await settlementOf(work, work.requester);
  return live.stripe.books().transfers.filter(({ transferGroup }) => transferGroup === id);
}

async function balances(work: LiveWork): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ account: string; sum: number }>(
    `SELECT account, sum(amount_pence)::int AS sum FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     JOIN settlements s ON s.id = t.settlement_id WHERE s.contract_id = $1 GROUP BY 1 HAVING sum(amount_pence) <> 0`,
    [work.contractId],
  );
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]));
}

/** What the requester reads: the provider's own credential is dead while it is suspended. */
async function reasonsOf(work: LiveWork): Promise<string[]> {
  const [one, open] = [await settlementOf(work, work.requester), await readOpenTransfers()];
  const reasons = one.transfer_holds?.map(({ reason }) => reason) ?? [];
  const known = open.find(({ settlementId }) => settlementId === one.settlement_id);
  assert.deepEqual(known?.holds.map(({ reason }) => reason) ?? [], reasons);
  return reasons;
}

type Case = {
  reason: string;
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
    put: ({ provider }) => suspendIdentity(admin, { publicId: provider.publicId, reason }),
    lift: ({ provider }) => restoreIdentity(admin, { publicId: provider.publicId, reason }),
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

for (const { reason: name, put, lift } of CASES)
  test(`a transfer is held by ${name}, which both sides can read, and sent once when that is lifted`, async () => {
    const work = await completedLive(live, 1_999);
    await put(work);
    await catchUp(live);
    assert.deepEqual(await reasonsOf(work), [name]);
    assert.equal((await settlementOf(work, work.requester)).transfer, "queued");
    assert.deepEqual(await transfersOf(work), []);
    await lift(work);
    await catchUp(live);
    assert.deepEqual(
      (await transfersOf(work)).map(({ sentPence }) => sentPence),
      [1_799],
    );
    assert.equal((await settlementOf(work)).transfer, "sent");
    assert.deepEqual(await reasonsOf(work), []);
    assert.deepEqual(await balances(work), { cash: 200, platform_fees: -200 });
  });

test("after a suspension has been answered nothing that was queued is sent, whoever is at work at that moment", async () => {
  for (let round = 0; round < 5; round += 1) {
    const work = await completedLive(live);
    const { settlement_id: id } = await settlementOf(work);
    const { release: open } = live.stripe.pause("POST /v1/transfers", "before");
    const sending = sendTransfer(workerContext(), id);
    const suspending = suspendIdentity(admin, { publicId: work.provider.publicId, reason });
    setTimeout(open, 100);
    await suspending;
    const sent = await transfersOf(work);
    await sending;
    await workOff();
    assert.deepEqual(await transfersOf(work), sent);
    const { transfer, transfer_holds: holds } = await settlementOf(work, work.requester);
    assert.equal(transfer, sent.length > 0 ? "sent" : "queued");
    if (sent.length === 0)
      assert.deepEqual(
        holds?.map(({ reason }) => reason),
        ["provider_suspended"],
      );
  }
});

test("whatever becomes of the answer, one transfer is made and recorded", async () => {
  for (const kind of ["500", "reset", "truncated", "409", "429"] as const)
    for (const when of ["before", "after"] as const) {
      const work = await completedLive(live);
      const { settlement_id: id } = await settlementOf(work);
      live.stripe.fail({ kind, when, call: "POST /v1/transfers", times: 2 });
      await assert.rejects(sendTransfer(workerContext(), id), `${kind} ${when}`);
      live.stripe.heal();
      await sendTransfer(workerContext(), id);
      assert.equal((await settlementOf(work)).transfer, "sent", `${kind} ${when}`);
      assert.equal((await transfersOf(work)).length, 1, `${kind} ${when}`);
      assert.equal(await sendTransfer(workerContext(), id), "done");
    }
});

test("many workers at one transfer send it once", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  await Promise.allSettled(Array.from({ length: 8 }, () => sendTransfer(workerContext(), id)));
  await sendTransfer(workerContext(), id);
  assert.equal((await transfersOf(work)).length, 1);
  assert.deepEqual(await balances(work), { cash: 201, platform_fees: -201 });
});

test("what a worker that died has left is taken up by the next one", async () => {
  const work = await completedLive(live);
  await pool().query("DELETE FROM graphile_worker._private_jobs");
  await sweepPayments(0);
  await workOff();
  assert.equal((await settlementOf(work)).transfer, "sent");
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
  assert.deepEqual(await balances(held), { cash: 1_501, provider_payable: -1_800, platform_fees: -201, refunds: 500 });

  const work = await completedLive(live);
  await catchUp(live);
  live.stripe.refund(work.intent);
  const { settlement_id: id } = await settlementOf(work);
  const [sent] = await transfersOf(work);
  live.stripe.reverse(sent?.transfer ?? "", 800);
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "sent");
  assert.deepEqual(await balances(work), { cash: -1_000, provider_payable: -800, platform_fees: -201, refunds: 2_001 });
  live.stripe.reverse(sent?.transfer ?? "");
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "reversed");
  assert.deepEqual(await balances(work), { provider_payable: -1_800, platform_fees: -201, refunds: 2_001 });
  const path = await readMoneyPath(id);
  assert.deepEqual(
    path?.stages.map(({ stage, reached }) => [stage, reached]),
    [
      ["agreed", true],
      ["funded", true],
      ["transferred", false],
      ["paid_out", false],
    ],
  );
});

test("refunded or disputed money lets no work start", async () => {
  const work = await fundedLive(live);
  live.stripe.refund(work.intent, 1);
  await catchUp(live);
  assert.equal((await perform(work.provider, "start", work)).error?.code, "funding_required");
});

test("a dispute about a completed task that the requester wins leaves nothing to transfer, and the money owed to them", async () => {
  const work = await completedLive(live);
  const { dispute } = await did(work.requester, "dispute", work);
  await resolveDispute(admin, { disputeId: dispute?.dispute_id ?? "", resolution: "requester", reason });
  await catchUp(live);
  const settlement = await settlementOf(work);
  assert.deepEqual([settlement.state, settlement.transfer, settlement.funding], ["void", "none", "confirmed"]);
  assert.deepEqual(await balances(work), { cash: 2_001, refund_due: -2_001 });
  assert.deepEqual(await transfersOf(work), []);
  const sent = await completedLive(live);
  await catchUp(live);
  assert.equal((await perform(sent.requester, "dispute", sent)).error?.code, "state_conflict");
});

test("an attempt that is older than Stripe's memory is looked up, and made anew only if it never was", async () => {
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
    assert.equal((await transfersOf(work)).length, 1);
    assert.equal((await settlementOf(work)).transfer, "sent");
  }
});
