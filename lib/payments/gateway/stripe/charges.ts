import type Stripe from "stripe";
import type { Charge, LiveGateway, Loss } from "../port.ts";
import { find, keyOf, send } from "./call.ts";
import { disputeLoss, idOf, refundLoss, toCharge } from "./views.ts";

type Charges = Pick<LiveGateway, "readCharge" | "listCharges" | "paymentOf" | "refund">;

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
    const found = await (/^(re|pyr)_/.test(objectId)
      ? find(stripe.refunds.retrieve(objectId))
      : /^(ch|py)_/.test(objectId)
        ? find(stripe.charges.retrieve(objectId))
        : find(stripe.disputes.retrieve(objectId)));
    return idOf(found?.payment_intent) ?? undefined;
  };

  return {
    readCharge: (intentId) => find(readCharge(intentId)),

    listCharges: async (settlementId) => {
      const list = stripe.charges.list({ transfer_group: settlementId, limit: 100 });
      const found = await send(list.autoPagingToArray({ limit: 1_000 }));
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
      return intent?.metadata.guildhall_payment;
    },
  };
}
