import type { LedgerAccount, LedgerKind, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";

/** One entry of a booking, in pence: debits are positive, credits negative. */
export type Entry = { account: LedgerAccount; amountPence: number };

type Figures = Pick<Settlement, "grossPence" | "feePence" | "netPence">;

/**
 * The entries of each kind of booking. The accounts: `cash` is what the platform has taken (in TEST, would have taken); `held` is
 * what it holds for the task; `provider_payable` and `platform_fees` are the two parts into which an approval divides that;
 * `refund_due` is what a void settlement owes the requester. Money that is lost later has its own accounts, so that the result
 * does not depend on the order of events: `refunds` went back to the requester, `chargebacks` were taken by the card's bank, and a
 * reversed transfer is payable again. `movedPence` is the amount of such a loss; for `void`, what an approval had already divided.
 * Pure. The entries of each booking sum to zero.
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
 * Books one event of a settlement. The database refuses a second booking of the same kind and reference, and a booking that does
 * not balance.
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
