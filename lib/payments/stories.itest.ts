import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { type Live, startLive, workerContext } from "#lib/testing/live.ts";
import { type FinalBooks, type OwnBooks, ownBooks, stripeBooks } from "#lib/testing/stories/final-books.ts";
import { plantAgreements } from "#lib/testing/stories/plant.ts";
import { play, type Run } from "#lib/testing/stories/play.ts";
import { workAll } from "#lib/testing/stories/post.ts";
import { storyOf } from "#lib/testing/stories/story.ts";
import { reconcile } from "./reconciliation/reconcile.ts";

const ORDERS = 5;
/** Stories of one database and one stand-in. */
const BATCH = 50;
/** What the platform has at Stripe to begin with: refunds and chargebacks after a transfer are at its cost. */
const PLATFORM_PENCE = 100_000_000;
/** `STORIES` plays more of them, or fewer. */
const STORIES = Number(process.env.STORIES ?? 40);

for (let first = 0; first < STORIES; first += BATCH) {
  const last = Math.min(first + BATCH, STORIES) - 1;
  test(`stories ${first} to ${last}: however their events come, each ends in one set of books, which is Stripe's own`, async (t) => {
    const live = await startLive({ seed: `stories:${first}`, settleSeconds: 0, platformPence: PLATFORM_PENCE });
    try {
      await tell(t, live, first, last);
    } finally {
      await live.stop();
    }
  });
}

/** Of every delivery in this file so far, eight at a time. */
const acknowledged: number[] = [];

function report(t: TestContext, runs: number, waitsMs: readonly number[]): void {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1);
  const figures = `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
  t.diagnostic(`${runs} runs; acknowledgement of all ${sorted.length} deliveries so far: ${figures}`);
}

async function tell(t: TestContext, live: Live, first: number, last: number): Promise<void> {
  const plan = Array.from({ length: (last - first + 1) * ORDERS }, (_, at) => ({
    story: storyOf(first + Math.floor(at / ORDERS)),
    order: at % ORDERS,
  }));
  const planted = await plantAgreements(
    live,
    plan.map(({ story }) => story.grossPence),
  );
  const runs = plan.map((part, at): Run => {
    const work = planted[at];
    assert.ok(work);
    return { ...part, work, session: "", intent: "" };
  });
  const post = await play(live, runs);
  acknowledged.push(...post.waitsMs);
  report(t, runs.length, acknowledged);
  const ids = planted.map(({ settlementId }) => settlementId);
  const theirs = stripeBooks(live, planted);

  // Where every event came, however often and late, nobody needs to look at Stripe again.
  const early = await ownBooks(ids);
  const whole = runs.filter(({ work }) => post.isWhole(work.settlementId));
  for (const run of whole) agree(run, early.get(run.work.settlementId), theirs.get(run.work.settlementId));

  const { differences } = await reconcile(workerContext(), 10_000);
  await workAll();
  assert.deepEqual(differences, []);
  const ours = await ownBooks(ids);
  const { availablePence, pendingPence } = live.stripe.books().platform;
  const cash = [...ours.values()].reduce((sum, { ledger }) => sum + (ledger.cash ?? 0), 0);
  assert.equal(cash, availablePence + pendingPence - PLATFORM_PENCE, "the ledger's cash is Stripe's balance");
  for (const run of runs) agree(run, ours.get(run.work.settlementId), theirs.get(run.work.settlementId));
  for (let at = 0; at < runs.length; at += ORDERS) {
    const ends = runs.slice(at, at + ORDERS).map(({ work }) => ours.get(work.settlementId));
    for (const end of ends) assert.deepEqual(end, ends[0], `story ${runs[at]?.story.number} has two ends`);
  }
  const { rows } = await pool().query(
    "SELECT transaction_id FROM ledger_entries GROUP BY transaction_id HAVING sum(amount_pence) <> 0",
  );
  assert.deepEqual(rows, []);
}

function agree({ story, order }: Run, ours: OwnBooks | undefined, theirs: FinalBooks | undefined): void {
  assert.ok(ours && theirs);
  const { state: _state, funding: _funding, transfer: _transfer, payments: _payments, ledger, ...books } = ours;
  const tale = `${JSON.stringify(story)} in order ${order}`;
  assert.deepEqual(books, theirs, tale);
  const cash =
    theirs.chargedPence - theirs.refundedPence - theirs.disputedPence - theirs.sentPence + theirs.reversedPence;
  const fees = (ledger.stripe_fees ?? 0) + (ledger.dispute_fees ?? 0);
  assert.equal((ledger.cash ?? 0) + fees, cash, tale);
}
