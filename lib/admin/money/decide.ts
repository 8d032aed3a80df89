import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { type MoneyFacts, refundableOf, reversibleOf, sendableOf } from "#lib/settlements/acts/facts.ts";
import type { Hold } from "#lib/settlements/holds.ts";
import { afterMove, type Balances, balancesOf, type Moved } from "#lib/settlements/ledger.ts";
import { BEING_SENT } from "#lib/settlements/transfers.ts";
import { amountsOf, changesInWords, type Names, refundInWords } from "./words.ts";

// The decisions about a settlement's money. Preview and act both call these functions, so that an act does what was announced. Pure.

/** An amount to move, in pence, and what that does, in sentences. */
export type Decision = { pence: number; lines: string[] };

function chosen(pence: number | undefined, left: number, what: string): number {
  if (pence === undefined || pence <= left) return pence ?? left;
  throw invalidInput("pence", `must be at most ${left} (${formatPence(left)}): that is ${what}`);
}

const shownBy = ({ deal }: MoneyFacts, moved: Moved): Balances => balancesOf(deal, moved);

function changes(facts: MoneyFacts, names: Names, moved: Moved): string[] {
  const amount = amountsOf(facts.settlement.paymentMode);
  return changesInWords(shownBy(facts, facts.moved), shownBy(facts, moved), names, amount);
}

/** @throws ApiError state_conflict (nothing to refund, or a transfer is being sent), invalid_input (more than is left) */
export function decideRefund(facts: MoneyFacts, names: Names, asked?: number): Decision {
  const { settlement, moved, open } = facts;
  if (settlement.funding !== "confirmed") throw stateConflict("No payment of this settlement is confirmed.");
  if (open?.state === "sending") throw stateConflict(BEING_SENT);
  const left = refundableOf(facts);
  if (left === 0)
    throw stateConflict("Nothing is left to refund: it was refunded, is being refunded or was charged back.");
  const pence = chosen(asked, left, "what is left to refund");
  const amount = amountsOf(settlement.paymentMode);
  const after = afterMove(moved, "refund", { pence });
  const lines = [refundInWords(pence, settlement.paymentMode, names, amount), ...changes(facts, names, after)];
  const refunded = settlement.refundedPence + facts.openRefundPence + pence;
  if (open && refunded > open.allowedRefundPence)
    lines.push("The queued transfer waits until an administrator decides whether what is left is sent.");
  if (settlement.state === "recorded") lines.push("The task stays as it is.");
  return { pence, lines };
}

/** @throws ApiError state_conflict (nothing to reverse), invalid_input (more than is left) */
export function decideReversal(facts: MoneyFacts, names: Names, asked?: number): Decision & { parts: Part[] } {
  const { settlement, moved } = facts;
  const left = reversibleOf(facts);
  if (left === 0)
    throw stateConflict("Nothing is left to reverse: no transfer was sent, or it is reversed or being reversed.");
  const pence = chosen(asked, left, "what is left of the transfer");
  const amount = amountsOf(settlement.paymentMode);
  const lines = [
    settlement.paymentMode === "LIVE"
      ? `${amount(pence)} is taken back from ${names.provider}’s account at Stripe. Stripe refuses that if the account does not have it; what it has too much after a refund or chargeback is then kept from its later transfers.`
      : `A reversal of ${amount(pence)} of ${names.provider}’s transfer is recorded. No money moves.`,
    ...changes(facts, names, afterMove(moved, "reversal", { pence })),
  ];
  return { pence, lines, parts: partsOf(facts, pence) };
}

/** One reversal at Stripe. */
type Part = { pence: number; transferId?: string };

/** The newest transfers are reversed first. */
function partsOf({ settlement, sent }: MoneyFacts, pence: number): Part[] {
  if (settlement.paymentMode === "TEST") return [{ pence }];
  let left = pence;
  return sent.flatMap(({ id, leftPence }) => {
    const part = Math.min(left, leftPence);
    left -= part;
    return part > 0 ? [{ pence: part, transferId: id }] : [];
  });
}

/** Warnings of fraud, which an administrator's decision to send the transfer releases. */
const RELEASED: ReadonlySet<string> = new Set(["fraud_warning", "review"]);

/**
 * @param holds what holds the transfer apart from refunds and chargebacks, which this decision takes into account
 * @throws ApiError state_conflict (not approved, nothing left, or a transfer is being sent), invalid_input (more than is left)
 */
export function decideSending(facts: MoneyFacts, names: Names, holds: Hold[], asked?: number): Decision {
  const { settlement, open } = facts;
  if (settlement.state !== "approved")
    throw stateConflict(
      `This settlement is ${settlement.state}; only what an approved one leaves the provider can be sent.`,
    );
  if (settlement.funding !== "confirmed") throw stateConflict("No payment of this settlement is confirmed.");
  if (open?.state === "sending") throw stateConflict(BEING_SENT);
  const left = sendableOf(facts);
  if (left === 0)
    throw stateConflict(
      "Nothing is left for the provider after what was transferred, refunded, or is disputed by the payer’s bank.",
    );
  const pence = chosen(asked, left, "what is left for the provider");
  const amount = amountsOf(settlement.paymentMode);
  const lines = [
    settlement.paymentMode === "LIVE"
      ? `${amount(pence)} is sent to ${names.provider}’s account at Stripe${open ? ", in place of the transfer that is queued" : ""}.`
      : `A transfer of ${amount(pence)} to ${names.provider} is recorded. No money moves.`,
  ];
  if (left > pence) lines.push(`${amount(left - pence)} more is left for ${names.provider}; it can be sent later.`);
  const isReleased = ({ reason }: Hold) => RELEASED.has(reason);
  lines.push(...holds.filter(isReleased).map(({ detail }) => `This no longer holds it: ${detail}`));
  lines.push(...holds.filter((hold) => !isReleased(hold)).map(({ detail, remedy }) => `It waits: ${detail} ${remedy}`));
  return { pence, lines };
}

/** @throws ApiError state_conflict (nothing is queued, or it is being sent) */
export function decideCancelling(facts: MoneyFacts, names: Names): Decision {
  const { settlement, open, moved } = facts;
  if (!open)
    throw stateConflict(
      `The transfer of this settlement is ${settlement.transfer}; only a queued one can be cancelled.`,
    );
  if (open.state === "sending") throw stateConflict(BEING_SENT);
  const amount = amountsOf("LIVE");
  const payable = 0 - shownBy(facts, moved).provider_payable;
  return {
    pence: open.amountPence,
    lines: [
      `The queued transfer of ${amount(open.amountPence)} to ${names.provider} ends and is not sent.`,
      payable > 0
        ? `This does not move any money: ${amount(payable)} stays payable to ${names.provider} until you refund it or decide to send it.`
        : "This does not move any money.",
    ],
  };
}
