import { formatPence } from "#lib/kernel/money.ts";
import type { Balances } from "#lib/settlements/ledger.ts";
import type { TaskState } from "#lib/tasks/machine.ts";

// What an administrator reads before confirming an act. The sentences are made of the figures that the act itself uses.

/** The parties' names, each on one line. */
export type Names = { requester: string; provider: string };

/** Amounts in words; in TEST each is marked as simulated. */
type Amounts = (pence: number) => string;
export const amountsOf =
  (mode: "TEST" | "LIVE"): Amounts =>
  (pence) =>
    mode === "TEST" ? `${formatPence(pence)} (simulated)` : formatPence(pence);

export const taskWords = (state: TaskState) => state.replaceAll("_", " ");

/** What a booking changes for each of the people concerned, one sentence per account that changes. Pure. */
export function changesInWords(before: Balances, after: Balances, names: Names, amount: Amounts): string[] {
  // Debits are positive: what is owed to somebody is a credit.
  const owed = (account: keyof Balances) => before[account] - after[account];
  const lost = (account: keyof Balances) => after[account] - before[account];
  const changed = (pence: number, more: string, less: string) =>
    pence === 0 ? [] : [`${amount(Math.abs(pence))} ${pence > 0 ? more : less}.`];
  return [
    ...changed(
      owed("refund_due"),
      `becomes due to ${names.requester}`,
      `of what is due to ${names.requester} is settled`,
    ),
    ...changed(owed("held"), "more is held for the task", "less is held for the task"),
    ...changed(
      owed("provider_payable"),
      `becomes payable to ${names.provider}`,
      `less is payable to ${names.provider}`,
    ),
    ...changed(owed("platform_fees"), "more is the platform’s fee", "less is the platform’s fee"),
    ...changed(
      lost("refunds") + lost("chargebacks"),
      `is the platform’s loss, because ${names.provider} has already received it`,
      "of the platform’s loss is recovered",
    ),
  ];
}

/** The refund of a charge, as every act says it. Pure. */
export function refundInWords(pence: number, mode: "TEST" | "LIVE", names: Names, amount: Amounts): string {
  return mode === "TEST"
    ? `A refund of ${amount(pence)} to ${names.requester} is recorded. No money moves.`
    : `${amount(pence)} is refunded to ${names.requester} through Stripe, to the card that paid. Stripe keeps its fee for the charge.`;
}
