import { readPayment } from "../checkouts/checkout.ts";
import { liveGateway } from "../gateway/live.ts";
import type { Kind } from "./kinds.ts";

/** A charge, its refunds and its disputes: all of them are read with the payment that they belong to. */
export const charge: Kind = {
  types: /^(charge\.(refunded|refund\.|dispute\.)|refund\.|payment_intent\.succeeded$)/,
  async look(ctx, { objectId, account }) {
    // What happens on a connected account is no charge of ours.
    if (!objectId || account) return false;
    const paymentId = await (await liveGateway()).paymentOf(objectId);
    return paymentId ? (await readPayment(ctx, paymentId)) !== undefined : false;
  },
};
