import type { LedgerAccount, LedgerKind, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { type FeePolicy, splitGross } from "./fee.ts";

/** One entry of a booking, in pence: debits are positive, credits negative. */
type Entry = { account: LedgerAccount; amountPence: number };
/** The accounts of a settlement; the others are for movements of the platform's balance that belong to none. */
type Account = Exclude<LedgerAccount, "operator" | "unassigned">;
export type Balances = Record<Account, number>;

/** What has moved for a settlement so far, in pence. The ledger's own entries to `cash` say it, so no other record can contradict. */
export type Moved = {
  funded: number;
  /** Transferred to the provider, less reversals. */
  sent: number;
  /** Gone back to the payer, including what is pending. */
  refunded: number;
  pending: number;
  chargedBack: number;
  stripeFees: number;
  disputeFees: number;
  /** What was kept from other transfers for what the provider owes here, less what was kept from the transfers of this settlement. */
  netted: number;
};

export const NOTHING_MOVED: Moved = {
  funded: 0,
  sent: 0,
  refunded: 0,
  pending: 0,
  chargedBack: 0,
  stripeFees: 0,
  disputeFees: 0,
  netted: 0,
};

/** What the provider has of a settlement: what was transferred, with debts that this has paid and without those that it was paid for. */
export const givenOf = ({ sent, netted }: Moved) => sent - netted;

/** Which movement of money each kind of booking records, and its direction; the other kinds move none. */
const MOVES: Partial<Record<LedgerKind, [of: keyof Moved, sign: 1 | -1]>> = {
  funding: ["funded", 1],
  transfer: ["sent", 1],
  reversal: ["sent", -1],
  refund: ["refunded", 1],
  refund_failed: ["refunded", -1],
  chargeback: ["chargedBack", 1],
  chargeback_won: ["chargedBack", -1],
  stripe_fee: ["stripeFees", 1],
  dispute_fee: ["disputeFees", 1],
};

/** `awardedPence` is what a split has awarded the provider of the gross; null without one. */
export type Deal = Pick<Settlement, "state" | "awardedPence"> & { bps: number };

export const dealOf = ({ state, awardedPence, feePolicy }: Settlement): Deal => ({
  state,
  awardedPence,
  bps: (feePolicy as FeePolicy).bps,
});

/**
 * What is left of a deal after `lost` of what was funded has gone back, and how it divides: the same rule as for the whole of it.
 * After a split, only what was awarded is divided, and the rest is due to the requester. Pure.
 */
export function shareOf({ awardedPence, bps }: Omit<Deal, "state">, funded: number, lost: number) {
  // More than was paid can be gone, and more than was gone can come back.
  const left = Math.min(funded, Math.max(0, funded - lost));
  const kept = awardedPence === null ? left : Math.min(left, awardedPence);
  return { left, kept, ...splitGross(kept, bps) };
}

/** What the provider has too much, after refunds and chargebacks. Pure. */
export function overpaidOf(deal: Deal, moved: Moved): number {
  const { funded, refunded, pending, chargedBack } = moved;
  const { netPence } = shareOf(deal, funded, refunded - pending + chargedBack);
  return Math.max(0, givenOf(moved) - (deal.state === "approved" ? netPence : 0));
}

function divide(deal: Deal, funded: number, lost: number, sent: number) {
  const { state } = deal;
  const { left, kept, feePence, netPence } = shareOf(deal, funded, lost);
  return {
    held: state === "recorded" ? left : 0,
    refundDue: state === "void" ? left : state === "approved" ? left - kept : 0,
    fee: state === "approved" ? feePence : 0,
    payable: state === "approved" ? Math.max(0, netPence - sent) : 0,
  };
}

/**
 * What each account of a settlement must show: a function of its state and of what has moved, whatever the order in which that
 * became known. The accounts: `cash` is what Stripe's balance has of it (in TEST, would have); `held` is kept for the task; an
 * approval divides that into `provider_payable` and `platform_fees`; `refund_due` is what a void or split settlement owes the requester.
 *
 * Money that goes back to the payer is taken from these first: what is left is divided as if it were the whole. Only what was
 * already transferred beyond that is a loss: in `refunds`, or in `chargebacks` if the card's bank took it. A refund that may still
 * fail changes nothing yet and waits in `refunds_pending`. What is kept from a transfer for the provider's debt of another settlement
 * counts as transferred here and as reversed there, in `provider_debt`. Stripe's fees are the platform's. Pure; the balances sum to zero.
 */
export function balancesOf(deal: Deal, moved: Moved): Balances {
  const { funded, sent, refunded, pending, chargedBack, stripeFees, disputeFees, netted } = moved;
  const settled = refunded - pending;
  const given = givenOf(moved);
  const lossAfter = (lost: number) => {
    const { held, refundDue, fee, payable } = divide(deal, funded, lost, given);
    return given + lost - funded + held + refundDue + fee + payable;
  };
  const { held, refundDue, fee, payable } = divide(deal, funded, settled + chargedBack, given);
  return {
    cash: funded - sent - refunded - chargedBack - stripeFees - disputeFees,
    held: 0 - held,
    provider_payable: 0 - payable,
    platform_fees: 0 - fee,
    refund_due: 0 - refundDue,
    refunds: lossAfter(settled),
    chargebacks: lossAfter(settled + chargedBack) - lossAfter(settled),
    refunds_pending: pending,
    provider_debt: netted,
    stripe_fees: stripeFees,
    dispute_fees: disputeFees,
  };
}

/** What a booking adds: the money that moves, how much of that is a refund that may still fail, and what of a debt is netted. */
type Movement = { reference?: string; pence?: number; pendingPence?: number; nettedPence?: number };

/** What has moved after one more booking of this kind. Pure. */
export function afterMove(moved: Moved, kind: LedgerKind, movement: Movement): Moved {
  const { pence = 0, pendingPence = 0, nettedPence = 0 } = movement;
  const after = { ...moved, pending: moved.pending + pendingPence, netted: moved.netted + nettedPence };
  const move = MOVES[kind];
  if (move) after[move[0]] += move[1] * pence;
  return after;
}

type Booked = { kind: LedgerKind; account: Account; pence: number };

/** What the ledger has of a settlement: its accounts, and what has moved. */
export async function readLedger(
  tx: Pick<Tx, "$queryRaw">,
  settlementId: string,
): Promise<{ accounts: Partial<Balances>; moved: Moved }> {
  const rows = await tx.$queryRaw<Booked[]>`
    SELECT t.kind, e.account, sum(e.amount_pence)::int AS pence FROM ledger_transactions t
    JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.settlement_id = ${settlementId} GROUP BY 1, 2`;
  const accounts: Partial<Balances> = {};
  const moved = { ...NOTHING_MOVED };
  for (const { kind, account, pence } of rows) {
    accounts[account] = (accounts[account] ?? 0) + pence;
    const [of] = MOVES[kind] ?? [];
    // Funding brings cash in; every other movement counts what leaves.
    if (of && account === "cash") moved[of] += of === "funded" ? pence : -pence;
    if (account === "refunds_pending") moved.pending += pence;
    if (account === "provider_debt") moved.netted += pence;
  }
  return { accounts, moved };
}

/** What each kind moves where the caller does not say: the figures of the agreement. */
const WHOLE: Partial<Record<LedgerKind, "grossPence" | "netPence">> = { funding: "grossPence", transfer: "netPence" };

/**
 * Books one event of a settlement, as it stands after that event: the money that moves, and whatever follows from it for the other
 * accounts. The caller holds the task's lock. The database refuses a second booking of the same kind and reference, and a booking
 * that does not balance.
 * @returns what has then moved; undefined for a settlement without a price
 */
export async function book(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  kind: LedgerKind,
  movement: Movement = {},
): Promise<Moved | undefined> {
  if (settlement.grossPence === 0) return undefined;
  const { accounts, moved } = await readLedger(tx, settlement.id);
  const whole = WHOLE[kind];
  const pence = movement.pence ?? (whole ? settlement[whole] : 0);
  const deal = dealOf(settlement);
  const due = afterMove(moved, kind, { ...movement, pence });
  const target = balancesOf(deal, due);
  const entries = Object.entries(target).flatMap(([account, must]): Entry[] => {
    const amountPence = must - (accounts[account as Account] ?? 0);
    return amountPence === 0 ? [] : [{ account: account as Account, amountPence }];
  });
  if (entries.length > 0)
    await tx.ledgerTransaction.create({
      data: {
        settlementId: settlement.id,
        kind,
        reference: movement.reference ?? "",
        paymentMode: settlement.paymentMode,
        at: ctx.clock.now(),
        entries: { createMany: { data: entries } },
      },
    });
  // A TEST settlement is only ever unwound by an administrator.
  const isUnwound = settlement.paymentMode === "LIVE" || due.refunded > 0 || deal.awardedPence !== null;
  if (isUnwound) await noteUnwound(tx, settlement, deal, due);
  return due;
}

/**
 * What of the agreed fee and net is taken back, for the parties' totals. What the provider has received stays theirs, and a debt is no
 * more than what they have too much.
 */
async function noteUnwound(tx: Tx, { id, feePence, netPence }: Settlement, deal: Deal, moved: Moved): Promise<void> {
  const { funded, refunded, pending, chargedBack } = moved;
  if (funded === 0) return;
  const left = shareOf(deal, funded, refunded - pending + chargedBack);
  const feeUnwoundPence = feePence - left.feePence;
  const netUnwoundPence = netPence - Math.max(left.netPence, givenOf(moved));
  const overpaid = overpaidOf(deal, moved);
  await tx.settlement.updateMany({ where: { id, debtPence: { gt: overpaid } }, data: { debtPence: overpaid } });
  await tx.settlement.updateMany({
    where: { id, OR: [{ feeUnwoundPence: { not: feeUnwoundPence } }, { netUnwoundPence: { not: netUnwoundPence } }] },
    data: { feeUnwoundPence, netUnwoundPence },
  });
}

/**
 * Books what is missing where the accounts do not show what they must, as in the books of earlier versions, which did not unwind
 * anything. No money moves. The caller holds the task's lock.
 */
export async function correct(tx: Tx, ctx: Context, settlement: Settlement): Promise<void> {
  const earlier = await tx.ledgerTransaction.count({ where: { settlementId: settlement.id, kind: "correction" } });
  await book(tx, ctx, settlement, "correction", { reference: earlier === 0 ? "" : String(earlier + 1) });
}
