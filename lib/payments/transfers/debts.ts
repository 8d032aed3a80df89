import { audit } from "#lib/db/audit.ts";
import type { Settlement, TransferIntent } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { moneyEvent } from "#lib/settlements/events.ts";
import { book, dealOf, overpaidOf, readLedger } from "#lib/settlements/ledger.ts";
import { showTransfers } from "#lib/settlements/transfers.ts";
import { lockTask } from "#lib/tasks/row.ts";

// What a provider owes after a reversal that its account at Stripe could not pay is kept from its later transfers. A debt is never more
// than what the provider has too much of that settlement; the ledger lowers it whenever that becomes less.

/** Records that a reversal failed for lack of money. The caller holds the task's lock. */
export async function recordDebt(tx: Tx, ctx: Context, settlementId: string, pence: number): Promise<void> {
  const settlement = await tx.settlement.findUniqueOrThrow({ where: { id: settlementId } });
  const { moved } = await readLedger(tx, settlementId);
  const debtPence = Math.min(settlement.debtPence + pence, overpaidOf(dealOf(settlement), moved));
  if (debtPence <= settlement.debtPence) return;
  await tx.settlement.update({ where: { id: settlementId }, data: { debtPence } });
  await audit(tx, ctx, {
    action: "record_debt",
    subjectKind: "settlement",
    subjectId: settlementId,
    data: { debt_pence: debtPence },
  });
}

/** Locks the task of a settlement and those of the settlements on which its provider owes something, always in the same order. */
export async function lockWithDebts(tx: Tx, { id, taskId, providerId }: Settlement): Promise<string[]> {
  const owing = await tx.settlement.findMany({
    where: { providerId, debtPence: { gt: 0 }, id: { not: id } },
    select: { id: true, taskId: true },
    orderBy: { seq: "asc" },
  });
  for (const each of [taskId, ...owing.map((settlement) => settlement.taskId)].sort()) await lockTask(tx, each);
  return owing.map((settlement) => settlement.id);
}

/**
 * Keeps what the provider owes from a transfer that is about to be sent for the first time. If nothing is left of it, it counts as sent
 * without a call of Stripe. The caller holds the locks of `lockWithDebts`.
 * @returns what is left to send, in pence
 */
export async function netDebts(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  intent: TransferIntent,
  owing: string[],
): Promise<number> {
  let left = intent.amountPence;
  for (const id of owing) {
    const other = await tx.settlement.findUniqueOrThrow({ where: { id } });
    const pence = Math.min(other.debtPence, left);
    if (pence <= 0) continue;
    left -= pence;
    await tx.settlement.update({ where: { id }, data: { debtPence: { decrement: pence } } });
    await book(tx, ctx, other, "netting", { reference: intent.id, nettedPence: pence });
    await book(tx, ctx, settlement, "netting", { reference: `${intent.id}:${id}`, nettedPence: -pence });
    for (const [subjectId, data] of [
      [id, { paid_by: settlement.id, amount_pence: pence }],
      [settlement.id, { pays_for: id, amount_pence: pence }],
    ] as const)
      await audit(tx, ctx, { action: "net_debt", subjectKind: "settlement", subjectId, data });
  }
  const withheldPence = intent.amountPence - left;
  if (withheldPence === 0) return left;
  await tx.settlement.update({
    where: { id: settlement.id },
    data: { withheldPence: { increment: withheldPence }, ...(left === 0 ? { transferredAt: ctx.clock.now() } : {}) },
  });
  await tx.transferIntent.update({
    where: { id: intent.id },
    data: {
      amountPence: left,
      withheldPence: { increment: withheldPence },
      ...(left === 0 ? { state: "sent", sentAt: ctx.clock.now(), problem: null } : {}),
    },
  });
  if (left > 0) return left;
  await showTransfers(tx, settlement.id);
  await audit(tx, ctx, {
    action: "transfer",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { amount_pence: 0, withheld_pence: withheldPence },
    event: moneyEvent("transfer.sent", settlement, { amount_pence: 0, withheld_pence: withheldPence }),
  });
  return left;
}
