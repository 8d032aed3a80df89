import { prisma } from "#lib/db/client.ts";
import { readPayment } from "../checkouts/checkout.ts";
import { liveGateway } from "../gateway/live.ts";
import type { Kind } from "./kinds.ts";

/** Paid, or past its time. */
export const checkoutSession: Kind = {
  types: /^checkout\.session\./,
  async look(ctx, { objectId }) {
    if (!objectId) return false;
    const known = await prisma().payment.findUnique({ where: { stripeSessionId: objectId }, select: { id: true } });
    // It may be faster than our own record of its opening: the session itself names the payment.
    const paymentId = known?.id ?? (await (await liveGateway()).readCheckout(objectId))?.paymentId;
    return paymentId ? (await readPayment(ctx, paymentId)) !== undefined : false;
  },
};
