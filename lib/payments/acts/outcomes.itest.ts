import assert from "node:assert/strict";
import { test } from "node:test";
import { refund, reverseTransfer, sendTransfer } from "#lib/admin/money/move.ts";
import { pool } from "#lib/db/client.ts";
import type { Fault } from "#stripe-stand-in/faults.ts";
import { admin, reason } from "#testing/administrator.ts";
import {
  catchUp,
  completedLive,
  finish,
  liveService,
  movedAtStripe,
  paid,
  settlementOf,
  work,
  workerContext,
} from "#testing/live.ts";
import { plantAgreements } from "#testing/stories/plant.ts";
import { forAll } from "#testing/stories/post.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { sweepPayments } from "../reconciliation/sweep.ts";

const live = liveService({ settleSeconds: 0 });

/** The acts that call Stripe: what each calls, what must have happened before, and the objects that it makes there. */
const ACTS = {
  refund: { call: "POST /v1/refunds", before: [], order: refund, made: (id: string) => moved(id).refunds },
  reversal: {
    call: "POST /v1/transfers/*/reversals",
    before: [],
    order: reverseTransfer,
    made: (id: string) => moved(id).reversals,
  },
  transfer: {
    call: "POST /v1/transfers",
    before: [reverseTransfer],
    order: sendTransfer,
    made: (id: string) => moved(id).transfers.slice(1),
  },
} as const;
const PENCE = 700;

const FAULTS: Omit<Fault, "call">[] = [
  ...(["before", "after", "late"] as const).map((when) => ({ kind: "500" as const, when })),
  ...(["before", "after"] as const).map((when) => ({ kind: "reset" as const, when })),
  ...(["truncated", "429", "409", "401"] as const).map((kind) => ({
    kind,
    when: kind === "truncated" ? ("after" as const) : ("before" as const),
  })),
];

/** Those after which nobody knows what became of the call. Reversals follow the rules of refunds, so they meet only these. */
const isUnknown = ({ when, kind }: Omit<Fault, "call">) => when !== "before" && kind !== "429";

const moved = (settlementId: string) => movedAtStripe(live, settlementId);

/** So much later than an unknown outcome, it counts as known. */
async function passMinutes(settlementId: string): Promise<void> {
  for (const table of ["money_acts", "transfer_intents"])
    await pool().query(
      `UPDATE ${table} SET asked_at = asked_at - interval '6 minutes', checked_at = NULL WHERE settlement_id = $1`,
      [settlementId],
    );
}

/** What the worker does next: everything open is tried again, at once. */
async function retry(): Promise<void> {
  await sweepPayments(0);
  await pool().query(
    "SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs",
  );
  await work();
}

/** Deals whose transfers have been sent. @returns their settlements */
async function sentDeals(count: number): Promise<string[]> {
  const deals = await plantAgreements(live, Array<number>(count).fill(2_001));
  await forAll(deals, (deal) => paid(live, deal));
  await catchUp(live);
  await forAll(deals, finish);
  await catchUp(live);
  return deals.map(({ settlementId }) => settlementId);
}

async function isOpen(settlementId: string): Promise<boolean> {
  const { rows } = await pool().query(
    `SELECT state::text FROM money_acts WHERE settlement_id = $1 AND (state = 'queued' OR state = 'sending')
     UNION ALL SELECT transfer::text FROM settlements WHERE id = $1 AND transfer = 'queued'`,
    [settlementId],
  );
  return rows.length > 0;
}

for (const [name, { call, before: first, order, made }] of Object.entries(ACTS))
  test(`whatever becomes of the call of a ${name}, Stripe has one object, and it is booked once`, async () => {
    const faults = name === "reversal" ? FAULTS.filter(isUnknown) : FAULTS;
    const deals = await sentDeals(faults.length);
    for (const [at, fault] of faults.entries()) {
      const what = `${fault.kind} ${fault.when}`;
      const settlementId = deals[at] as string;
      for (const act of first) await act(admin, { settlementId, reason });
      // The package itself retries once after a reset.
      live.stripe.fail({ ...fault, call, times: fault.kind === "reset" ? 2 : 1 });
      await order(admin, { settlementId, pence: PENCE, reason });
      await work();
      // The same key is sent again until the outcome counts as known.
      await retry();
      if (fault.when === "late") live.stripe.landLate();
      for (let round = 0; round < 3 && (await isOpen(settlementId)); round += 1) {
        await passMinutes(settlementId);
        await retry();
      }
      assert.deepEqual(made(settlementId), [PENCE], what);
      assert.equal(await isOpen(settlementId), false, what);
    }
    await catchUp(live);
    assert.deepEqual((await reconcile(workerContext(), 10_000)).differences, []);
  });

test("an effect that comes after a new key was used is reported as a double act, and booked as the money that it is", async () => {
  const [settlementId = ""] = await sentDeals(1);
  live.stripe.fail({ kind: "500", when: "late", call: ACTS.refund.call });
  await refund(admin, { settlementId, pence: PENCE, reason });
  for (let round = 0; round < 3; round += 1) {
    await passMinutes(settlementId);
    await retry();
  }
  assert.deepEqual(moved(settlementId).refunds, [PENCE]);
  live.stripe.landLate();
  assert.deepEqual(moved(settlementId).refunds, [PENCE, PENCE]);
  const { differences } = await reconcile(workerContext(), 10_000);
  assert.deepEqual(
    differences.map(({ kind, settlementId: of }) => [kind, of]),
    [["double_act", settlementId]],
  );
  const { rows } = await pool().query("SELECT refunded_pence FROM settlements WHERE id = $1", [settlementId]);
  assert.deepEqual(rows, [{ refunded_pence: 2 * PENCE }]);
});

test("an act that Stripe refuses ends as failed, and is not tried again", async () => {
  const deal = await completedLive(live);
  await catchUp(live);
  live.stripe.payout(deal.account);
  const { settlement_id: settlementId } = await settlementOf(deal);
  const { act } = await reverseTransfer(admin, { settlementId, reason });
  assert.equal(act?.state, "failed");
  await retry();
  assert.deepEqual(moved(settlementId).reversals, []);
});
