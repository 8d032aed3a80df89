import { lockContract } from "#lib/contracts/read.ts";
import { audit } from "#lib/db/audit.ts";
import type { Contract, Payment, Prisma, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { log } from "#lib/kernel/log.ts";
import { returnPayment } from "#lib/settlements/acts/return-payment.ts";
import { paymentEvent } from "#lib/settlements/events.ts";
import { book } from "#lib/settlements/ledger.ts";
import { enqueueClosing } from "#lib/settlements/schedule.ts";
import type { Charge, Checkout } from "../gateway/port.ts";
import { recordLosses } from "./record-losses.ts";

type Start = Pick<Prisma.PaymentUncheckedCreateInput, "paymentMode" | "expiresAt">;

/** Records a payment of an agreement by its requester, which waits for its money from now on. */
export async function recordStart(tx: Tx, ctx: Context, contract: Contract, start: Start): Promise<Payment> {
  const { id: contractId, requesterId, amountPence } = contract;
  const payment = await tx.payment.create({
    data: { ...start, id: newId("pay"), contractId, requesterId, amountPence, createdAt: ctx.clock.now() },
  });
  await tx.settlement.updateMany({ where: { contractId, funding: "required" }, data: { funding: "pending" } });
  await audit(tx, ctx, {
    action: "fund",
    subjectKind: "payment",
    subjectId: payment.id,
    data: { task_id: contract.taskId, contract_id: contractId },
    event: paymentEvent("payment.created", payment, contract),
  });
  return payment;
}

/** What Stripe returned about a payment, and when it was called. */
type PaymentNews = { checkout: Checkout; charge: Charge | undefined; since: Date };

/**
 * Records what Stripe returned about a LIVE payment. A payment that has succeeded stays so. If its task has ended meanwhile, the
 * money is booked as due to the requester, and refunded if a party left or gave up the task.
 */
export async function recordPayment(tx: Tx, ctx: Context, paymentId: string, news: PaymentNews): Promise<Payment> {
  const known = await tx.payment.findUniqueOrThrow({ where: { id: paymentId }, select: { contractId: true } });
  await lockContract(tx, known.contractId);
  let payment = await tx.payment.findUniqueOrThrow({ where: { id: paymentId } });
  const settlement = await tx.settlement.findUniqueOrThrow({ where: { contractId: payment.contractId } });
  const { checkout, charge } = news;
  if (checkout.status === "paid" && charge)
    payment = await recordCharge(tx, ctx, payment, settlement, checkout, charge);
  else if (checkout.status === "expired" && payment.status === "pending")
    payment = await recordEnd(tx, ctx, payment, "expired");
  payment = await tx.payment.update({
    where: { id: payment.id },
    data: {
      checkedAt: news.since,
      ...(payment.stripeSessionId && !isPaidElsewhere(payment, checkout)
        ? {}
        : { stripeSessionId: checkout.sessionId, checkoutUrl: checkout.url }),
    },
  });
  if (payment.status === "succeeded" && charge) payment = await recordFee(tx, ctx, payment, charge);
  if (payment.status === "succeeded" && charge) await recordLosses(tx, ctx, payment, charge.losses, news.since);
  const isNew = settlement.funding !== "confirmed" && payment.status === "succeeded";
  if (isNew && settlement.returnsPayment)
    await returnPayment(tx, ctx, await tx.settlement.findUniqueOrThrow({ where: { id: settlement.id } }));
  return payment;
}

/** It was paid at another checkout than the recorded one, which an attempt without a known outcome had left. */
function isPaidElsewhere(payment: Payment, checkout: Checkout): boolean {
  return checkout.status === "paid" && payment.stripeIntentId === checkout.intentId;
}

/** Why a charge is not the one that was ordered; undefined if it is. */
function misfit(payment: Payment, checkout: Checkout, charge: Charge): string | undefined {
  if (checkout.paymentId !== payment.id) return "The checkout belongs to another payment.";
  if (!charge.paid) return "The charge is not captured.";
  if (checkout.currency !== "gbp" || charge.currency !== "gbp") return "The currency is not GBP.";
  if (checkout.amountPence !== payment.amountPence || charge.amountPence !== payment.amountPence)
    return `The amount is ${charge.amountPence} pence, not ${payment.amountPence}.`;
  if (charge.method === "link") return "It was paid through Link, not by card.";
  if (!checkout.cardOnly || (charge.method ?? "card") !== "card") return "It was not paid by card.";
  return undefined;
}

async function recordCharge(
  tx: Tx,
  ctx: Context,
  payment: Payment,
  settlement: Settlement,
  checkout: Checkout,
  charge: Charge,
): Promise<Payment> {
  if (payment.status === "succeeded") return payment;
  const other = await tx.payment.count({ where: { contractId: payment.contractId, status: "succeeded" } });
  const problem = other > 0 ? "The agreement was already paid." : misfit(payment, checkout, charge);
  const atStripe = { stripeIntentId: charge.intentId, stripeChargeId: charge.chargeId };
  if (problem) return recordMisfit(tx, ctx, payment, { ...atStripe, problem }, charge);
  const now = ctx.clock.now();
  const paid = await tx.payment.update({
    where: { id: payment.id },
    data: { ...atStripe, status: "succeeded", settledAt: now, problem: null },
  });
  const funded = await tx.settlement.update({
    where: { id: settlement.id },
    data: { funding: "confirmed", fundedAt: now },
  });
  await cancelOthers(tx, ctx, paid);
  await book(tx, ctx, { ...funded, state: "recorded" }, "funding");
  if (settlement.state === "void") await book(tx, ctx, funded, "void");
  await audit(tx, ctx, {
    action: settlement.state === "void" ? "payment_too_late" : "payment_succeeded",
    subjectKind: "payment",
    subjectId: payment.id,
    data: { stripe_charge: charge.chargeId, amount_pence: charge.amountPence },
    event: paymentEvent("payment.confirmed", paid, settlement, { settlement_state: settlement.state }),
  });
  return paid;
}

/** An agreement is paid once: its other checkouts must no longer be paid. */
async function cancelOthers(tx: Tx, ctx: Context, { contractId }: Payment): Promise<void> {
  const others = await tx.payment.findMany({ where: { contractId, status: "pending" }, select: { id: true } });
  for (const { id } of others) {
    await tx.payment.update({ where: { id }, data: { status: "canceled", settledAt: ctx.clock.now() } });
    await enqueueClosing(tx, id);
  }
}

type Misfit = Pick<Payment, "stripeIntentId" | "stripeChargeId" | "problem">;

/**
 * Records a charge that does not match its payment. It funds nothing, so a pending payment ends as declined and another can be
 * started. The charge is reported until it is refunded. A charge that may still be captured is waited for while its checkout could be
 * paid.
 */
async function recordMisfit(
  tx: Tx,
  ctx: Context,
  payment: Payment,
  misfit: Misfit,
  { paid, chargeId }: Charge,
): Promise<Payment> {
  const recorded = await tx.payment.update({ where: { id: payment.id }, data: misfit });
  const mayFollow = !paid && payment.expiresAt !== null && ctx.clock.now() < payment.expiresAt;
  if (payment.status !== "pending" || mayFollow) return recorded;
  const ended = await recordEnd(tx, ctx, recorded, "declined", misfit.problem);
  log().warn({ payment: payment.id, charge: chargeId, problem: misfit.problem }, "a charge does not match its payment");
  return ended;
}

/** Books what Stripe kept of a charge for itself, once the charge has reached its balance, and when the money becomes available. */
async function recordFee(tx: Tx, ctx: Context, payment: Payment, charge: Charge): Promise<Payment> {
  const { chargeId, feePence, availableAt } = charge;
  if (feePence === null || payment.stripeChargeId !== chargeId) return payment;
  if (payment.stripeFeePence === null) {
    const settlement = await tx.settlement.findUniqueOrThrow({ where: { contractId: payment.contractId } });
    await book(tx, ctx, settlement, "stripe_fee", { reference: chargeId, pence: feePence });
  } else if (payment.stripeAvailableAt?.getTime() === availableAt?.getTime()) return payment;
  return tx.payment.update({
    where: { id: payment.id },
    data: { stripeFeePence: feePence, stripeAvailableAt: availableAt },
  });
}

/** Ends a pending payment without money. The agreement then needs funding again. */
export async function recordEnd(
  tx: Tx,
  ctx: Context,
  payment: Payment,
  status: "expired" | "declined",
  problem: string | null = null,
): Promise<Payment> {
  const ended = await tx.payment.update({
    where: { id: payment.id, status: "pending" },
    data: { status, settledAt: ctx.clock.now(), problem },
  });
  await tx.settlement.updateMany({
    where: { contractId: payment.contractId, funding: "pending" },
    data: { funding: "required" },
  });
  const contract = await tx.contract.findUniqueOrThrow({ where: { id: payment.contractId } });
  await audit(tx, ctx, {
    action: `payment_${status}`,
    subjectKind: "payment",
    subjectId: payment.id,
    reason: problem,
    event: paymentEvent(`payment.${status}`, ended, contract),
  });
  return ended;
}
