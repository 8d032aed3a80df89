import assert from "node:assert/strict";
import { test } from "node:test";
import { refund, reverseTransfer, sendTransfer as sendAgain } from "#lib/admin/money/move.ts";
import { closeDatabase, pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import {
  agreedLive,
  CONTACT,
  finish,
  fund,
  liveService,
  opened,
  sessionsOf,
  settlementOf,
  transfersOf,
  withoutStripe,
  workerContext,
} from "#testing/live.ts";
import { dieAtEachStep, installFuses } from "#testing/processes/fuse.ts";
import { type Planted, plantAgreements } from "#testing/stories/plant.ts";
import { forAll, workAll } from "#testing/stories/post.ts";
import { did, passTime, perform, type Work } from "#testing/workflow.ts";
import { performAct } from "./acts/perform.ts";
import { closeCheckout, readPayment } from "./checkouts/checkout.ts";
import { sweepPayments } from "./reconciliation/sweep.ts";
import { sendTransfer } from "./transfers/send.ts";

// Chargebacks are at the platform's cost.
const live = liveService({ settleSeconds: 0, platformPence: 100_000_000 }, async () => installFuses());

/** A job that fails is retried later, as every job is. This many attempts are enough for any failure that passes. */
const ATTEMPTS = 5;

/** What the next process does: it starts, and works until nothing is left, retries included. */
async function nextProcess(): Promise<void> {
  await closeDatabase();
  await sweepPayments(0);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await workAll();
    // The worker would wait for the delay that follows a failure; here the next attempt comes at once.
    const { rowCount } = await pool().query(
      `SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs
       WHERE task_identifier <> 'recheck-domain' HAVING count(*) > 0`,
    );
    if (rowCount === 0) return;
  }
}

async function assertDrained(): Promise<void> {
  const { rows } = await pool().query(
    `SELECT concat_ws(' ', task_identifier, key, attempts, locked_at, last_error) AS what FROM graphile_worker.jobs
     WHERE task_identifier <> 'recheck-domain'
     UNION ALL SELECT 'payment' FROM payments WHERE status = 'pending' AND stripe_session_id IS NULL
     UNION ALL SELECT 'transfer' FROM transfer_intents WHERE state <> 'sent'
     UNION ALL SELECT 'act' FROM money_acts WHERE state NOT IN ('done', 'failed')
     UNION ALL SELECT 'unbalanced' FROM ledger_entries GROUP BY transaction_id HAVING sum(amount_pence) <> 0`,
  );
  assert.deepEqual(rows, [], "something was left undone");
}

const plant = (count: number) => plantAgreements(live, Array<number>(count).fill(5_000));

/** What a process that is gone had planned is left to the sweep. */
const forget = (job: string) =>
  pool().query(
    "SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs WHERE task_identifier = $1",
    [job],
  );

test("if a process dies at any step of opening a checkout, every payment has one session, and the payer gets it", async (t) => {
  const keyed = await dieAtEachStep(
    t,
    /^POST \/v1\/checkout\/sessions$/,
    async (count) => (await plant(count)).map((work) => ({ work, key: newId("req") })),
    ({ work, key }) => fund(work, key),
  );
  await nextProcess();
  await forAll(keyed, async ({ work, key }) => {
    const answer = await fund(work, key);
    succeeded(answer, 201);
    const { rows } = await pool().query("SELECT stripe_session_id AS id FROM payments WHERE contract_id = $1", [
      work.contractId,
    ]);
    assert.deepEqual(
      sessionsOf(live, work).map(({ id, url }) => ({ id, url })),
      rows.map(({ id }) => ({ id, url: answer.body.payment.checkout_url })),
    );
    assert.equal(rows.length, 1);
  });
  await assertDrained();
});

/** Agreements with an open checkout whose task was cancelled. */
async function cancelled(count: number): Promise<Planted[]> {
  const planted = await plant(count);
  await forAll(planted, async (work) => {
    await opened(work);
    await did(work.requester, "cancel", work);
  });
  await forget("close-checkout");
  return planted;
}

