import { audit } from "#lib/db/audit.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { moneyEvent } from "#lib/settlements/events.ts";
import { book } from "#lib/settlements/ledger.ts";
import { lockTask } from "#lib/tasks/row.ts";
import type { SentTransfer } from "../gateway/port.ts";

/**
 * Records a transfer as Stripe returned it: that it was sent, and its reversals. Each is booked once, in whatever order they
 * become known.
 * @returns false if Stripe's figures are not those of the settlement; then nothing is recorded
 */
export async function recordTransfer(
  tx: Tx,
  ctx: Context,
  settlementId: string,
  transfer: SentTransfer,
): Promise<boolean> {
  const known = await tx.settlement.findUnique({ where: { id: settlementId }, select: { taskId: true } });
  if (!known) return false;
  await lockTask(tx, known.taskId);
  const settlement = await tx.settlement.findUniqueOrThrow({ where: { id: settlementId } });
  const intent = await tx.transferIntent.findUnique({ where: { settlementId } });
  if (!intent || intent.id !== transfer.transferId) return false;
  if (transfer.amountPence !== intent.amountPence || transfer.currency !== "gbp") return false;
  if (intent.stripeTransferId && intent.stripeTransferId !== transfer.stripeTransferId) return false;
  const now = ctx.clock.now();
  if (!intent.stripeTransferId) {
    await tx.transferIntent.update({
      where: { id: intent.id },
      data: {
        state: "sent",
        stripeTransferId: transfer.stripeTransferId,
        destinationPayment: transfer.destinationPayment,
        stripeAccountId: transfer.accountId,
        sentAt: now,
        checkedAt: now,
        problem: null,
      },
    });
    await tx.settlement.update({ where: { id: settlementId }, data: { transfer: "sent", transferredAt: now } });
    await book(tx, ctx, settlement, "transfer", { pence: intent.amountPence });
    await audit(tx, ctx, {
      action: "transfer",
      subjectKind: "settlement",
      subjectId: settlementId,
      data: { stripe_transfer: transfer.stripeTransferId, amount_pence: intent.amountPence },
      event: moneyEvent(
        "transfer.sent",
        settlement,
        { amount_pence: intent.amountPence },
        { amount_pence: intent.amountPence },
      ),
    });
  }
  const booked = await tx.ledgerTransaction.findMany({
    where: { settlementId, kind: "reversal" },
    select: { reference: true },
  });
  const seen = new Set(booked.map(({ reference }) => reference));
  const fresh = transfer.reversals.filter(({ id }) => !seen.has(id));
  for (const { id, amountPence } of fresh) {
    await book(tx, ctx, settlement, "reversal", { reference: id, pence: amountPence });
    await audit(tx, ctx, {
      action: "transfer_reversed",
      subjectKind: "settlement",
      subjectId: settlementId,
      data: { stripe_reversal: id, amount_pence: amountPence },
      event: moneyEvent("transfer.reversed", settlement, { amount_pence: amountPence }, { amount_pence: amountPence }),
    });
  }
  if (fresh.length > 0) {
    const reversedPence = intent.reversedPence + fresh.reduce((sum, { amountPence }) => sum + amountPence, 0);
    await tx.transferIntent.update({ where: { id: intent.id }, data: { reversedPence } });
    if (reversedPence >= intent.amountPence)
      await tx.settlement.update({ where: { id: settlementId }, data: { transfer: "reversed" } });
  }
  await tx.transferIntent.update({ where: { id: intent.id }, data: { checkedAt: now } });
  return true;
}
