/**
 * Statuses in which a dispute at Stripe has ended; in every other one, also one that this version does not know, more can follow. What
 * a dispute has taken is never read from its status: that is what its movements of the balance sum up to.
 */
export const ENDED_DISPUTES: readonly string[] = ["won", "lost", "prevented", "warning_closed"];

type Chargeback = {
  amountPence: number;
  status: string;
  /** What its movements of the balance have taken; null if it has none yet. */
  gonePence: number | null;
};

/**
 * What a dispute has taken or may still take, in pence: an open one the disputed amount, if not more has gone. A lost one whose
 * movements have not come yet counts as open. Pure.
 */
export function atStake({ amountPence, status, gonePence }: Chargeback): number {
  const mayTake = !ENDED_DISPUTES.includes(status) || (status === "lost" && gonePence === null);
  return Math.max(0, gonePence ?? 0, mayTake ? amountPence : 0);
}