test("if a process dies at any step of closing a checkout, it is closed and cannot be paid", async (t) => {
  const works = await dieAtEachStep(t, /^POST .*\/expire$/, cancelled, (work) =>
    closeCheckout(workerContext(), work.paymentId),
  );
  await nextProcess();
  for (const work of works) {
    const [session, ...others] = sessionsOf(live, work);
    assert.deepEqual([session?.status, others.length], ["expired", 0]);
  }
  const { rows } = await pool().query(
    "SELECT status, checked_at >= settled_at AS seen, count(*)::int AS count FROM payments WHERE id = ANY ($1) GROUP BY 1, 2",
    [works.map(({ paymentId }) => paymentId)],
  );
  assert.deepEqual(rows, [{ status: "canceled", seen: true, count: works.length }]);
  await assertDrained();
});

/** The payment is made, and recorded. */
async function pay(work: Work): Promise<void> {
  live.stripe.pay(await opened(work));
  await readPayment(workerContext(), work.paymentId);
}

/** Agreements that are paid. */
async function paid(count: number): Promise<Planted[]> {
  const planted = await plant(count);
  await forAll(planted, pay);
  return planted;
}

/** The same, worked on, their results submitted. */
async function submitted(count: number): Promise<Planted[]> {
  const planted = await paid(count);
  const ids = planted.map(({ taskId }) => taskId);
  await pool().query("UPDATE tasks SET state = 'submitted', result = 'Done.' WHERE id = ANY ($1)", [ids]);
  return planted;
}

async function assertPaidOnce(works: Planted[]): Promise<void> {
  const { rows } = await pool().query(
    "SELECT settlement_id AS id, count(*)::int AS count FROM ledger_transactions WHERE kind = 'transfer' GROUP BY 1",
  );
  const booked = new Map(rows.map(({ id, count }) => [id, count]));
  for (const work of works)
    assert.deepEqual([transfersOf(live, work).length, booked.get(work.settlementId)], [1, 1], work.settlementId);
  await assertDrained();
}

test("if a process dies at any step of completing a task, the task is completed exactly if its transfer is queued", async (t) => {
  const works = await dieAtEachStep(t, /^COMMIT/, submitted, (work) => perform(work.requester, "complete", work));
  const { rows } = await pool().query(
    `SELECT t.state, s.state AS settlement, s.transfer, i.state AS intent, j.key IS NOT NULL AS planned, array_agg(t.id) AS tasks
     FROM tasks t JOIN settlements s ON s.task_id = t.id LEFT JOIN transfer_intents i ON i.settlement_id = s.id
     LEFT JOIN graphile_worker.jobs j ON j.key = 'transfer:' || s.id
     WHERE t.id = ANY ($1) GROUP BY 1, 2, 3, 4, 5 ORDER BY t.state DESC`,
    [works.map(({ taskId }) => taskId)],
  );
  assert.deepEqual(
    rows.map(({ tasks: _, ...row }) => row),
    [
      { state: "completed", settlement: "approved", transfer: "queued", intent: "queued", planned: true },
      { state: "submitted", settlement: "recorded", transfer: "none", intent: null, planned: false },
    ],
  );
  const undone = new Set(rows[1].tasks);
  await forAll(
    works.filter(({ taskId }) => undone.has(taskId)),
    (work) => did(work.requester, "complete", work),
  );
  await nextProcess();
  await assertPaidOnce(works);
});

/** The same, completed: their transfers are queued, and no job waits for them. */
async function completed(count: number): Promise<Planted[]> {
  const works = await submitted(count);
  await forAll(works, (work) => did(work.requester, "complete", work));
  await forget("send-transfer");
  return works;
}

test("if a process dies at any step of a transfer, every provider is paid once, and it is booked once", async (t) => {
  const works = await dieAtEachStep(t, /^POST \/v1\/transfers$/, completed, ({ settlementId }) =>
    sendTransfer(workerContext(), settlementId),
  );
  await nextProcess();
  await assertPaidOnce(works);
});

