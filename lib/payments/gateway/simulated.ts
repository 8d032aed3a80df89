import type { Gateway } from "./port.ts";

/** The TEST gateway. It calls nobody and moves nothing: a checkout stays open until payments/confirm.php plays its outcome. */
export const simulated: Gateway = {
  mode: "TEST",
  openCheckout: async (order) => ({
    sessionId: null,
    url: null,
    status: "open",
    amountPence: order.amountPence,
    currency: "gbp",
    cardOnly: true,
    paymentId: order.paymentId,
    intentId: null,
  }),
};
