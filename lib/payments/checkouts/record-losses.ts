import { audit } from "#lib/db/audit.ts";
import type { Payment, PaymentLoss, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { book } from "#lib/settlements/ledger.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import { recordAct } from "../acts/record.ts";
import { paymentEvent } from "../events.ts";
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
    const bookings = (row?.bookings ?? 0) + (loss.gone && !row?.booked ? 1 : 0);
    await bookLoss(tx, ctx, settlement, { loss, row, reference: bookings > 1 ? `${loss.id}#${bookings}` : loss.id });
    if (!row || row.status !== loss.status)
      await audit(tx, ctx, {
        action: loss.kind,
        subjectKind: "payment",
        subjectId: payment.id,
        data: { stripe_id: loss.id, status: loss.status, amount_pence: loss.amountPence },
        event: lossEvent(payment, settlement, loss, hasHappened(loss, row, bookings)),
      });
    const { id, kind, amountPence, status, dueBy, feePence } = loss;
    const now = {
      status,
      feePence,
      booked: loss.gone,
      pending: loss.gone && loss.pending,
      dueBy,
      bookings,
      updatedAt: since,
    };
    const saved = await tx.paymentLoss.upsert({
      where: { id },
      create: { id, paymentId: payment.id, kind, amountPence, createdAt: loss.createdAt, ...now },
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

function lossEvent(payment: Payment, settlement: Settlement, { kind, status, amountPence }: Loss, isLogged: boolean) {
  const type = kind === "refund" ? "payment.refunded" : "payment.disputed";
  const data = { [`${kind}_status`]: status, amount_pence: amountPence };
  return paymentEvent(type, payment, settlement, data, isLogged);
}

/**
 * Whether this news is that the refund was made, or that the bank took the money. The log can't take a statement back, so a refund that
 * may still fail, an inquiry, and a dispute that is won are left to the feed.
 */
function hasHappened({ kind, status, gone }: Loss, row: PaymentLoss | undefined, bookings: number): boolean {
  if (kind === "refund") return status === "succeeded" && row?.status !== "succeeded";
  return gone && !row?.booked && bookings === 1;
}

type News = { loss: Loss; row: PaymentLoss | undefined; reference: string };

/** Books what has become of a loss since it was last recorded. */
async function bookLoss(tx: Tx, ctx: Context, settlement: Settlement, { loss, row, reference }: News): Promise<void> {
  const [away, back] = KINDS[loss.kind];
  const pence = row?.amountPence ?? loss.amountPence;
  const wasPending = row?.booked && row.pending ? pence : 0;
  const isPending = loss.gone && loss.pending ? pence : 0;
  const movement = { reference, pence, pendingPence: isPending - wasPending };
  if (loss.gone !== (row?.booked ?? false)) await book(tx, ctx, settlement, loss.gone ? away : back, movement);
  else if (movement.pendingPence !== 0) await book(tx, ctx, settlement, "refund_settled", movement);
  const known = row?.feePence ?? 0;
  if (loss.feePence !== known)
    await book(tx, ctx, settlement, "dispute_fee", {
      reference: known === 0 ? loss.id : `${loss.id}#${loss.feePence}`,
      pence: loss.feePence - known,
    });
}

/** What a refund says about the act that made it. */
function outcomeOf({ status, pending }: Loss) {
  if (pending) return { state: "pending" } as const;
  if (status === "succeeded") return { state: "done" } as const;
  return { state: "failed", problem: `The refund came back (${status}).` } as const;
}

/** Statuses in which money has not gone and still may: an inquiry of the payer's bank, and a refund that waits for balance. */
const MAY_GO: ReadonlySet<string> = new Set([
  ...["warning_needs_response", "warning_under_review"],
  ...["pending", "requires_action"],
]);

/** In pence: what has gone, and what still may. */
function sumOf(rows: PaymentLoss[], kind: Loss["kind"]): number {
  return rows
    .filter((row) => row.kind === kind && (row.booked || MAY_GO.has(row.status)))
    .reduce((sum, { amountPence }) => sum + amountPence, 0);
}