/** Recorded acts of administrators that no process has taken up yet. */
async function ordered(
  count: number,
  order: typeof refund,
  prepare: (works: Planted[]) => Promise<void> = async () => undefined,
): Promise<Ordered[]> {
  const works = await completed(count);
  await nextProcess();
  await prepare(works);
  const acts: Ordered[] = [];
  await withoutStripe(async () => {
    for (const work of works) {
      const { act } = await order(admin, { settlementId: work.settlementId, pence: PENCE, reason });
      acts.push({ work, actId: act?.act_id ?? "" });
    }
  });
  await forget("perform-act");
  return acts;
}

type Ordered = { work: Planted; actId: string };
const PENCE = 700;

for (const [order, write, booked] of [
  [refund, /^POST \/v1\/refunds$/, "refund"],
  [reverseTransfer, /^POST .*\/reversals$/, "reversal"],
] as const)
  test(`if a process dies at any step of a ${booked} that an administrator ordered, it is made once, and booked once`, async (t) => {
    const acts = await dieAtEachStep(
      t,
      write,
      (count) => ordered(count, order),
      ({ actId }) => performAct(workerContext(), actId),
    );
    await nextProcess();
    const { rows } = await pool().query(
      "SELECT settlement_id AS id, count(*)::int AS count FROM ledger_transactions WHERE kind = $1::ledger_kind GROUP BY 1",
      [booked],
    );
    const counts = new Map(rows.map(({ id, count }) => [id, count]));
    const made = Map.groupBy(objectsAtStripe(booked), (actId) => actId);
    for (const { work, actId } of acts)
      assert.deepEqual([made.get(actId)?.length, counts.get(work.settlementId)], [1, 1], actId);
    await assertDrained();
  });

const returnOf = ({ settlementId }: Planted) => settlementId.replace("stl_", "act_");

/** Paid agreements on which nobody has done anything for a month. */
async function overdue(count: number): Promise<Planted[]> {
  const works = await paid(count);
  await forAll(works, ({ taskId }) => passTime(taskId, 31));
  return works;
}

/** Agreements that the provider gave up while their checkouts were open, which were then paid. */
async function paidTooLate(count: number): Promise<Planted[]> {
  const works = await plant(count);
  await forAll(works, async (work) => {
    const session = await opened(work);
    await did(work.provider, "give_up", work);
    live.stripe.pay(session);
  });
  await forget("close-checkout");
  return works;
}

/** The ends of work after which the payer is refunded: what a process was doing, up to the refund. */
const ENDS = {
  "the requester leaves": { works: overdue, end: (work: Planted) => perform(work.requester, "leave", work) },
  "the provider gives up": { works: paid, end: (work: Planted) => perform(work.provider, "give_up", work) },
  "a payment comes after that": {
    works: paidTooLate,
    end: ({ paymentId }: Planted) => closeCheckout(workerContext(), paymentId),
  },
};
for (const [name, { works: prepare, end }] of Object.entries(ENDS))
  test(`if a process dies at any step of what follows when ${name}, the payer is refunded once, and it is booked once`, async (t) => {
    const works = await dieAtEachStep(t, /^POST \/v1\/refunds$/, prepare, async (work) => {
      await end(work);
      await performAct(workerContext(), returnOf(work));
    });
    const ids = works.map(({ settlementId }) => settlementId);
    const { rows: halves } = await pool().query(
      `SELECT s.id FROM settlements s JOIN tasks t ON t.id = s.task_id LEFT JOIN money_acts m ON m.settlement_id = s.id
       WHERE s.id = ANY ($1) AND s.funding = 'confirmed' AND ((t.state = 'cancelled') <> (s.state = 'void') OR (s.state = 'void') <> (m.id IS NOT NULL))`,
      [ids],
    );
    assert.deepEqual(halves, [], "a task ended without its refund, or was refunded without its end");
    // Whoever got no answer asks again.
    await forAll(works, async (work) => void (await end(work)));
    await nextProcess();
    const made = Map.groupBy(objectsAtStripe("refund"), (actId) => actId);
    for (const work of works) assert.equal(made.get(returnOf(work))?.length, 1, work.settlementId);
    const { rows } = await pool().query(
      `SELECT s.state, s.funding, s.refunded_pence AS refunded, m.state AS act, t.state AS task,
         (SELECT array_agg(l.kind::text ORDER BY l.id) FROM ledger_transactions l WHERE l.settlement_id = s.id AND l.kind <> 'stripe_fee') AS booked,
         count(*)::int AS count
       FROM settlements s JOIN tasks t ON t.id = s.task_id JOIN money_acts m ON m.settlement_id = s.id
       WHERE s.id = ANY ($1) GROUP BY 1, 2, 3, 4, 5, 6`,
      [ids],
    );
    const ended = { state: "void", funding: "confirmed", refunded: 5_000, act: "done", task: "cancelled" };
    assert.deepEqual(rows, [{ ...ended, booked: ["funding", "void", "refund"], count: works.length }]);
    await assertDrained();
  });

