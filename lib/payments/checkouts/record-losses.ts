import { audit } from "#lib/db/audit.ts";
import type { Payment, PaymentLoss, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { sum } from "#lib/kernel/money.ts";
import { paymentEvent } from "#lib/settlements/events.ts";
import { book } from "#lib/settlements/ledger.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import { recordAct } from "../acts/record.ts";
import { atStake } from "../chargebacks.ts";
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
    const bookings = (row?.bookings ?? 0) + 1;
    const isBooked = await bookLoss(tx, ctx, settlement, {
      loss,
      row,
      reference: bookings > 1 ? `${loss.id}#${bookings}` : loss.id,
    });
    const isMoved = loss.kind === "chargeback" && loss.gonePence !== goneOf(row);
    if (!row || row.status !== loss.status || isMoved)
      await audit(tx, ctx, {
        action: loss.kind,
        subjectKind: "payment",
        subjectId: payment.id,
        data: { stripe_id: loss.id, status: loss.status, amount_pence: loss.amountPence, gone_pence: loss.gonePence },
        event: lossEvent(payment, settlement, loss, hasHappened(loss, row)),
      });
    const { id, kind, amountPence, status, dueBy, feePence, gonePence, balanceTransactions } = loss;
    const now = {
      amountPence,
      status,
      feePence,
      gonePence,
      dueBy,
      ...(balanceTransactions ? { balanceTransactions } : {}),
      booked: gonePence !== 0,
      pending: gonePence !== 0 && loss.pending,
      bookings: isBooked ? bookings : bookings - 1,
      updatedAt: since,
    };
    const saved = await tx.paymentLoss.upsert({
      where: { id },
      create: { id, paymentId: payment.id, kind, createdAt: loss.createdAt, ...now },
      update: now,
    });
    rows.set(id, saved);
    if (loss.actId) await recordAct(tx, ctx, loss.actId, settlement.id, { stripeId: id, ...outcomeOf(loss) });
  }
  const all = [...rows.values()];
  const back = { refundedPence: sumOf(all, "refund"), disputedPence: sumOf(all, "chargeback") };
  await tx.payment.update({ where: { id: payment.id }, data: back });
  await tx.settlement.update({ where: { id: settlement.id }, data: back });
  if (back.refundedPence < payment.refundedPence || back.disputedPence < payment.disputedPence)
    await wakeTransfers(tx, settlement.taskId);
}

/** What of a loss the ledger has as gone, in pence. */
function goneOf(row: PaymentLoss | undefined): number {
  return row?.gonePence ?? (row?.booked ? row.amountPence : 0);
}

function lossEvent(payment: Payment, settlement: Settlement, loss: Loss, isLogged: boolean) {
  const { kind, status, amountPence, gonePence } = loss;
  const type = kind === "refund" ? "payment.refunded" : "payment.disputed";
  // A bank can take another amount than is disputed.
  const data = { [`${kind}_status`]: status, amount_pence: kind === "refund" ? amountPence : gonePence || amountPence };
  return paymentEvent(type, payment, settlement, data, isLogged);
}

/**
 * Whether this news is that the refund was made, or that the bank took the money. The log can't take a statement back, so a refund that
 * may still fail, an inquiry, and a dispute that is won are left to the feed.
 */
function hasHappened({ kind, status, gonePence }: Loss, row: PaymentLoss | undefined): boolean {
  if (kind === "refund") return status === "succeeded" && row?.status !== "succeeded";
  return gonePence > 0 && !row?.booked && !row?.bookings;
}

type News = { loss: Loss; row: PaymentLoss | undefined; reference: string };

/** Books what has become of a loss since it was last recorded. @returns whether anything was booked */
async function bookLoss(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  { loss, row, reference }: News,
): Promise<boolean> {
  const [away, back] = KINDS[loss.kind];
  const pence = loss.gonePence - goneOf(row);
  const wasPending = row?.booked && row.pending ? goneOf(row) : 0;
  const isPending = loss.pending ? loss.gonePence : 0;
  const movement = { reference, pence: Math.abs(pence), pendingPence: isPending - wasPending };
  if (pence !== 0) await book(tx, ctx, settlement, pence > 0 ? away : back, movement);
  else if (movement.pendingPence !== 0) await book(tx, ctx, settlement, "refund_settled", movement);
  const feePence = loss.feePence - (row?.feePence ?? 0);
  if (feePence !== 0) await book(tx, ctx, settlement, "dispute_fee", { reference, pence: feePence });
  return pence !== 0 || movement.pendingPence !== 0 || feePence !== 0;
}

/** What a refund says about the act that made it. */
function outcomeOf({ status, pending }: Loss) {
  if (pending) return { state: "pending" } as const;
  if (status === "succeeded") return { state: "done" } as const;
  return { state: "failed", problem: `The refund came back (${status}).` } as const;
}

/** In pence: what has gone, and what still may: by a refund that waits for balance, and by a dispute that is not over. */
function sumOf(rows: PaymentLoss[], kind: Loss["kind"]): number {
  const mayGo = ({ status }: PaymentLoss) => status === "pending" || status === "requires_action";
  const counted = rows.map((row) => {
    if (row.kind !== kind) return 0;
    if (kind === "chargeback") return atStake({ ...row, gonePence: row.bookings === 0 ? null : goneOf(row) });
    return row.booked || mayGo(row) ? row.amountPence : 0;
  });
  return sum(counted);
}
