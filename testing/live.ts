import assert from "node:assert/strict";
import { runOnce } from "graphile-worker";
import type Stripe from "stripe";
import { handle } from "#lib/api/handle.ts";
import { JOBS } from "#lib/boot/background.ts";
import { pool, sessionPool } from "#lib/db/client.ts";
import { taskList } from "#lib/jobs/job.ts";
import { queueLogger } from "#lib/jobs/queue.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { ledgerCash } from "#lib/payments/balance/book-unassigned.ts";
import type { Finding } from "#lib/payments/reconciliation/differences.ts";
import { reconcile } from "#lib/payments/reconciliation/reconcile.ts";
import type { PaymentWire } from "#lib/payments/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { SigningOptions } from "#stripe-stand-in/deliveries.ts";
import type { StandInOptions, StripeStandIn } from "#stripe-stand-in/stand-in.ts";
import type { StandInEvent } from "#stripe-stand-in/world.ts";
import { call, forFile, type Prepare, startTestService } from "./client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "./factories.ts";
import { rehearsalVariables, startStripe } from "./rehearsal.ts";
import { did, taskAt, type Work } from "./workflow.ts";

export type Live = {
  stripe: StripeStandIn;
  stop(): Promise<void>;
};

/** The service with LIVE configured, as a rehearsal against a stand-in of its own. Events wait until they are delivered. */
export async function startLive(options: StandInOptions = {}): Promise<Live> {
  const stripe = await startStripe(options);
  const service = await startTestService(rehearsalVariables(stripe));
  return {
    stripe,
    async stop() {
      await service.stop();
      await stripe.close();
      assert.deepEqual(stripe.wrongRequests, [], "a request that Stripe's definitions do not allow");
    },
  };
}

/** The same for all tests of a file, as `testService`. */
export const liveService = (options: StandInOptions = {}, prepare?: Prepare): Live =>
  forFile(() => startLive(options), prepare);

export function workerContext(clock = systemClock): Context {
  return { actor: { kind: "system", id: "worker" }, clock, requestId: newId("req") };
}

const TASKS = taskList(JOBS, workerContext);

/** Batches of jobs' outcomes are written before a run ends. It would not wait for outcomes that are written one by one. */
const OUTCOMES = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** Does all background work that is due, so many jobs at a time; what fails waits for its next attempt. */
export function work(concurrency = 1): Promise<void> {
  const options = { taskList: TASKS, noHandleSignals: true, logger: queueLogger, preset: OUTCOMES, concurrency };
  return runOnce({ pgPool: sessionPool(), ...options });
}

/** Hands one event in, as Stripe would. @returns the status of the answer */
export async function deliver(live: Live, event: StandInEvent, options: SigningOptions = {}): Promise<number> {
  const { url, headers, body } = live.stripe.sign(event, options);
  return (await handle(new Request(url, { method: "POST", headers, body }), { address: "192.0.2.9" })).status;
}

const delivered = new WeakMap<Live, number>();

/** Delivers everything that has happened at Stripe since the last time, and lets it be looked into. */
export async function catchUp(live: Live): Promise<void> {
  await work();
  const from = delivered.get(live) ?? 0;
  const { events } = live.stripe;
  delivered.set(live, events.length);
  for (const event of events.slice(from)) assert.equal(await deliver(live, event), 200);
  await work();
}

/** Where Stripe writes to a provider without an owner. */
export const CONTACT = { contact_email: "payments@provider.example" };

/** The account at Stripe that a provider has begun, whatever it lacks. */
export async function onboarded(live: Live, agent: TestAgent): Promise<string> {
  const answer = await callAs<{ onboarding_url: string }>(agent, "POST", "/api/v1/payments/account.php", CONTACT);
  succeeded(answer);
  const account = [...live.stripe.world.accounts.values()].find(
    ({ metadata }) => metadata.guildhall_public_id === agent.publicId,
  );
  assert.ok(account);
  return account.id;
}

/** A verified provider whose payment account is ready. */
export async function readyProvider(live: Live): Promise<TestAgent & { account: string }> {
  const agent = await verifiedAgent();
  const account = await onboarded(live, agent);
  live.stripe.activate(account);
  return { ...agent, account };
}

export type LiveWork = Work & { account: string };

/** An accepted LIVE agreement between a new requester and a ready provider, by default a new one too. */
export async function agreedLive(
  live: Live,
  amountPence = 2_001,
  terms: object = {},
  known?: TestAgent & { account: string },
): Promise<LiveWork> {
  const [requester, provider] = [await registerAgent(), known ?? (await readyProvider(live))];
  const task = { payment_mode: "LIVE", budget_pence: amountPence };
  return {
    ...(await taskAt("accepted", { requester, provider }, { amountPence, task, terms })),
    account: provider.account,
  };
}

export function fund(work: Work, key = newId("req")) {
  return call<{ payment: PaymentWire }>("POST", "/api/v1/payments/intent.php", {
    token: work.requester.token,
    body: { public_id: work.requester.publicId, contract_id: work.contractId },
    headers: { "Idempotency-Key": key },
  });
}

/** A minute passes after an opening that failed: its outcome then counts as known, and a new key may be sent. */
export async function outwaitOpening({ contractId }: Pick<Work, "contractId">): Promise<void> {
  await pool().query(
    `UPDATE payments SET created_at = created_at - interval '1 minute', attempted_at = attempted_at - interval '1 minute'
     WHERE contract_id = $1`,
    [contractId],
  );
}

/** Opens the checkout of an agreement. @returns the ID of its session */
export async function opened(work: Work): Promise<string> {
  const answer = await fund(work);
  succeeded(answer, 201);
  work.paymentId = answer.body.payment.payment_id;
  return sessionOf(work.paymentId);
}

