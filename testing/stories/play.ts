import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { cancelTransfer } from "#lib/admin/money/cancel-transfer.ts";
import { refund as refundByAct, reverseTransfer, sendTransfer } from "#lib/admin/money/move.ts";
import type { Choice } from "#lib/admin/money/resolution.ts";
import { prisma } from "#lib/db/client.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { refreshAccount } from "#lib/payments/accounts/account.ts";
import { readPayment } from "#lib/payments/checkouts/checkout.ts";
import { compareSettlement } from "#lib/payments/reconciliation/compare.ts";
import { loadMoneyFacts, refundableOf, sendableOf } from "#lib/settlements/acts/facts.ts";
import type { StripeStandIn } from "#stripe-stand-in/stand-in.ts";
import { letTimePass } from "#stripe-stand-in/time.ts";
import { registerAgent, succeeded } from "#testing/factories.ts";
import { fund, type Live, sessionOf, settlementOf, workerContext } from "#testing/live.ts";
import { did, passTime, taskAt } from "#testing/workflow.ts";
import type { Planted } from "./plant.ts";
import { forAll, Post, subjectOf, workAll } from "./post.ts";
import type { Chargeback, Loss, Story } from "./story.ts";

/** One story, played under one order of its events. */
export type Run = { story: Story; order: number; work: Planted; session: string; intent: string };

const admin = commandLineContext("stories");
const reason = "As the story goes.";

/** Plays all runs side by side, act by act; between the acts events come as they please. @returns the post */
export async function play(live: Live, runs: Run[]): Promise<Post> {
  const { stripe } = live;
  const byKey = new Map(runs.flatMap((run) => [run.work.settlementId, run.work.account].map((key) => [key, run])));
  const seeds = new Map(runs.map((run) => [run.work.settlementId, `${run.story.number}:${run.order}`]));
  const post = new Post(live, (event) => byKey.get(subjectOf(live, event) ?? "")?.work.settlementId);
  const between = async () => {
    const behind = await post.round((run) => seeds.get(run) ?? run);
    // What did not come is found by looking: here for the few, at the end for all.
    await forAll([...behind], (settlementId) => look(byKey.get(settlementId)?.work));
    await workAll();
  };
  const where = (test: (story: Story) => boolean) => runs.filter(({ story }) => test(story));

  await forAll(runs, openCheckout);
  await forAll(
    where(({ checkout }) => checkout === "cancelled" || checkout === "paid_after_cancelling"),
    ({ work }) => did(work.requester, "cancel", work),
  );
  await forAll(
    where(({ checkout }) => checkout === "given_up" || checkout === "paid_after_giving_up"),
    ({ work }) => did(work.provider, "give_up", work),
  );
  for (const { story, session } of runs) {
    if (story.checkout.startsWith("expired")) stripe.expire(session);
    if (story.checkout === "declined_then_paid") stripe.pay(session, "decline");
    if (/^(paid|declined)/.test(story.checkout)) pay(stripe, session, story);
  }
  await between();
  const again = where(({ checkout }) => checkout === "expired_then_paid");
  await forAll(again, openCheckout);
  for (const { session, story } of again) pay(stripe, session, story);
  await between();
  enterLateCharges(stripe);

  for (const run of runs) run.intent = String(stripe.world.sessions.get(run.session)?.payment_intent);
  const paid = where(({ checkout }) => checkout.endsWith("paid"));
  await forAll(
    paid.filter(({ story }) => story.ending !== "none"),
    (run) => endWork(stripe, run),
  );
  const funded = paid.filter(({ story }) => story.ending === "none");
  await forAll(funded, async ({ work }) => {
    await did(work.provider, "start", work);
    await did(work.provider, "submit", work);
  });
  await forAll(
    funded.filter(({ story }) => story.dispute !== "none"),
    async ({ work, story }) => {
      const disputeId = String((await did(work.requester, "dispute", work)).dispute?.dispute_id);
      const providerPence = Math.floor((story.grossPence * story.awardedPercent) / 100);
      const choice: Choice =
        story.dispute === "split"
          ? { resolution: "split", providerPence }
          : { resolution: story.dispute === "provider" ? "provider" : "requester", refund: story.dispute === "refund" };
      await resolveDispute(admin, { disputeId, ...choice, reason });
    },
  );
  const contested = new Map<string, string>();
  const reviews: string[] = [];
  for (const { story, work, intent } of funded) {
    if (story.warning === "early_fraud_warning") stripe.warnOfFraud(intent);
    if (story.warning === "review") reviews.push(stripe.openReview(intent).id);
    refund(stripe, intent, story.refundBefore);
    if (story.chargebackBefore !== "none" && isRefundable(stripe, intent))
      contested.set(work.settlementId, contest(stripe, intent, story.chargebackBefore));
    if (story.unready) stripe.require(work.account, "individual.verification.document", "past_due");
  }
  await between();

  const done = funded.filter(({ story }) => story.dispute === "none" || story.dispute === "provider");
  await forAll(done, async ({ work, story }) => {
    await did(work.requester, "complete", work);
    if (story.held) await hold(admin, { subjectId: work.taskId, reason });
  });
  await between();
  await forAll(
    done.filter(({ story }) => story.held),
    ({ work }) => unhold(admin, { subjectId: work.taskId, reason }),
  );
  for (const review of reviews) stripe.closeReview(review);
  for (const { story, work } of funded) {
    const dispute = contested.get(work.settlementId);
    if (dispute) endDispute(stripe, dispute, story.chargebackBefore);
    if (story.unready) stripe.activate(work.account);
  }
  await between();

  for (const run of funded) afterwards(stripe, run, contested.has(run.work.settlementId));
  await between();
  await forAll(funded, decide);
  await between();
  // Money that came too late is decided about as well.
  await forAll(runs, decideRest);
  await post.round((run) => seeds.get(run) ?? run, true);
  await workAll();
  return post;
}