async function paymentOf(settlementId: string): Promise<{ id: string; intent: string }> {
  const { rows } = await pool().query(
    `SELECT p.id, p.stripe_intent_id AS intent FROM payments p JOIN settlements s ON s.contract_id = p.contract_id
     WHERE s.id = $1 AND p.status = 'succeeded'`,
    [settlementId],
  );
  return rows[0];
}

/** The providers have been paid out, and the payers' banks have taken the money back. */
async function chargedBack(works: Planted[]): Promise<void> {
  await forAll(works, async ({ account, settlementId }) => {
    live.stripe.payoutPaid(live.stripe.payout(account));
    const { id, intent } = await paymentOf(settlementId);
    live.stripe.openDispute(intent, { decided: "lost" });
    await readPayment(workerContext(), id);
  });
}

async function debtsOf(settlements: string[]): Promise<number[]> {
  const { rows } = await pool().query("SELECT debt_pence AS pence FROM settlements WHERE id = ANY ($1)", [settlements]);
  return rows.map(({ pence }) => pence);
}

test("if a process dies at any step of a reversal for which there is no money, it becomes one debt", async (t) => {
  const acts = await dieAtEachStep(
    t,
    /^POST .*\/reversals$/,
    (count) => ordered(count, reverseTransfer, chargedBack),
    ({ actId }) => performAct(workerContext(), actId),
  );
  await nextProcess();
  const { rows } = await pool().query("SELECT DISTINCT state FROM money_acts WHERE id = ANY ($1)", [
    acts.map(({ actId }) => actId),
  ]);
  assert.deepEqual(rows, [{ state: "failed" }]);
  const debts = await debtsOf(acts.map(({ work }) => work.settlementId));
  assert.deepEqual(debts, Array(acts.length).fill(PENCE));
  await assertDrained();
});

type Owing = { work: Planted; debtor: string };

/** Completed deals of providers who owe something of an earlier one. */
async function owing(count: number): Promise<Owing[]> {
  const acts = await ordered(count, reverseTransfer, chargedBack);
  await forAll(acts, ({ actId }) => performAct(workerContext(), actId));
  const pairs: Owing[] = [];
  await forAll(acts, async ({ work: earlier }) => {
    const provider = { ...earlier.provider, account: earlier.account };
    const work = { ...earlier, ...(await agreedLive(live, 5_000, {}, provider)) };
    await pay(work);
    await finish(work);
    const { settlement_id: settlementId } = await settlementOf(work);
    pairs.push({ work: { ...work, settlementId }, debtor: earlier.settlementId });
  });
  await forget("send-transfer");
  return pairs;
}

