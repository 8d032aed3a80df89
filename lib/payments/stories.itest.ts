import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { sum } from "#lib/kernel/money.ts";
import { type Live, startLive, workerContext } from "#testing/live.ts";
import { type FinalBooks, type OwnBooks, ownBooks, stripeBooks } from "#testing/stories/final-books.ts";
import { plantAgreements } from "#testing/stories/plant.ts";
import { play, playOn, type Run } from "#testing/stories/play.ts";
import { workAll } from "#testing/stories/post.ts";
import { storyOf } from "#testing/stories/story.ts";
import { reconcile } from "./reconciliation/reconcile.ts";

/** In how many orders the events of each story come. */
const ORDERS = Number(process.env.STORY_ORDERS ?? 3);
/** Stories of one database and one stand-in. */
const BATCH = 50;
/** What the platform has at Stripe to begin with: refunds and chargebacks after a transfer are at its cost. */
const PLATFORM_PENCE = 100_000_000;
/** `STORIES` plays more of them, or fewer. */
const STORIES = Number(process.env.STORIES ?? 8);

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

  const sequels = await playOn(live, runs);
  const { differences } = await reconcile(workerContext(), 10_000);
  await workAll();
  assert.deepEqual(differences, []);
  const ours = await ownBooks([...ids, ...sequels]);
  const netted = sequels.map((id) => ours.get(id)?.ledger.provider_debt ?? 0);
  assert.ok(
    netted.every((pence) => pence < 0),
    "nothing was kept from the next deal of a provider who owes something",
  );
  t.diagnostic(`${sequels.length} providers paid debts from their next transfers`);
  const { availablePence, pendingPence } = live.stripe.books().platform;
  const cash = sum([...ours.values()].map(({ ledger }) => ledger.cash ?? 0));
  assert.equal(cash, availablePence + pendingPence - PLATFORM_PENCE, "the ledger's cash is Stripe's balance");
  for (const run of runs) agree(run, ours.get(run.work.settlementId), theirs.get(run.work.settlementId));
  for (let at = 0; at < runs.length; at += ORDERS) {
    const ends = runs.slice(at, at + ORDERS).map(({ work }) => ours.get(work.settlementId));
    for (const end of ends) assert.deepEqual(end, ends[0], `story ${runs[at]?.story.number} has two ends`);
  }
  assertConserved(t, live, [...ours.values()]);
  const { rows: stuck } = await pool().query(
    `SELECT s.id FROM settlements s WHERE transfer = 'queued' OR EXISTS (SELECT FROM money_acts a
       WHERE a.settlement_id = s.id AND a.state IN ('queued', 'sending', 'pending'))`,
  );
  assert.deepEqual(stuck, [], "everybody has decided, and something still waits");
  const { rows } = await pool().query(
    "SELECT transaction_id FROM ledger_entries GROUP BY transaction_id HAVING sum(amount_pence) <> 0",
  );
  assert.deepEqual(rows, []);
}

/** What payers paid is, to the penny, what providers got, went back, Stripe kept, and the platform has: in the books and at Stripe. */
function assertConserved(t: TestContext, live: Live, books: OwnBooks[]): void {
  const { intents, transfers, accounts, platform } = live.stripe.books();
  const paid = sum(intents.map(({ chargedPence }) => chargedPence));
  const got = sum(transfers.map(({ sentPence, reversedPence }) => sentPence - reversedPence));
  const back = sum(intents.map(({ refundedPence, disputedPence }) => refundedPence + disputedPence));
  const kept = platform.availablePence + platform.pendingPence - PLATFORM_PENCE;
  assert.equal(paid, got + back + platform.feesPence + kept);
  assert.equal(got, sum(accounts.map((each) => each.availablePence + each.pendingPence + each.paidOutPence)));
  const of = (...names: string[]) => sum(books.flatMap(({ ledger }) => names.map((name) => ledger[name] ?? 0)));
  assert.equal(of("stripe_fees", "dispute_fees"), platform.feesPence);
  assert.equal(of("provider_debt"), 0, "what is kept from one transfer pays for another");
  // Credits are negative: fees, what is still owed, and what the platform has lost make up what it has.
  const owed = 0 - of("platform_fees", "held", "provider_payable", "refund_due");
  assert.equal(owed - of("refunds", "chargebacks", "refunds_pending", "stripe_fees", "dispute_fees"), kept);
  t.diagnostic(
    `paid ${paid} = providers ${got} + back ${back} + Stripe ${platform.feesPence} + platform ${kept} pence, in the books and at Stripe`,
  );
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