/** A provider who owes something after a story makes another deal, from whose transfer it is kept. @returns the deals' settlements */
export async function playOn(live: Live, runs: Run[]): Promise<string[]> {
  const owing = await prisma().settlement.findMany({
    where: { id: { in: runs.map(({ work }) => work.settlementId) }, debtPence: { gt: 0 } },
    select: { id: true },
  });
  const ids = new Set(owing.map(({ id }) => id));
  const made: string[] = [];
  for (const { work } of runs) {
    if (!ids.has(work.settlementId)) continue;
    const parties = { requester: await registerAgent(), provider: work.provider };
    const amountPence = 20_000;
    const task = { payment_mode: "LIVE", budget_pence: amountPence };
    const next = { ...(await taskAt("accepted", parties, { amountPence, task })), account: work.account };
    const answer = await fund(next);
    succeeded(answer, 201);
    live.stripe.pay(await sessionOf(answer.body.payment.payment_id));
    await readPayment(workerContext(), answer.body.payment.payment_id);
    await did(next.provider, "start", next);
    await did(next.provider, "submit", next);
    await did(next.requester, "complete", next);
    made.push((await settlementOf(next)).settlement_id);
  }
  await workAll();
  return made;
}

async function openCheckout(run: Run): Promise<void> {
  const answer = await fund(run.work);
  succeeded(answer, 201);
  run.session = await sessionOf(answer.body.payment.payment_id);
}

/** A party ends the work, after what the platform may have refunded in Stripe's dashboard is known. */
async function endWork(stripe: StripeStandIn, { story, work, intent }: Run): Promise<void> {
  await did(work.provider, "start", work);
  refund(stripe, intent, story.refundBefore);
  await look(work);
  if (story.ending === "give_up") return void (await did(work.provider, "give_up", work));
  await passTime(work.taskId, 31);
  await did(work.requester, "leave", work);
}

async function look(work: Planted | undefined): Promise<void> {
  if (!work) return;
  await refreshAccount(workerContext(), work.provider.publicId);
  await compareSettlement(workerContext(), work.settlementId);
}

const ignoringImpossible = async (act: Promise<unknown>): Promise<void> => {
  await act.catch((error) => {
    if (!(error instanceof ApiError)) throw error;
  });
};

/** An act of an administrator at the end. One that is no longer possible is refused. */
async function decide({ story, work: { settlementId } }: Run): Promise<void> {
  const pence = story.decision.endsWith("part") ? Math.ceil(story.grossPence / 5) : undefined;
  const order = { settlementId, pence, reason };
  if (story.decision.startsWith("refund")) await ignoringImpossible(refundByAct(admin, order));
  if (story.decision.startsWith("reverse")) await ignoringImpossible(reverseTransfer(admin, order));
}

