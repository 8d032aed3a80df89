import { audit } from "#lib/db/audit.ts";
import type { Settlement, TransferIntent } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { sum } from "#lib/kernel/money.ts";
import { transferEvent } from "#lib/settlements/events.ts";
import { book } from "#lib/settlements/ledger.ts";
import { showTransfers } from "#lib/settlements/transfers.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { recordAct } from "../acts/record.ts";
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
  if (!known || !transfer.transferId) return false;
  await lockTask(tx, known.taskId);
  const settlement = await tx.settlement.findUniqueOrThrow({ where: { id: settlementId } });
  const intent = await tx.transferIntent.findUnique({ where: { id: transfer.transferId } });
  if (intent?.settlementId !== settlementId) return false;
  if (transfer.amountPence !== intent.amountPence || transfer.currency !== "gbp") return false;
  if (intent.stripeTransferId && intent.stripeTransferId !== transfer.stripeTransferId) return false;
  if (!intent.stripeTransferId) await recordSending(tx, ctx, settlement, intent, transfer);
  await recordReversals(tx, ctx, settlement, intent, transfer);
  await tx.transferIntent.update({ where: { id: intent.id }, data: { checkedAt: ctx.clock.now() } });
  return true;
}

async function recordSending(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  { id, amountPence }: TransferIntent,
  transfer: SentTransfer,
): Promise<void> {
  const now = ctx.clock.now();
  const { stripeTransferId, destinationPayment, accountId: stripeAccountId } = transfer;
  const isFirst = (await tx.transferIntent.count({ where: { settlementId: settlement.id, state: "sent" } })) === 0;
  await tx.transferIntent.update({
    where: { id },
    data: {
      state: "sent",
      stripeTransferId,
      destinationPayment,
      stripeAccountId,
      sentAt: now,
      checkedAt: now,
      problem: null,
    },
  });
  await tx.settlement.update({
    where: { id: settlement.id },
    // What is known of the payout of an earlier transfer says nothing about this one's.
    data: { transferredAt: now, ...(isFirst ? {} : { payout: "unknown", payoutUnattributed: false, paidOutAt: null }) },
  });
  await showTransfers(tx, settlement.id);
  await book(tx, ctx, settlement, "transfer", { pence: amountPence, ...(isFirst ? {} : { reference: id }) });
  await audit(tx, ctx, {
    action: "transfer",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { stripe_transfer: stripeTransferId, amount_pence: amountPence },
    event: transferEvent("transfer.sent", settlement, amountPence),
  });
}

async function recordReversals(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  intent: TransferIntent,
  { reversals }: SentTransfer,
): Promise<void> {
  const booked = await tx.ledgerTransaction.findMany({
    where: { settlementId: settlement.id, kind: "reversal" },
    select: { reference: true },
  });
  const seen = new Set(booked.map(({ reference }) => reference));
  const fresh = reversals.filter(({ id }) => !seen.has(id));
  for (const { id, amountPence, actId } of fresh) {
    // A transfer that is reversed after all is no longer a debt.
    const { debtPence } = await tx.settlement.findUniqueOrThrow({ where: { id: settlement.id } });
    if (debtPence > 0)
      await tx.settlement.update({
        where: { id: settlement.id },
        data: { debtPence: Math.max(0, debtPence - amountPence) },
      });
    await book(tx, ctx, settlement, "reversal", { reference: id, pence: amountPence });
    await audit(tx, ctx, {
      action: "transfer_reversed",
      subjectKind: "settlement",
      subjectId: settlement.id,
      data: { stripe_reversal: id, amount_pence: amountPence },
      event: transferEvent("transfer.reversed", settlement, amountPence),
    });
    if (actId) await recordAct(tx, ctx, actId, settlement.id, { stripeId: id, state: "done" });
  }
  if (fresh.length === 0) return;
  const reversedPence = intent.reversedPence + sum(fresh.map(({ amountPence }) => amountPence));
  await tx.transferIntent.update({ where: { id: intent.id }, data: { reversedPence } });
  await showTransfers(tx, settlement.id);
}