test("if a process dies at any step of a transfer from which a debt is kept, both happen once", async (t) => {
  const pairs = await dieAtEachStep(t, /^POST \/v1\/transfers$/, owing, ({ work }) =>
    sendTransfer(workerContext(), work.settlementId),
  );
  await nextProcess();
  for (const { work } of pairs) {
    const sent = transfersOf(live, work).map(({ amount }) => amount);
    assert.deepEqual(sent, [4_500 - PENCE]);
  }
  const { rows } = await pool().query(
    `SELECT count(*)::int AS count FROM ledger_transactions WHERE kind = 'netting' AND settlement_id = ANY ($1)
     GROUP BY settlement_id`,
    [pairs.flatMap(({ work, debtor }) => [work.settlementId, debtor])],
  );
  assert.deepEqual([rows.length, new Set(rows.map(({ count }) => count))], [2 * pairs.length, new Set([1])]);
  assert.deepEqual(new Set(await debtsOf(pairs.map(({ debtor }) => debtor))), new Set([0]));
  await assertDrained();
});

/** Deals whose transfer was reversed, and is to be sent again. */
async function toSendAgain(count: number): Promise<Planted[]> {
  const works = await completed(count);
  await nextProcess();
  await forAll(works, async ({ settlementId }) => {
    await reverseTransfer(admin, { settlementId, reason });
    await sendAgain(admin, { settlementId, reason });
  });
  await forget("send-transfer");
  return works;
}

test("if a process dies at any step of a transfer after a reversal, it is sent once, from the balance", async (t) => {
  const works = await dieAtEachStep(t, /^POST \/v1\/transfers$/, toSendAgain, ({ settlementId }) =>
    sendTransfer(workerContext(), settlementId),
  );
  await nextProcess();
  for (const work of works) {
    const sources = transfersOf(live, work).map(({ source_transaction: source }) => source === null);
    assert.deepEqual(sources, [false, true]);
  }
  await assertDrained();
});

test("if a process dies at any step of reading warnings, each is recorded and holds the transfer", async (t) => {
  const warned = async (count: number) => {
    const works = await completed(count);
    return Promise.all(
      works.map(async ({ settlementId }) => {
        const { id, intent } = await paymentOf(settlementId);
        live.stripe.warnOfFraud(intent);
        live.stripe.openReview(intent);
        return id;
      }),
    );
  };
  const payments = await dieAtEachStep(t, /^COMMIT/, warned, (id) => readPayment(workerContext(), id));
  await nextProcess();
  const { rows } = await pool().query(
    `SELECT w.payment_id, count(*)::int AS count FROM payment_warnings w WHERE w.open AND w.payment_id = ANY ($1) GROUP BY 1`,
    [payments],
  );
  assert.deepEqual([rows.length, new Set(rows.map(({ count }) => count))], [payments.length, new Set([2])]);
  // So that nothing waits when the other tests look.
  await pool().query("UPDATE payment_warnings SET released_at = now()");
  await nextProcess();
  await assertDrained();
});

/** The act that each refund, or each reversal, at Stripe names. */
function objectsAtStripe(kind: "refund" | "reversal"): (string | undefined)[] {
  const { refunds, transfers } = live.stripe.world;
  const all =
    kind === "refund" ? [...refunds.values()] : [...transfers.values()].flatMap(({ reversals }) => reversals.data);
  return all.map(({ metadata }) => metadata?.guildhall_act);
}

test("if a process dies at any step of creating an account, every provider has one and can open it", async (t) => {
  const onboard = (agent: TestAgent) =>
    callAs<{ onboarding_url: string }>(agent, "POST", "/api/v1/payments/account.php", CONTACT);
  const newAgents = async (count: number) => {
    const agents: TestAgent[] = [];
    await forAll(Array.from({ length: count }), async () => agents.push(await verifiedAgent()));
    return agents;
  };
  const agents = await dieAtEachStep(t, /^POST \/v2\/core\/accounts$/, newAgents, onboard);
  await nextProcess();
  await forAll(agents, async (agent) => {
    const answer = await onboard(agent);
    succeeded(answer);
    const [account, ...others] = [...live.stripe.world.accounts.values()].filter(
      ({ metadata }) => metadata.guildhall_public_id === agent.publicId,
    );
    assert.equal(others.length, 0);
    assert.ok(account && answer.body.onboarding_url.includes(account.id));
  });
  await assertDrained();
});
