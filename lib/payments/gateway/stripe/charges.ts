import type Stripe from "stripe";
import { type Charge, type LiveGateway, type Loss, ProcessorError } from "../port.ts";
import { find, keyOf, send } from "./call.ts";
import { date, disputeLoss, idOf, refundLoss, toCharge } from "./views.ts";

type HasIntent = { payment_intent?: string | Stripe.PaymentIntent | null };

/** How what belongs to a payment is read, by the beginning of its ID; anything else is a dispute. */
const READERS: readonly [RegExp, (stripe: Stripe, id: string) => Promise<HasIntent>][] = [
  [/^(re|pyr)_/, (stripe, id) => stripe.refunds.retrieve(id)],
  [/^(ch|py)_/, (stripe, id) => stripe.charges.retrieve(id)],
  [/^issfr_/, (stripe, id) => stripe.radar.earlyFraudWarnings.retrieve(id)],
  [/^prv_/, (stripe, id) => stripe.reviews.retrieve(id)],
];

type Charges = Pick<LiveGateway, "readCharge" | "readWarnings" | "listCharges" | "paymentOf" | "refund">;

/** Stripe lists so many charges of a transfer group at most, and no further page. */
const MOST_CHARGES = 100;

/** Charges on the platform's own account, each with its refunds and disputes. */
export function charges(stripe: Stripe): Charges {
  // Always listed: after a refund has failed, the charge says that nothing was refunded, and an inquiry is not yet a dispute.
  const lossesOf = async ({ id: charge }: Stripe.Charge): Promise<Loss[]> => {
    const [refunds, disputes] = await Promise.all([
      stripe.refunds.list({ charge, limit: 100 }).autoPagingToArray({ limit: 1_000 }),
      stripe.disputes.list({ charge, limit: 100 }).autoPagingToArray({ limit: 100 }),
    ]);
    return [...refunds.map(refundLoss), ...disputes.map(disputeLoss)];
  };

  const readCharge = async (intentId: string): Promise<Charge | undefined> => {
    const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge.balance_transaction"] });
    const charge = intent.latest_charge;
    if (!charge || typeof charge === "string") return undefined;
    return { ...toCharge(charge, await lossesOf(charge)), intentId };
  };

  const intentOf = async (objectId: string): Promise<string | undefined> => {
    const [, read] = READERS.find(([prefix]) => prefix.test(objectId)) ?? [];
    const found = await find<HasIntent>(read ? read(stripe, objectId) : stripe.disputes.retrieve(objectId));
    return idOf(found?.payment_intent) ?? undefined;
  };

  return {
    readCharge: (intentId) => find(readCharge(intentId)),

    readWarnings: async ({ chargeId: charge, reviewId }) => {
      const list = stripe.radar.earlyFraudWarnings.list({ charge, limit: 100 });
      const warnings = await send(list.autoPagingToArray({ limit: 100 }));
      const review = reviewId ? await find(stripe.reviews.retrieve(reviewId)) : undefined;
      return [
        // What Stripe calls actionable says only whether a refund would still help.
        ...warnings.map(({ id, created }) => ({
          id,
          kind: "early_fraud_warning" as const,
          isOpen: true,
          createdAt: date(created),
        })),
        ...(review
          ? [{ id: review.id, kind: "review" as const, isOpen: review.open, createdAt: date(review.created) }]
          : []),
      ];
    },

    listCharges: async (settlementId) => {
      const found = await send(
        stripe.charges.list({ transfer_group: settlementId, limit: MOST_CHARGES }).autoPagingToArray({ limit: 1_000 }),
      );
      if (found.length >= MOST_CHARGES)
        throw new ProcessorError(
          "refused",
          "too_many_charges",
          "Stripe may not have listed every charge of this group.",
        );
      return found.map((charge) => toCharge(charge, [])).filter(({ paid }) => paid);
    },

    refund: async ({ actId, attempt, settlementId, intentId, amountPence }) =>
      refundLoss(
        await send(
          stripe.refunds.create(
            {
              payment_intent: intentId,
              amount: amountPence,
              reason: "requested_by_customer",
              metadata: { guildhall_act: actId, guildhall_settlement: settlementId },
            },
            { idempotencyKey: keyOf(actId, attempt) },
          ),
        ),
      ),

    paymentOf: async (objectId) => {
      const intentId = objectId.startsWith("pi_") ? objectId : await intentOf(objectId);
      const intent = intentId ? await find(stripe.paymentIntents.retrieve(intentId)) : undefined;
      return intent?.metadata?.guildhall_payment;
    },
  };
}
