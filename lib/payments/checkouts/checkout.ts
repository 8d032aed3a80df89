import { lockContract } from "#lib/contracts/read.ts";
import { prisma } from "#lib/db/client.ts";
import type { Payment } from "#lib/db/generated/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { clip } from "#lib/kernel/text.ts";
import { enqueueClosing } from "#lib/settlements/schedule.ts";
import { liveGateway } from "../gateway/live.ts";
import { type Charge, type Checkout, type CheckoutOrder, type LiveGateway, ProcessorError } from "../gateway/port.ts";
import { recordEnd, recordPayment } from "./record-payment.ts";
import { readWarnings } from "./record-warnings.ts";

/** An attempt that has had no answer for this long is looked up before it is repeated. */
const LOOK_UP_SECONDS = 60;
const TITLE_CHARACTERS = 200;
/** For at least so long a checkout must be payable: half an hour at Stripe, and a minute for what its clock and ours differ by. */
const SHORTEST_SECONDS = 31 * 60;

const shared = globalThis as { guildhallOpenings?: Map<string, Promise<Payment>> };

/**
 * Opens the checkout of a payment, or finishes an opening with an unknown outcome. Repeating it returns the same checkout, and
 * simultaneous calls in one process share one call of Stripe.
 * @throws ProcessorError; after `refused` the payment is declined and another may be started
 */
export function openCheckout(ctx: Context, paymentId: string): Promise<Payment> {
  shared.guildhallOpenings ??= new Map();
  const running = shared.guildhallOpenings;
  const known = running.get(paymentId);
  if (known) return known;
  const opening = open(ctx, paymentId).finally(() => running.delete(paymentId));
  running.set(paymentId, opening);
  return opening;
}

async function open(ctx: Context, paymentId: string): Promise<Payment> {
  const payment = await prisma().payment.findUniqueOrThrow({
    where: { id: paymentId },
    include: { contract: { include: { task: true, settlement: true } } },
  });
  if (payment.stripeSessionId || payment.status !== "pending") return payment;
  const gateway = await liveGateway();
  const { contract, expiresAt } = payment;
  if (!contract.settlement || !expiresAt) throw new Error(`payment ${paymentId} is not a LIVE payment`);
  const order: CheckoutOrder = {
    paymentId,
    attempt: payment.attempt,
    contractId: contract.id,
    taskId: contract.taskId,
    settlementId: contract.settlement.id,
    providerId: contract.providerId,
    amountPence: payment.amountPence,
    termsHash: contract.termsHash,
    title: clip(contract.task.title, TITLE_CHARACTERS),
    expiresAt,
  };
  const since = ctx.clock.now();
  const isOld = secondsAfter(payment.createdAt, LOOK_UP_SECONDS) <= since;
  try {
    const found = isOld || payment.outcomeUnknown || payment.attempt > 1 ? await findOne(gateway, payment) : undefined;
    // Stripe refuses a checkout that ends within half an hour, and another end would be another request under the same key.
    if (!found && secondsAfter(since, SHORTEST_SECONDS) > expiresAt)
      return await giveUp(ctx, payment, "expired", "The checkout was never opened.");
    const checkout = found ?? (await gateway.openCheckout(order));
    if (checkout.status === "open" && !checkout.cardOnly) {
      await gateway.closeCheckout(checkout.sessionId, paymentId);
      await giveUp(ctx, payment, "declined", "The checkout would have taken more than cards.");
      throw new ProcessorError("refused", "not_card_only", "Stripe opened a checkout that takes more than cards.");
    }
    return await record(ctx, payment, checkout, since);
  } catch (error) {
    if (error instanceof ProcessorError && (await noteFailure(ctx, payment, error))) return open(ctx, paymentId);
    throw error;
  }
}

async function record(ctx: Context, payment: Payment, checkout: Checkout, since: Date): Promise<Payment> {
  return transaction(async (tx) => {
    const recorded = await recordPayment(tx, ctx, payment.id, { checkout, charge: undefined, since });
    // Cancelled while we were waiting for Stripe: it must no longer be paid.
    if (recorded.status !== "pending") await enqueueClosing(tx, payment.id);
    return tx.payment.update({ where: { id: payment.id }, data: { outcomeUnknown: false } });
  });
}

/**
 * Records a failure. A failure that Stripe reported may still take effect: until `LOOK_UP_SECONDS` have passed, the same key is sent
 * again, and after that a new one.
 * @returns whether a new key can be sent now
 */
async function noteFailure(ctx: Context, payment: Payment, error: ProcessorError): Promise<boolean> {
  if (error.kind === "refused") {
    if (error.code !== "not_card_only") await giveUp(ctx, payment, "declined", `Stripe refused it (${error.code}).`);
    return false;
  }
  if (error.kind !== "unknown") return false;
  const now = ctx.clock.now();
  const isKnown = secondsAfter(payment.attemptedAt ?? payment.createdAt, LOOK_UP_SECONDS) <= now;
  const isSpent = error.answered && isKnown;
  const { count } = await prisma().payment.updateMany({
    where: { id: payment.id, status: "pending", attempt: payment.attempt },
    data: { outcomeUnknown: true, ...(isSpent ? { attempt: { increment: 1 }, attemptedAt: now } : {}) },
  });
  return isSpent && count > 0;
}

