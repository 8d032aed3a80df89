import type { Settlement, TransferIntent } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import { sum } from "#lib/kernel/money.ts";
import { type Deal, dealOf, givenOf, type Moved, readLedger, shareOf } from "../ledger.ts";
import { isOpen } from "../transfers.ts";

/** A transfer that was sent, with what is left of it. */
type SentPart = Pick<TransferIntent, "id"> & { leftPence: number };

/** Everything that a decision about a settlement's money depends on. */
export type MoneyFacts = {
  settlement: Settlement;
  deal: Deal;
  /** By the ledger. */
  moved: Moved;
  /** Refunds that are ordered and not made yet. */
  openRefundPence: number;
  /** The transfer that is not sent yet. */
  open: TransferIntent | undefined;
  /** The sent transfers of which something is left that no open act reverses, newest first. Empty in TEST. */
  sent: SentPart[];
};

/** The caller holds the task's lock if it is going to act. @param tx the transaction, or the client for a page */
export async function loadMoneyFacts(
  tx: Pick<Tx, "moneyAct" | "transferIntent" | "$queryRaw">,
  settlement: Settlement,
): Promise<MoneyFacts> {
  const where = { settlementId: settlement.id };
  const { moved } = await readLedger(tx, settlement.id);
  const acts = (await tx.moneyAct.findMany({ where })).filter(isOpen);
  const transfers = await tx.transferIntent.findMany({ where, orderBy: [{ sentAt: "desc" }, { id: "desc" }] });
  const reversing = (transferId: string) =>
    sum(acts.map((act) => (act.kind === "reverse_transfer" && act.transferId === transferId ? act.amountPence : 0)));
  const sent = transfers
    .filter(({ state }) => state === "sent")
    .map(({ id, amountPence, reversedPence }) => ({ id, leftPence: amountPence - reversedPence - reversing(id) }));
  return {
    settlement,
    deal: dealOf(settlement),
    moved,
    openRefundPence: sum(acts.map(({ kind, amountPence }) => (kind === "refund" ? amountPence : 0))),
    open: transfers.find(isOpen),
    sent: sent.filter(({ leftPence }) => leftPence > 0),
  };
}

/** What can still be refunded, in pence: what was funded less refunds, ordered ones included, and chargebacks. Pure. */
export function refundableOf({ settlement, moved, openRefundPence }: MoneyFacts): number {
  const { refundedPence } = settlement;
  return Math.max(0, moved.funded - Math.max(refundedPence, moved.refunded) - moved.chargedBack - openRefundPence);
}

/** What the provider can still be sent, in pence, if everything that may go back to the payer does. Pure. */
export function sendableOf({ settlement, deal, moved, openRefundPence }: MoneyFacts): number {
  if (settlement.state !== "approved") return 0;
  const { refundedPence, disputedPence } = settlement;
  const lost = Math.max(refundedPence, moved.refunded) + Math.max(disputedPence, moved.chargedBack) + openRefundPence;
  return Math.max(0, shareOf(deal, moved.funded, lost).netPence - givenOf(moved));
}

/** What of the transfers can still be reversed, in pence. Pure. */
export function reversibleOf({ settlement, moved, sent }: MoneyFacts): number {
  // What was netted for a debt is with the platform already.
  const left = settlement.paymentMode === "TEST" ? moved.sent : sum(sent.map(({ leftPence }) => leftPence));
  return Math.max(0, Math.min(left, givenOf(moved)));
}
