import { audit } from "#lib/db/audit.ts";
import type { Payment, PaymentLoss } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { book } from "#lib/settlements/ledger.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import type { Loss } from "../gateway/port.ts";

const KINDS = {
  refund: ["refund", "refund_failed"],
  chargeback: ["chargeback", "chargeback_won"],
} as const;

/**
 * Records the refunds and disputes of a payment's charge as they were read at `since`, and books the money that left or came
 * back. Whatever a later reading has recorded stays.
 */
export async function recordLosses(tx: Tx, ctx: Context, payment: Payment, losses: Loss[], since: Date): Promise<void> {
  const known = await tx.paymentLoss.findMany({ where: { paymentId: payment.id } });
  if (losses.length === 0 && known.length === 0) return;
  const settlement = await tx.settlement.findUniqueOrThrow({ where: { contractId: payment.contractId } });
  const rows = new Map(known.map((row) => [row.id, row]));
  for (const loss of losses) {
    const row = rows.get(loss.id);
    if (row && row.updatedAt > since) continue;
    const moves = loss.gone !== (row?.booked ?? false);
    const bookings = (row?.bookings ?? 0) + (moves && loss.gone ? 1 : 0);
    if (moves) {
      const [away, back] = KINDS[loss.kind];
      const reference = bookings > 1 ? `${loss.id}#${bookings}` : loss.id;
      await book(tx, ctx, settlement, loss.gone ? away : back, {
        reference,
        pence: row?.amountPence ?? loss.amountPence,
      });
    }
    if (!row || row.status !== loss.status)
      await audit(tx, ctx, {
        action: loss.kind,
        subjectKind: "payment",
        subjectId: payment.id,
        data: { stripe_id: loss.id, status: loss.status, amount_pence: loss.amountPence },
      });
    const { id, kind, amountPence, status } = loss;
    const now = { status, booked: loss.gone, bookings, updatedAt: since };
    const saved = await tx.paymentLoss.upsert({
      where: { id },
      create: { id, paymentId: payment.id, kind, amountPence, createdAt: loss.createdAt, ...now },
      update: now,
    });
    rows.set(id, saved);
  }
  const all = [...rows.values()];
  const [refundedPence, disputedPence] = [sumOf(all, "refund"), sumOf(all, "chargeback")];
  await tx.payment.update({ where: { id: payment.id }, data: { refundedPence, disputedPence } });
  if (refundedPence < payment.refundedPence || disputedPence < payment.disputedPence)
    await wakeTransfers(tx, settlement.taskId);
}

/** Stripe's statuses of an inquiry that the payer's bank may still turn into a chargeback. */
const OPEN_INQUIRY: ReadonlySet<string> = new Set(["warning_needs_response", "warning_under_review"]);

/** In pence: what has gone, and what an open inquiry may still take. */
function sumOf(rows: PaymentLoss[], kind: Loss["kind"]): number {
  return rows
    .filter((row) => row.kind === kind && (row.booked || OPEN_INQUIRY.has(row.status)))
    .reduce((sum, { amountPence }) => sum + amountPence, 0);
}