function giveUp(
  ctx: Context,
  { id, contractId }: Payment,
  status: "expired" | "declined",
  problem: string,
): Promise<Payment> {
  return transaction(async (tx) => {
    await lockContract(tx, contractId);
    const payment = await tx.payment.findUniqueOrThrow({ where: { id } });
    return payment.status === "pending" ? recordEnd(tx, ctx, payment, status, problem) : payment;
  });
}

/** A payment as it is now recorded, with what Stripe has just returned. */
export type Reading = { payment: Payment; checkout: Checkout | undefined; charge: Charge | undefined };

/**
 * Of several checkouts of one payment, the one that counts: one that has been paid, else the recorded one, else the oldest that is
 * open. Pure.
 * @param checkouts oldest first
 */
function chooseCheckout(checkouts: Checkout[], recordedId: string | null): Checkout | undefined {
  const isRecorded = ({ sessionId }: Checkout) => sessionId === recordedId;
  const paid = checkouts.filter(({ status }) => status === "paid" || status === "processing");
  return (
    paid.find(isRecorded) ??
    paid[0] ??
    checkouts.find(isRecorded) ??
    checkouts.find(({ status }) => status === "open") ??
    checkouts[0]
  );
}

/** Looks for all checkouts of a payment, and closes each that may be paid but the one that counts, which is returned. */
async function findOne(gateway: LiveGateway, payment: Payment): Promise<Checkout | undefined> {
  const all = await withoutOthers(await gateway.findCheckouts(payment.id, payment.createdAt), payment);
  const chosen = chooseCheckout(all, payment.stripeSessionId);
  let counts = chosen;
  for (const checkout of all) {
    const mayBePaid = checkout.status === "open" || checkout.status === "unknown";
    if (!mayBePaid || (checkout === chosen && payment.status === "pending")) continue;
    const closed = await gateway.closeCheckout(checkout.sessionId, payment.id);
    if (checkout === chosen) counts = closed;
  }
  return counts;
}

/** Those that are not recorded with another payment: whoever changes what a checkout names at Stripe does not give it to this one. */
async function withoutOthers(checkouts: Checkout[], { id }: Payment): Promise<Checkout[]> {
  if (checkouts.length === 0) return checkouts;
  const others = await prisma().payment.findMany({
    where: { id: { not: id }, stripeSessionId: { in: checkouts.map(({ sessionId }) => sessionId) } },
    select: { stripeSessionId: true },
  });
  return checkouts.filter(({ sessionId }) => others.every(({ stripeSessionId }) => stripeSessionId !== sessionId));
}

/** A session can be open for a day at most: after that, an unknown one can no longer be paid. */
export const SESSION_SECONDS = 25 * 3600;

/** An attempt without a known outcome may have left a checkout that appears later. */
function mayHaveSeveral({ attempt, outcomeUnknown, createdAt }: Payment, now: Date): boolean {
  return (attempt > 1 || outcomeUnknown) && secondsAfter(createdAt, SESSION_SECONDS) > now;
}

/**
 * Reads a payment's checkout and charge at Stripe and records them. Undefined if it is not a LIVE payment of ours.
 * @param all looks for every checkout that names the payment, and closes those that must not be paid
 * @throws ProcessorError
 */
export async function readPayment(ctx: Context, paymentId: string, all = false): Promise<Reading | undefined> {
  const payment = await prisma().payment.findUnique({ where: { id: paymentId } });
  if (payment?.paymentMode !== "LIVE") return undefined;
  const since = ctx.clock.now();
  const gateway = await liveGateway();
  const checkout =
    payment.stripeSessionId && !all && !mayHaveSeveral(payment, since)
      ? await gateway.readCheckout(payment.stripeSessionId)
      : await findOne(gateway, payment);
  if (checkout) return recordReading(ctx, gateway, payment, checkout, since);
  await prisma().payment.updateMany({ where: { id: paymentId, status: "pending" }, data: { checkedAt: since } });
  return { payment, checkout, charge: undefined };
}

/** Closes the checkout of a payment that was cancelled here. If it was paid first, the money is recorded. */
export async function closeCheckout(ctx: Context, paymentId: string): Promise<void> {
  const payment = await prisma().payment.findUniqueOrThrow({ where: { id: paymentId } });
  if (payment.status === "succeeded") return;
  const gateway = await liveGateway();
  const since = ctx.clock.now();
  const checkout =
    payment.stripeSessionId && !mayHaveSeveral(payment, since)
      ? await gateway.closeCheckout(payment.stripeSessionId, paymentId)
      : await findOne(gateway, payment);
  if (checkout) await recordReading(ctx, gateway, payment, checkout, since);
  else await prisma().payment.update({ where: { id: paymentId }, data: { checkedAt: since } });
}

async function recordReading(
  ctx: Context,
  gateway: LiveGateway,
  { id, stripeIntentId }: Payment,
  checkout: Checkout,
  since: Date,
): Promise<Reading> {
  const intentId = checkout.status === "paid" ? checkout.intentId : stripeIntentId;
  const charge = intentId ? await gateway.readCharge(intentId) : undefined;
  const payment = await transaction((tx) => recordPayment(tx, ctx, id, { checkout, charge, since }));
  // After the money is recorded: a key that may not read warnings must not keep payments from being recorded, only transfers.
  if (charge && payment.status === "succeeded") await readWarnings(ctx, gateway, payment, charge);
  return { payment, checkout, charge };
}
