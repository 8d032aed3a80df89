import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeDatabase, pool } from "#lib/db/client.ts";
import { LIVE_JOBS } from "#lib/jobs/live-payments.ts";
import { newId } from "#lib/kernel/ids.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#lib/testing/factories.ts";
import { dieAfter, installFuses } from "#lib/testing/fuse.ts";
import { fund, type Live, sessionOf, startLive, workerContext } from "#lib/testing/live.ts";
import { type Planted, plantAgreements } from "#lib/testing/stories/plant.ts";
import { forAll, workAll } from "#lib/testing/stories/post.ts";
import { did } from "#lib/testing/workflow.ts";
import { sweepPayments } from "./sweep.ts";

/** How often a process dies in each of the writes at Stripe: at every step, as often as it takes. */
const DEATHS = 200;

let live: Live;
let restore: () => void;
before(async () => {
  live = await startLive({ settleSeconds: 0 });
  restore = installFuses();
});
after(async () => {
  restore();
  await live.stop();
});

/** What the next process does when it starts, and then until nothing is left. */
async function nextProcess(): Promise<void> {
  await closeDatabase();
  await sweepPayments(0);
  await workAll();
}

/**
 * Lets each of the things die at a step of its own, the first of them at none. Every step is met about equally often.
 * @returns the steps
 */
async function dieEverywhere<T>(things: T[], act: (thing: T) => Promise<unknown>): Promise<string[]> {
  const [first, ...rest] = things;
  assert.ok(first);
  const steps = await dieAfter(Number.POSITIVE_INFINITY, () => act(first));
  assert.ok(steps.length >= 8, `only ${steps.length} steps`);
  console.error(
    steps.length,
    steps.map((x) => x.slice(0, 60)),
  );
  let at = 0;
  await forAll(rest, (thing) => dieAfter(at++ % steps.length, () => act(thing)));
  return steps;
}

async function assertDrained(): Promise<void> {
  const { rows } = await pool().query(
    `SELECT task_identifier FROM graphile_worker.jobs WHERE task_identifier <> 'recheck-domain'
     UNION ALL SELECT 'payment' FROM payments WHERE status = 'pending' AND stripe_session_id IS NULL
     UNION ALL SELECT 'transfer' FROM transfer_intents WHERE state <> 'sent'
     UNION ALL SELECT 'unbalanced' FROM ledger_entries GROUP BY transaction_id HAVING sum(amount_pence) <> 0`,
  );
  assert.deepEqual(rows, [], "something was left undone");
}

function times<T>(keys: Iterable<T>): Map<T, number> {
  const found = new Map<T, number>();
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}

test("a process may die at any step of opening a checkout: there is one session for every payment, and the payer gets it", async () => {
  const planted = await plantAgreements(live, Array<number>(DEATHS + 1).fill(5_000));
  const keyed = planted.map((work) => ({ work, key: newId("req") }));
  const steps = await dieEverywhere(keyed, ({ work, key }) => fund(work, key));
  assert.ok(steps.some((step) => step === "answer to POST /v1/checkout/sessions"));
  await nextProcess();
  await forAll(keyed, async ({ work, key }) => {
    const answer = await fund(work, key);
    succeeded(answer, 201);
    work.paymentId = answer.body.payment.payment_id;
    assert.match(answer.body.payment.checkout_url ?? "", /^http/);
  });
  const sessions = times(
    [...live.stripe.world.sessions.values()].map((session) => session.metadata?.guildhall_contract),
  );
  const { rows } = await pool().query(
    "SELECT contract_id AS id, count(*)::int AS count, min(stripe_session_id) AS session FROM payments GROUP BY 1",
  );
  const payments = new Map(rows.map(({ id, count }) => [id, count]));
  for (const { work } of keyed)
    assert.deepEqual([payments.get(work.contractId), sessions.get(work.contractId)], [1, 1]);
  for (const { session } of rows) assert.ok(live.stripe.world.sessions.has(session));
  await assertDrained();
});

test("a process may die at any step of a transfer: every provider is paid once, and it is booked once", async () => {
  const planted = await completed(DEATHS + 1);
  const steps = await dieEverywhere(planted, ({ settlementId }) =>
    LIVE_JOBS["send-transfer"](workerContext(), { settlement_id: settlementId }),
  );
  assert.ok(steps.some((step) => step === "answer to POST /v1/transfers"));
  await nextProcess();
  const sent = times(live.stripe.books().transfers.map(({ transferGroup }) => transferGroup));
  const { rows } = await pool().query(
    "SELECT settlement_id AS id, count(*)::int AS count FROM ledger_transactions WHERE kind = 'transfer' GROUP BY 1",
  );
  const booked = new Map(rows.map(({ id, count }) => [id, count]));
  for (const { settlementId } of planted) assert.deepEqual([sent.get(settlementId), booked.get(settlementId)], [1, 1]);
  await assertDrained();
});

/** Agreements that are paid and done, their transfers queued; no job waits for them. */
async function completed(count: number): Promise<Planted[]> {
  const planted = await plantAgreements(live, Array<number>(count).fill(5_000));
  await forAll(planted, async (work) => {
    const answer = await fund(work);
    succeeded(answer, 201);
    live.stripe.pay(await sessionOf(answer.body.payment.payment_id));
    await LIVE_JOBS["read-payment"](workerContext(), { payment_id: answer.body.payment.payment_id });
  });
  const ids = planted.map(({ taskId }) => taskId);
  await pool().query("UPDATE tasks SET state = 'submitted', result = 'Done.' WHERE id = ANY ($1)", [ids]);
  await forAll(planted, (work) => did(work.requester, "complete", work));
  await pool().query(
    "SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs WHERE task_identifier = 'send-transfer'",
  );
  return planted;
}

test("a process may die at any step of making an account: every provider has one, and gets to it", async () => {
  const agents: TestAgent[] = [];
  await forAll(Array.from({ length: DEATHS + 1 }), async () => agents.push(await verifiedAgent()));
  const onboard = (agent: TestAgent) =>
    callAs<{ onboarding_url: string }>(agent, "POST", "/api/v1/payments/account.php");
  const steps = await dieEverywhere(agents, onboard);
  assert.ok(steps.some((step) => step === "answer to POST /v2/core/accounts"));
  await nextProcess();
  await forAll(agents, async (agent) => {
    const answer = await onboard(agent);
    succeeded(answer);
    assert.match(answer.body.onboarding_url, /^http/);
  });
  const made = times([...live.stripe.world.accounts.values()].map(({ metadata }) => metadata.guildhall_public_id));
  for (const { publicId } of agents) assert.equal(made.get(publicId), 1);
  await assertDrained();
});