/** Whatever still waits for a person is decided. */
async function decideRest({ story, work: { settlementId } }: Run): Promise<void> {
  const settlement = await prisma().settlement.findUniqueOrThrow({ where: { id: settlementId } });
  const facts = await loadMoneyFacts(prisma(), settlement);
  if (settlement.state === "void" && refundableOf(facts) > 0)
    await ignoringImpossible(refundByAct(admin, { settlementId, reason }));
  const sends = story.sendsRest || (facts.open !== undefined && facts.moved.sent === 0);
  if (sendableOf(facts) > 0 && sends) await sendTransfer(admin, { settlementId, reason });
  else if (facts.open) await cancelTransfer(admin, { settlementId, reason });
}

function pay(stripe: StripeStandIn, session: string, { late }: Story): void {
  stripe.world.balanceDelaySeconds = late ? 3_600 : 0;
  stripe.pay(session);
  stripe.world.balanceDelaySeconds = 0;
}

/** The hour is over for all charges that had not reached the balance. */
function enterLateCharges({ world }: StripeStandIn): void {
  for (const id of world.unbalanced.keys()) world.unbalanced.set(id, 0);
  letTimePass(world);
}

/** The payer's bank disputes a payment. @returns the dispute's ID */
function contest(stripe: StripeStandIn, intent: string, chargeback: Chargeback): string {
  if (chargeback === "prevented") return stripe.openDispute(intent, { decided: "prevented" }).id;
  const charge = stripe.world.charges.get(String(stripe.world.intents.get(intent)?.latest_charge));
  const left = (charge?.amount ?? 0) - (charge?.amount_refunded ?? 0);
  return stripe.openDispute(intent, chargeback === "over" ? { takenPence: Math.ceil(left * 1.07) } : {}).id;
}

function endDispute(stripe: StripeStandIn, id: string, chargeback: Chargeback): void {
  const dispute = stripe.world.disputes.get(id);
  if (chargeback === "prevented" || !dispute) return;
  if (chargeback === "countered") stripe.counterDispute(id);
  if (chargeback === "appealed") {
    stripe.closeDispute(id, "lost");
    stripe.appealDispute(id);
  }
  if (chargeback === "half_won") stripe.closeDispute(id, "won", Math.floor(dispute.amount / 2));
  else stripe.closeDispute(id, chargeback === "won" || chargeback === "appealed" ? "won" : "lost");
}

function isRefundable({ world }: StripeStandIn, intent: string): boolean {
  const charge = world.charges.get(String(world.intents.get(intent)?.latest_charge));
  return charge !== undefined && !charge.disputed && !charge.refunded;
}

function refund(stripe: StripeStandIn, intent: string, much: Loss): void {
  const charge = stripe.world.charges.get(String(stripe.world.intents.get(intent)?.latest_charge));
  if (!charge || much === "none" || charge.disputed || charge.refunded) return;
  const left = charge.amount - charge.amount_refunded;
  stripe.refund(intent, much === "whole" ? left : Math.ceil(left / 3));
}

/** What banks and the platform's own dashboard do once the money is on its way. */
function afterwards(stripe: StripeStandIn, { story, work, intent }: Run, wasContested: boolean): void {
  const transfer = [...stripe.world.transfers.values()].find((each) => each.transfer_group === work.settlementId);
  if (transfer && story.payout !== "none") {
    const payout = stripe.payout(work.account);
    if (story.payout !== "under_way") stripe.payoutPaid(payout);
    if (story.payout.startsWith("failed")) stripe.failPayout(payout);
    if (story.payout === "failed_then_paid") stripe.payoutPaid(stripe.payout(work.account));
  }
  if (transfer && story.reversal !== "none")
    stripe.reverse(transfer.id, story.reversal === "whole" ? undefined : Math.ceil(transfer.amount / 4));
  refund(stripe, intent, story.refundAfter);
  const charge = stripe.world.charges.get(String(stripe.world.intents.get(intent)?.latest_charge));
  if (wasContested || story.chargebackAfter === "none" || !charge || charge.refunded) return;
  endDispute(stripe, contest(stripe, intent, story.chargebackAfter), story.chargebackAfter);
}