/** The payer pays, which nobody here knows yet. @returns the ID of the payment intent */
export async function paid(live: Live, work: Work): Promise<string> {
  const session = await opened(work);
  live.stripe.pay(session);
  return intentOf(live, session);
}

export const intentOf = ({ stripe }: Live, session: string): string =>
  String(stripe.world.sessions.get(session)?.payment_intent);

/** The charge of a payment intent, as Stripe has it. */
export function chargeOf({ stripe }: Live, intent: string): Stripe.Charge {
  const charge = stripe.world.charges.get(String(stripe.world.intents.get(intent)?.latest_charge));
  assert.ok(charge);
  return charge;
}

/** The ID of the checkout session behind a payment. */
export async function sessionOf(paymentId: string): Promise<string> {
  const { rows } = await pool().query("SELECT stripe_session_id AS id FROM payments WHERE id = $1", [paymentId]);
  return rows[0].id;
}

/** An agreement whose money has come and is recorded. */
export async function fundedLive(
  live: Live,
  amountPence?: number,
  terms?: object,
): Promise<LiveWork & { intent: string }> {
  const work = await agreedLive(live, amountPence, terms);
  const intent = await paid(live, work);
  await catchUp(live);
  return { ...work, intent };
}

/** The same, worked on and completed: its transfer is queued and not yet processed. */
export async function completedLive(live: Live, amountPence?: number): Promise<LiveWork & { intent: string }> {
  const work = await fundedLive(live, amountPence);
  await finish(work);
  return work;
}

/** Everything that follows on a funded agreement, up to its completion. */
export async function finish(work: Work): Promise<void> {
  await did(work.provider, "start", work);
  await did(work.provider, "submit", work);
  await did(work.requester, "complete", work);
}

/** The settlement of a piece of work, as one of its parties reads it. */
export async function settlementOf(work: Work, agent: TestAgent = work.provider): Promise<SettlementWire> {
  const answer = await callAs<{ settlements: SettlementWire[] }>(agent, "GET", "/api/v1/settlements/mine.php", {
    limit: 100,
  });
  succeeded(answer);
  const found = answer.body.settlements.find(({ contract_id }) => contract_id === work.contractId);
  assert.ok(found);
  return found;
}

/** Why its transfer waits, as a party reads it. */
export async function holdsOf(work: Work, agent?: TestAgent): Promise<string[]> {
  return ((await settlementOf(work, agent)).transfer_holds ?? []).map(({ reason }) => reason);
}

/** What the books hold for a piece of work, by ledger account, as if Stripe took no fees; accounts that are even are left out. */
export async function balancesOf(work: Work): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ account: string; sum: number }>(
    `SELECT CASE WHEN account IN ('stripe_fees', 'dispute_fees') THEN 'cash' ELSE account::text END AS account,
       sum(amount_pence)::int AS sum FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     JOIN settlements s ON s.id = t.settlement_id WHERE s.contract_id = $1 GROUP BY 1 HAVING sum(amount_pence) <> 0`,
    [work.contractId],
  );
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]));
}

/** The checkout sessions that Stripe has of a piece of work. */
export function sessionsOf(live: Live, { contractId }: Work): Stripe.Checkout.Session[] {
  return [...live.stripe.world.sessions.values()].filter(({ metadata }) => metadata?.guildhall_contract === contractId);
}

/** The transfers that Stripe has of a piece of work: the group is the settlement, which its checkout names. */
export function transfersOf(live: Live, work: Work): Stripe.Transfer[] {
  const groups = new Set(sessionsOf(live, work).map(({ metadata }) => metadata?.guildhall_settlement));
  return [...live.stripe.world.transfers.values()].filter((transfer) => groups.has(transfer.transfer_group ?? ""));
}

/** What Stripe has of a settlement: its refunds and reversals that have not failed, and its transfers, in pence. */
export function movedAtStripe({ stripe }: Live, settlementId: string) {
  const { refunds, transfers } = stripe.world;
  const made = [...refunds.values()].filter(
    ({ metadata, status }) => metadata?.guildhall_settlement === settlementId && status !== "failed",
  );
  const sent = [...transfers.values()].filter(({ transfer_group }) => transfer_group === settlementId);
  return {
    refunds: made.map(({ amount }) => amount),
    reversals: sent.flatMap(({ reversals }) => reversals.data.map(({ amount }) => amount)),
    transfers: sent.map(({ amount }) => amount),
  };
}

/** What the ledger and Stripe do not agree about. */
export async function differences(): Promise<Finding[]> {
  return (await reconcile(workerContext())).differences;
}

/** The kinds of that, in order. */
export async function differing(): Promise<Finding["kind"][]> {
  return (await differences()).map(({ kind }) => kind).sort();
}

/** Ledger and Stripe agree about everything so far; with `live`, the ledger's cash is the whole balance. */
export async function assertAgreed(live?: Live): Promise<void> {
  assert.deepEqual(await differences(), []);
  if (live) assert.equal(await ledgerCash(), cashAtStripe(live));
}

export function cashAtStripe({ stripe }: Live): number {
  const { availablePence, pendingPence } = stripe.books().platform;
  return availablePence + pendingPence;
}

/** Does something while LIVE is not configured: an act is then only recorded, as if the process had died. */
export async function withoutStripe<Result>(act: () => Promise<Result>): Promise<Result> {
  const settings: { stripe?: object | undefined } = env();
  const { stripe } = settings;
  settings.stripe = undefined;
  try {
    return await act();
  } finally {
    settings.stripe = stripe;
  }
}
