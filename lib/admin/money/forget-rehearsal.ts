import { audit } from "#lib/db/audit.ts";
import { integer } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx, transaction } from "#lib/db/tx.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { inWords } from "#lib/payments/gateway/binding.ts";
import { REFUNDS_DUE } from "#lib/payments/refunds-due.ts";
import { settlementEvent } from "#lib/settlements/events.ts";
import { lockTask } from "#lib/tasks/row.ts";
import type { AdminContext } from "../context.ts";

/** What must have ended, each in words, and how it ends. */
const OPEN = {
  tasks: "LIVE tasks that have not ended (complete or cancel them)",
  payments: "payments that can still be made (let their checkouts expire, or cancel the tasks)",
  transfers: "transfers that are not sent yet (send-transfer or cancel-transfer)",
  acts: "refunds and reversals that are under way (wait)",
  disputes: "open disputes (resolve)",
  refunds: "refunds that are due (refund)",
} as const;

const countOpen = statement(
  "admin.open_rehearsal",
  { tasks: integer, payments: integer, transfers: integer, acts: integer, disputes: integer, refunds: integer },
  `SELECT (SELECT count(*)::int FROM tasks WHERE payment_mode = 'LIVE'
       AND (state IN ('claimed', 'proposed', 'accepted', 'in_progress', 'submitted') OR state = 'open' AND expires_at > now())) AS tasks,
     (SELECT count(*)::int FROM payments WHERE payment_mode = 'LIVE' AND status = 'pending') AS payments,
     (SELECT count(*)::int FROM transfer_intents WHERE state IN ('queued', 'sending')) AS transfers,
     (SELECT count(*)::int FROM money_acts m JOIN settlements s ON s.id = m.settlement_id
       WHERE s.payment_mode = 'LIVE' AND m.state IN ('queued', 'sending', 'pending')) AS acts,
     (SELECT count(*)::int FROM disputes d JOIN tasks t ON t.id = d.task_id WHERE t.payment_mode = 'LIVE' AND d.state = 'open') AS disputes,
     (SELECT count(*)::int FROM (${REFUNDS_DUE}) due) AS refunds`,
);

/** Copies of what test mode had, and hints about it. None of it can be read with a live key. */
const COPIES = [
  ...["stripe_events", "stripe_payouts", "payment_losses", "payment_accounts"],
  ...["balance_transactions", "balance_readings", "reconciliations", "stripe_bindings"],
];

type Input = { reason: string; preview?: boolean | undefined };

/**
 * Ends a rehearsal, so that the same database can be used with a live key: voids every settlement that test cards paid, books all
 * its LIVE entries back, and deletes what was copied from Stripe's test mode. Tasks, terms, the audit trail and the log stay.
 * @throws ApiError state_conflict (nothing to forget, real money, or something is still open)
 */
export async function forgetRehearsal(ctx: AdminContext, { reason, preview = false }: Input): Promise<object> {
  const done = await transaction(async (tx) => {
    // A first call of Stripe by another process waits for this transaction.
    const [binding] = await tx.$queryRaw<{ accountId: string | null; livemode: boolean }[]>`
      SELECT account_id AS "accountId", livemode FROM stripe_bindings FOR UPDATE`;
    if (!binding) throw stateConflict("There is nothing to forget: this database has never been used with Stripe.");
    if (binding.livemode)
      throw stateConflict(`This database belongs to ${inWords(binding)}: records of real money are never forgotten.`);
    await requireNothingOpen();
    const paid = await tx.settlement.findMany({
      where: { paymentMode: "LIVE", funding: "confirmed" },
      select: { id: true, taskId: true },
      orderBy: { seq: "asc" },
    });
    const forgotten = { account: binding.accountId, settlements: paid.length };
    if (preview) return forgotten;
    for (const { taskId } of paid) await lockTask(tx, taskId);
    await bookBack(tx);
    for (const { id } of paid) await voidForgotten(tx, ctx, id, reason);
    const payments = { paymentMode: "LIVE" } as const;
    await tx.payment.updateMany({ where: payments, data: { forgotten: true, checkedAt: ctx.clock.now() } });
    await tx.payment.updateMany({
      where: { ...payments, status: "succeeded" },
      data: { status: "canceled", refundedPence: 0, disputedPence: 0 },
    });
    await tx.transferIntent.updateMany({ where: { state: "sent" }, data: { state: "failed", problem: "rehearsal" } });
    await tx.difference.updateMany({ where: { resolvedAt: null }, data: { resolvedAt: ctx.clock.now() } });
    for (const table of COPIES) await connectionOf(tx).query({ text: `DELETE FROM ${table}`, values: [] });
    await audit(tx, ctx, {
      action: "forget_rehearsal",
      subjectKind: "stripe_account",
      subjectId: binding.accountId ?? "unknown",
      reason,
      data: { settlements: paid.length },
    });
    return forgotten;
  });
  return preview ? { preview: true, ...done } : { forgotten: done };
}

/** @throws ApiError state_conflict naming what is open */
async function requireNothingOpen(): Promise<void> {
  const [counts] = await countOpen();
  const open = Object.entries(OPEN).flatMap(([name, words]) => {
    const count = counts?.[name as keyof typeof OPEN] ?? 0;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  if (open.length > 0)
    throw stateConflict(`The rehearsal is not over. With its test key, end this first: ${open.join("; ")}.`);
}

const MARK = "rehearsal:";

/** Books every LIVE transaction back, in its own month, so that no month keeps figures of test cards. */
async function bookBack(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    WITH back AS (
      INSERT INTO ledger_transactions (settlement_id, kind, reference, payment_mode, at)
      SELECT t.settlement_id, 'correction', ${MARK} || t.id, t.payment_mode, t.at FROM ledger_transactions t
      WHERE t.payment_mode = 'LIVE' AND NOT starts_with(t.reference, ${MARK}) AND NOT EXISTS (
        SELECT FROM ledger_transactions earlier WHERE earlier.reference = ${MARK} || t.id)
      RETURNING id, substr(reference, ${MARK.length + 1})::bigint AS of
    )
    INSERT INTO ledger_entries (transaction_id, account, amount_pence)
    SELECT back.id, e.account, -e.amount_pence FROM back JOIN ledger_entries e ON e.transaction_id = back.of`;
}

/** Nothing was paid: the settlement no longer is a charge, and both parties are told. The caller holds the task's lock. */
async function voidForgotten(tx: Tx, ctx: AdminContext, id: string, reason: string): Promise<void> {
  const now = ctx.clock.now();
  const { voidedAt } = await tx.settlement.findUniqueOrThrow({ where: { id }, select: { voidedAt: true } });
  const settlement = await tx.settlement.update({
    where: { id },
    data: {
      state: "void",
      funding: "required",
      transfer: "none",
      payout: "unknown",
      payoutUnattributed: false,
      voidedAt: voidedAt ?? now,
      fundedAt: null,
      transferredAt: null,
      paidOutAt: null,
      refundedPence: 0,
      disputedPence: 0,
      feeUnwoundPence: 0,
      netUnwoundPence: 0,
    },
  });
  await audit(tx, ctx, {
    action: "void",
    subjectKind: "settlement",
    subjectId: id,
    reason,
    data: { rehearsal: true },
    event: settlementEvent("settlement.void", settlement),
  });
}
