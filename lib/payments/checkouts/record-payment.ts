import { lockContract } from "#lib/contracts/read.ts";
import { audit } from "#lib/db/audit.ts";
import type { Payment, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { book } from "#lib/settlements/ledger.ts";
import type { Charge, Checkout } from "../gateway/port.ts";
import { recordLosses } from "./record-losses.ts";

/** What Stripe returned about a payment, and when it was called. */
export type PaymentNews = { checkout: Checkout; charge: Charge | undefined; since: Date };

/**
 * Records what Stripe returned about a LIVE payment. A payment that has succeeded stays so. If its task has ended meanwhile, the
 * money is booked as due to the requester.
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
      ...(payment.stripeSessionId ? {} : { stripeSessionId: checkout.sessionId, checkoutUrl: checkout.url }),
    },
  });
  if (payment.status === "succeeded" && charge) await recordLosses(tx, ctx, payment, charge.losses, news.since);
  return payment;
}

/** Why a charge is not the one that was ordered; undefined if it is. */
function misfit(payment: Payment, checkout: Checkout, charge: Charge): string | undefined {
  if (checkout.paymentId !== payment.id) return "The checkout belongs to another payment.";
  if (!charge.paid) return "The charge is not captured.";
  if (checkout.currency !== "gbp" || charge.currency !== "gbp") return "The currency is not GBP.";
  if (checkout.amountPence !== payment.amountPence || charge.amountPence !== payment.amountPence)
    return `The amount is ${charge.amountPence} pence, not ${payment.amountPence}.`;
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
  // A charge that does not match funds nothing. It is recorded for the administrator to look into.
  if (problem) return tx.payment.update({ where: { id: payment.id }, data: { ...atStripe, problem } });
  const now = ctx.clock.now();
  const paid = await tx.payment.update({
    where: { id: payment.id },
    data: { ...atStripe, status: "succeeded", settledAt: now, problem: null },
  });
  const funded = await tx.settlement.update({
    where: { id: settlement.id },
    data: { funding: "confirmed", fundedAt: now },
  });
  await book(tx, ctx, { ...funded, state: "recorded" }, "funding");
  if (settlement.state === "void") await book(tx, ctx, funded, "void");
  await audit(tx, ctx, {
    action: settlement.state === "void" ? "payment_too_late" : "payment_succeeded",
    subjectKind: "payment",
    subjectId: payment.id,
    data: { stripe_charge: charge.chargeId, amount_pence: charge.amountPence },
  });
  return paid;
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
  await audit(tx, ctx, { action: `payment_${status}`, subjectKind: "payment", subjectId: payment.id, reason: problem });
  return ended;
}
