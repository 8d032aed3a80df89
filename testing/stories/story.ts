import { Chance } from "#stripe-stand-in/random.ts";
import { SEED } from "#testing/seed.ts";

const CHECKOUTS = [
  "paid",
  "paid",
  "paid",
  "declined_then_paid",
  "expired",
  "expired_then_paid",
  "cancelled",
  "paid_after_cancelling",
  "given_up",
  "paid_after_giving_up",
] as const;
const LOSSES = ["none", "none", "none", "part", "whole"] as const;
/** How a dispute of the payer's bank ends; `over` takes more than is disputed, `countered` costs another fee, and is lost. */
const ENDS = ["won", "lost", "half_won", "prevented", "over", "countered", "appealed"] as const;
const CHARGEBACKS = ["none", "none", "none", ...ENDS] as const;
const WARNINGS = ["early_fraud_warning", "review"] as const;
const ENDINGS = ["leave", "give_up"] as const;
const DISPUTES = ["provider", "requester", "refund", "split"] as const;
const ACTS = ["none", "refund_part", "refund_whole", "reverse_part", "reverse_whole"] as const;
const PAYOUTS = ["none", "under_way", "paid", "failed", "failed_then_paid"] as const;

type Decision = (typeof ACTS)[number];
export type Loss = (typeof LOSSES)[number];
export type Chargeback = (typeof CHARGEBACKS)[number];

/** The life of one payment: what people, banks and administrators do, in the order of the fields. */
export type Story = {
  number: number;
  grossPence: number;
  checkout: (typeof CHECKOUTS)[number];
  /** The charge reaches Stripe's balance later than the payment is known. */
  late: boolean;
  /** What warns of fraud once it is paid. */
  warning: "none" | (typeof WARNINGS)[number];
  /** How a party ends the work that is paid and begun; nothing else is then done about it. */
  ending: "none" | (typeof ENDINGS)[number];
  /** Before the task is completed. */
  dispute: "none" | (typeof DISPUTES)[number];
  /** What a split awards the provider of each hundred pence. */
  awardedPercent: number;
  refundBefore: Loss;
  chargebackBefore: Chargeback;
  unready: boolean;
  /** While the transfer waits. */
  held: boolean;
  /** After the transfer. */
  payout: (typeof PAYOUTS)[number];
  reversal: Loss;
  refundAfter: Loss;
  chargebackAfter: Chargeback;
  /** By an administrator, when everything has happened; what then still waits is decided one way or the other. */
  decision: Decision;
  sendsRest: boolean;
};

/** The story of this number, which the seed decides. */
export function storyOf(number: number): Story {
  const chance = new Chance(`${SEED}:${number}`);
  const one = <T>(of: readonly T[]): T => of[chance.between(0, of.length - 1)] as T;
  const seldom = <T>(of: readonly T[], otherwise: T): T => (chance.next() < 0.3 ? one(of) : otherwise);
  return {
    number,
    grossPence: chance.between(999, 500_000),
    checkout: one(CHECKOUTS),
    late: chance.next() < 0.3,
    warning: seldom<Story["warning"]>(WARNINGS, "none"),
    dispute: seldom(DISPUTES, "none"),
    awardedPercent: chance.between(0, 100),
    refundBefore: seldom<Loss>(["part", "whole"], "none"),
    chargebackBefore: seldom<Chargeback>(ENDS, "none"),
    unready: chance.next() < 0.2,
    held: chance.next() < 0.2,
    payout: one(PAYOUTS),
    reversal: one(LOSSES),
    refundAfter: one(LOSSES),
    chargebackAfter: one(CHARGEBACKS),
    decision: one(ACTS),
    sendsRest: chance.next() < 0.7,
    ending: seldom<Story["ending"]>(ENDINGS, "none"),
  };
}
