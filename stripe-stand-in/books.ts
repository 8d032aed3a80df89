import { balanceOf } from "./balance.ts";
import { takenBy } from "./money-back.ts";
import type { World } from "./world.ts";

type IntentBooks = {
  paymentIntent: string;
  transferGroup: string | null;
  chargedPence: number;
  refundedPence: number;
  /** Withdrawn by disputes and not returned, without fees. */
  disputedPence: number;
};
type TransferBooks = {
  transferGroup: string | null;
  destination: string;
  sentPence: number;
  reversedPence: number;
};
type AccountBooks = { availablePence: number; pendingPence: number; paidOutPence: number };
export type Books = {
  intents: IntentBooks[];
  transfers: TransferBooks[];
  accounts: AccountBooks[];
  platform: { availablePence: number; pendingPence: number; feesPence: number };
};

/** Who has how much, according to Stripe. */
export function booksOf(world: World): Books {
  const intents = [...world.intents.values()].map((intent): IntentBooks => {
    const charges = [...world.charges.values()].filter(
      (charge) => charge.payment_intent === intent.id && charge.status === "succeeded",
    );
    const disputes = [...world.disputes.values()].filter(({ payment_intent }) => payment_intent === intent.id);
    return {
      paymentIntent: intent.id,
      transferGroup: intent.transfer_group,
      chargedPence: sum(charges, ({ amount }) => amount),
      refundedPence: sum(charges, ({ amount_refunded }) => amount_refunded),
      disputedPence: sum(disputes, takenBy),
    };
  });
  const transfers = [...world.transfers.values()].map(
    (transfer): TransferBooks => ({
      transferGroup: transfer.transfer_group,
      destination: String(transfer.destination),
      sentPence: transfer.amount,
      reversedPence: transfer.amount_reversed,
    }),
  );
  const accounts = [...world.accounts.keys()].map((account): AccountBooks => {
    const { available, pending } = balanceOf(world, account);
    const sent = [...world.payouts.values()].filter(
      (payout) => payout.account === account && payout.status !== "failed",
    );
    const paidOutPence = sum(sent, ({ amount }) => amount);
    return { availablePence: available, pendingPence: pending, paidOutPence };
  });
  const { available, pending } = balanceOf(world);
  const own = [...world.lines.values()].filter((line) => line.account === undefined);
  const feesPence = sum(own, ({ type, fee, amount }) => (type === "stripe_fee" ? fee - amount : fee));
  return { intents, transfers, accounts, platform: { availablePence: available, pendingPence: pending, feesPence } };
}

function sum<T>(things: readonly T[], of: (thing: T) => number): number {
  return things.reduce((total, thing) => total + of(thing), 0);
}
