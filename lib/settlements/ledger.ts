import type { LedgerAccount, LedgerKind, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";

/** One side of a booking: debits positive, credits negative, in pence. */
export type Entry = { account: LedgerAccount; amountPence: number };

type Figures = Pick<Settlement, "grossPence" | "feePence" | "netPence">;

/**
 * The bookings of a settlement's life. `cash` is what the platform has taken in (in TEST: would have), `held` what it owes
 * to the task, `provider_payable` and `platform_fees` what became of it, `refund_due` what a void settlement leaves owing to
 * the requester. What LIVE loses again is booked to accounts of its own, so that the books come out alike in whatever order
 * the news arrives: `refunds` went back to the requester, `chargebacks` were taken by the card's bank, and what a transfer
 * gave back is payable again. `movedPence` is the amount of those, and for `void` what an approval had divided already.
 * Pure; each sums to zero.
 */
export const BOOKINGS: Record<LedgerKind, (figures: Figures, movedPence: number) => Entry[]> = {
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
  void: ({ grossPence, netPence, feePence }, approvedPence) => [
    ...(approvedPence > 0
      ? ([
          { account: "provider_payable", amountPence: netPence },
          { account: "platform_fees", amountPence: feePence },
        ] as const)
      : [{ account: "held", amountPence: grossPence } as const]),
    { account: "refund_due", amountPence: -grossPence },
  ],
  reversal: (_, movedPence) => [
    { account: "cash", amountPence: movedPence },
    { account: "provider_payable", amountPence: -movedPence },
  ],
  refund: (_, movedPence) => leaves("refunds", movedPence),
  refund_failed: (_, movedPence) => leaves("refunds", -movedPence),
  chargeback: (_, movedPence) => leaves("chargebacks", movedPence),
  chargeback_won: (_, movedPence) => leaves("chargebacks", -movedPence),
};

function leaves(account: "refunds" | "chargebacks", movedPence: number): Entry[] {
  return [
    { account, amountPence: movedPence },
    { account: "cash", amountPence: -movedPence },
  ];
}

/**
 * Books one event of a settlement, once; the database refuses a second booking of the kind (and, where there can be several,
 * of the reference) and one that does not balance.
 */
export async function book(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  kind: LedgerKind,
  moved: { reference: string; pence: number } = { reference: "", pence: 0 },
): Promise<void> {
  if (settlement.grossPence === 0) return;
  await tx.ledgerTransaction.create({
    data: {
      settlementId: settlement.id,
      kind,
      reference: moved.reference,
      paymentMode: settlement.paymentMode,
      at: ctx.clock.now(),
      entries: { createMany: { data: BOOKINGS[kind](settlement, moved.pence) } },
    },
  });
}
