import type { LedgerAccount, LedgerKind, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";

/** One side of a booking: debits positive, credits negative, in pence. */
export type Entry = { account: LedgerAccount; amountPence: number };

type Figures = Pick<Settlement, "grossPence" | "feePence" | "netPence">;

/**
 * The bookings of a settlement's life. `cash` is what the platform has taken in (in TEST: would have), `held` what it owes
 * to the task, `provider_payable` and `platform_fees` what became of it, `refund_due` what a void settlement leaves owing to
 * the requester. Pure; each sums to zero.
 */
export const BOOKINGS: Record<LedgerKind, (figures: Figures) => Entry[]> = {
  funding: ({ grossPence }) => [
    { account: "cash", amountPence: grossPence },
    { account: "held", amountPence: -grossPence },
  ],
  approval: ({ grossPence, netPence, feePence }) => [
    { account: "held", amountPence: grossPence },
    { account: "provider_payable", amountPence: -netPence },
    { account: "platform_fees", amountPence: -feePence },
  ],
  transfer: ({ netPence }) => [
    { account: "provider_payable", amountPence: netPence },
    { account: "cash", amountPence: -netPence },
  ],
  void: ({ grossPence }) => [
    { account: "held", amountPence: grossPence },
    { account: "refund_due", amountPence: -grossPence },
  ],
};

/** Books one event of a settlement, once; the database refuses a second booking of the kind and one that does not balance. */
export async function book(tx: Tx, ctx: Context, settlement: Settlement, kind: LedgerKind): Promise<void> {
  if (settlement.grossPence === 0) return;
  await tx.ledgerTransaction.create({
    data: {
      settlementId: settlement.id,
      kind,
      paymentMode: settlement.paymentMode,
      at: ctx.clock.now(),
      entries: { createMany: { data: BOOKINGS[kind](settlement) } },
    },
  });
}
